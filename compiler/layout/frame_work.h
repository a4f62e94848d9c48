// The file of abi/frame_work.h, made of a layout.
#ifndef CULPRIT_COMPILER_LAYOUT_FRAME_WORK_H
#define CULPRIT_COMPILER_LAYOUT_FRAME_WORK_H

#include "compiler/layout/catalog.h"

namespace culprit {

std::string frameWorkOf(const Catalog &catalog, const Layout &layout);

} // namespace culprit
#endif

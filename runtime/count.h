// Mode `count`, the runtime's part.
#ifndef CULPRIT_RUNTIME_COUNT_H
#define CULPRIT_RUNTIME_COUNT_H

#include "runtime/image_record.h"

namespace culprit {

/// Puts the image's counters into a file, if the host asked for that.
void mapCounters(const ImageRecord &image);

} // namespace culprit
#endif

// Calls that only hand on what their function was given: `return malloc(size);` of an allocator of
// the program's own. Whoever called that function decided.
#ifndef CULPRIT_ANALYSIS_LOCATE_WRAPPERS_H
#define CULPRIT_ANALYSIS_LOCATE_WRAPPERS_H

#include "compiler/loader/program.h"
#include "compiler/sites/site_lines.h"

namespace culprit {

/// Whether every argument of the call at that site is a parameter of its function, or a constant.
bool handsOnParameters(const Program &program, const SiteAddress &site);

} // namespace culprit
#endif

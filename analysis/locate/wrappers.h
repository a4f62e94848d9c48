// Calls that only hand on what their function was given and return what they got: `return
// malloc(count * size);` of an allocator of the program's own. Whoever called that function
// decided.
#ifndef CULPRIT_ANALYSIS_LOCATE_WRAPPERS_H
#define CULPRIT_ANALYSIS_LOCATE_WRAPPERS_H

#include "compiler/loader/program.h"
#include "compiler/sites/site_lines.h"

#include <vector>

namespace culprit {

/// Whether the arguments of the call at that site are computed from its function's parameters
/// alone, and the function only returns the result.
bool handsOnParameters(const Program &program, const SiteAddress &site);

/// Whether there is a call that allocates.
bool isAllocation(const Program &program, const SiteAddress &site);

/// Whether there is a call that frees, and does nothing else.
bool isRelease(const Program &program, const SiteAddress &site);

/// Whether it allocates or frees, and hands on parameters.
bool wrapsHeap(const Program &program, const SiteAddress &site);

/// Whether the call's first argument is a local of its function.
bool worksOnLocal(const Program &program, const SiteAddress &site);

/// Whether the address of a local is stored, returned or passed there.
bool handsOutLocal(const Program &program, const SiteAddress &site);

/// Which arguments of an allocation tell how much: the numbers, or all if there are none.
std::vector<unsigned> argumentsForSize(const Program &program, const SiteAddress &site);

} // namespace culprit
#endif

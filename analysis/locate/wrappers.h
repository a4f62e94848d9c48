// Calls that only hand on what their function was given and return what they got: `return
// malloc(count * size);` of an allocator of the program's own. Whoever called that function
// decided.
#ifndef CULPRIT_ANALYSIS_LOCATE_WRAPPERS_H
#define CULPRIT_ANALYSIS_LOCATE_WRAPPERS_H

#include "compiler/loader/program.h"
#include "compiler/sites/site_lines.h"

#include <string>
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

/// Whether a pointer is set there to a block of alloca() whose size was computed.
bool makesVariableBlock(const Program &program, const SiteAddress &site);

/// Whether the address of a local is stored, returned or passed there.
bool handsOutLocal(const Program &program, const SiteAddress &site);

/// Whether there is a call that allocates memory and leaves in it what was there.
bool leavesUnset(const Program &program, const SiteAddress &site);

/// Which arguments of the call there lead to bytes that it reads.
std::vector<unsigned> argumentsThatAreRead(const Program &program, const SiteAddress &site);

/// Which arguments of the call lead to memory that it writes to.
std::vector<unsigned> argumentsThatAreWritten(const Program &program, const SiteAddress &site);

/// How many bytes are stored there; 0: it is no store, or stores something else than a number.
unsigned bytesStored(const Program &program, const SiteAddress &site);

/// Whether what is stored there is a constant.
bool storesConstant(const Program &program, const SiteAddress &site);

/// Whether a number is converted there, or multiplied by a constant, as one of elements is.
bool scalesNumber(const Program &program, const SiteAddress &site);

/// The function that is called there; empty: none is, or it is not known.
std::string calledName(const Program &program, const SiteAddress &site);

/// Whether the pointer that is defined there is to the first object of an array from new[], behind
/// the number of objects.
bool isBehindCookie(const Program &program, const SiteAddress &site);

/// Whether the store there is to a member of an object that its function was handed.
bool storesToHanded(const Program &program, const SiteAddress &site);

/// Whether memory of an object that its function was handed is read there, where the function was
/// told, and which it does nothing else with.
bool readsHanded(const Program &program, const SiteAddress &site);

/// Which arguments of an allocation tell how much: the numbers, or all if there are none. What a
/// container allocates for it to hold one more is not told.
std::vector<unsigned> argumentsForSize(const Program &program, const SiteAddress &site,
                                       bool isByContainer);

} // namespace culprit
#endif

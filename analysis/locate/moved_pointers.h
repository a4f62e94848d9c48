// Pointers that are computed from others: `&p->member`, `p + i`.
#ifndef CULPRIT_ANALYSIS_LOCATE_MOVED_POINTERS_H
#define CULPRIT_ANALYSIS_LOCATE_MOVED_POINTERS_H

#include "analysis/locate/altered_run.h"
#include "compiler/loader/program.h"

namespace culprit {

/// The pointer that the execution of a site which was probed has computed from another one;
/// nothing: it computes something else. What is loaded through such a pointer may have its origin,
/// too.
std::optional<uint64_t> movedPointer(const Program &program, const SiteAddress &site,
                                     const RunResult &probed);

} // namespace culprit
#endif

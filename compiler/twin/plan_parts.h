// Which modules have parts, and which parts a build needs; see parts.h.
#ifndef CULPRIT_COMPILER_TWIN_PLAN_PARTS_H
#define CULPRIT_COMPILER_TWIN_PLAN_PARTS_H

#include "compiler/twin/twin_jobs.h"

namespace culprit {

/// Whether a module with bitcode of that size takes longer to compile than most programs run.
bool isLargeModule(uint64_t bitcodeSize);

/// Whether the twins of a module with bitcode of that size are open in this mode.
bool hasParts(const Mode &mode, uint64_t bitcodeSize);

/// Gives the open twin, which is made, the parts that have the sites. If one of the functions
/// cannot be replaced, the whole module is made anew instead.
void planParts(TwinJob &job, const SuppressedSites &sites, const Cache &cache);

} // namespace culprit
#endif

// Who owns a heap block: where its pointer was copied to, and which copy made a second owner.
#ifndef CULPRIT_ANALYSIS_LOCATE_OWNERS_H
#define CULPRIT_ANALYSIS_LOCATE_OWNERS_H

#include "analysis/locate/altered_run.h"
#include "analysis/locate/program_sites.h"

namespace culprit {

/// A block that was freed and used, or freed, again.
struct FreedBlock {
  uint64_t allocation = 0;   ///< the execution that had allocated it, as an origin
  uint64_t freedAt = 0;      ///< the time when it was freed
  uint64_t place = 0;        ///< that the pointer was loaded from that was used then; 0: not known
  uint64_t freedFrom = 0;    ///< that the pointer was loaded from that was freed; 0: not known
  bool isFreedTwice = false; ///< and not only used
};

/// The copy by which a second place came to hold the block's pointer; null if there is one place
/// only. `copies` are all up to the failure, in their order.
const ResolvedCopy *secondOwner(const std::vector<ResolvedCopy> &copies, const FreedBlock &freed,
                                const ProgramSites &sites);

/// The innermost call in code of the program, headers included; null if there is none.
const StackFrame *programFrame(const CallStack &stack);
/// The statement that it is at; nothing: there is none.
std::optional<SiteAddress> programSite(const CallStack &stack);

/// The innermost call that a person wrote as part of the program; null if there is none.
const StackFrame *ownFrame(const CallStack &stack, const ProgramSites &sites);

} // namespace culprit
#endif

// Statements that store into an array that is a member of a struct, and whether they stayed in it.
//
// Behind such an array there is the next member, and no guard word: what is too long for the array
// is a value of that member from then on. A copy keeps the origins of what it copies, so they lead
// past it. Which array a statement means is read from the stored bitcode.
#ifndef CULPRIT_ANALYSIS_LOCATE_MEMBER_ARRAYS_H
#define CULPRIT_ANALYSIS_LOCATE_MEMBER_ARRAYS_H

#include "analysis/locate/altered_run.h"
#include "compiler/loader/program.h"

#include <vector>

namespace culprit {

/// A pointer into an array that is a member, as a statement computes it.
struct IntoMember {
  uint64_t number = 0;         ///< of the probed operand that it is (compiler/suppress/probes.h)
  uint64_t size = 0;           ///< of the array, in bytes
  int64_t offset = 0;          ///< from the array's begin to the pointer, apart from
  std::vector<int64_t> scales; ///< indexes times these
};

/// Those that the statement stores through, or hands to a function. An array at the end of its
/// struct is none of them: it may be meant to be longer.
std::vector<IntoMember> membersAt(const Program &program, const SiteAddress &site);

/// Whether `place` is outside of the array, as the probed statement had computed the pointer. Of an
/// argument: and whether it is the one through which a function came to `base`, and from there to
/// `place`.
bool isOutside(const IntoMember &member, const RunResult &probed, uint64_t place, uint64_t base);

} // namespace culprit
#endif

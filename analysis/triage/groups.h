// Groups located inputs by root cause: different failures often have the same one (paper 1,
// observation 2.2.2).
#ifndef CULPRIT_ANALYSIS_TRIAGE_GROUPS_H
#define CULPRIT_ANALYSIS_TRIAGE_GROUPS_H

#include "analysis/triage/located.h"

#include <vector>

namespace culprit {

/// A way in which inputs of a group fail.
struct GroupFailure {
  LocatedFailure failure;
  size_t inputs = 0;
};

/// Inputs with the same verdict and the same first root cause: file, line and function. Without a
/// cause, those that fail in the same way at the same line, and those that do not fail.
struct TriageGroup {
  std::vector<LocatedInput> inputs;   ///< in the order in which they were given
  std::vector<GroupFailure> failures; ///< the most frequent first; empty: they do not fail
  size_t representative = 0; ///< index into inputs: fails in the most frequent way, and was
                             ///< located in the fewest runs
  size_t smallest = 0;       ///< index into inputs

  const Located &located() const { return inputs[representative].located; }
  bool hasCause() const { return located().cause.has_value(); }
};

/// Groups with a root cause first, then those where none was found, then what does not fail; of
/// each, the largest first. The result depends on the inputs only, not on their order in time.
std::vector<TriageGroup> groupInputs(const std::vector<LocatedInput> &inputs);

/// An input that could not be read or located.
struct TriageError {
  std::filesystem::path path;
  std::string message;
};

struct TriageReport {
  std::vector<TriageGroup> groups;
  std::vector<TriageError> errors;
  size_t known = 0;   ///< contents that were located by an earlier call
  size_t located = 0; ///< contents that were located now; inputs of one content are located once
  double seconds = 0;
};

} // namespace culprit
#endif

// A second run of a program that has failed, in the build that keeps sites apart.
//
// After optimisation several accesses share an instruction, an instruction may have no line, and
// nothing counts how often one was executed. Memory is at the same addresses in every build, so a
// program that fails by itself fails in the exact build at the same address: that run tells which
// site it was, and for which time it was executed. It is made in the sandbox, with the same
// standard input, and its output is dropped. What it tells counts only if it is the same failure: a
// program that depends on the time, on its threads, or on files that the first run has changed, may
// go another way. Why there is no second run, or why it tells nothing, is said.
#ifndef CULPRIT_CLI_CLOSER_LOOK_H
#define CULPRIT_CLI_CLOSER_LOOK_H

#include "analysis/failure/failure.h"
#include "cli/command.h"
#include "cli/launch.h"
#include "sandbox/unique_fd.h"

#include <chrono>
#include <optional>

namespace culprit {

class CloserLook {
public:
  /// Before the first run.
  CloserLook();

  /// Completes `seen`, the failure of `first`, by what the second run says of it, or by the reason
  /// why it says nothing.
  void complete(FailureReport &seen, const Launch &first, const Program &program,
                const CommonOptions &common) const;

private:
  /// Standard input as the first run got it; not open: it cannot be had again.
  UniqueFd inputAgain() const;

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool isFile_ = false;  ///< standard input is a file, and
  int64_t position_ = 0; ///< was there
};

} // namespace culprit
#endif

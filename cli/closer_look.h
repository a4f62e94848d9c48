// A second run of a program that has failed, in the build that keeps sites apart.
//
// After optimisation several accesses share an instruction, and an instruction may have no line.
// Memory is at the same addresses in every build, so a program that fails by itself fails in the
// exact build at the same address: that run tells which access it was, and for which time it was
// executed. It is made in the sandbox, with the same standard input, and its output is dropped.
// What it tells counts only if it is the same failure: a program that depends on the time, on its
// threads, or on files that the first run has changed, may go another way.
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

  /// What the second run says of `seen`, the failure of `first`; nothing where it need not, cannot
  /// or does not tell more.
  std::optional<FailureReport> at(const FailureReport &seen, const Launch &first,
                                  const Program &program, const CommonOptions &common);

private:
  /// Standard input as the first run got it; not open: it cannot be had again.
  UniqueFd inputAgain() const;

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool isFile_ = false;  ///< standard input is a file, and
  int64_t position_ = 0; ///< was there
};

} // namespace culprit
#endif

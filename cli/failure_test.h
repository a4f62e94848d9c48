// The user's own test for failures that are not crashes: a command that looks at what a run has
// left behind (--fails-when).
#ifndef CULPRIT_CLI_FAILURE_TEST_H
#define CULPRIT_CLI_FAILURE_TEST_H

#include "sandbox/unique_fd.h"

#include <string>

namespace culprit {

class FailureTest {
public:
  /// `command` is for the shell.
  explicit FailureTest(std::string command) : command_(std::move(command)) {}

  /// A place for the output of one run.
  static UniqueFd makeOutput();

  /// Runs the command on what a run has written to these files, and on its exit status: success
  /// means that the run has failed. Throws Failure when the shell does not find the command.
  bool hasFailed(int output, int error, int status) const;

private:
  std::string command_;
};

} // namespace culprit
#endif

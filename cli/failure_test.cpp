// See failure_test.h.
#include "cli/failure_test.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr int kNotExecutable = 126;

/// Under this path another process finds the file.
std::string pathOf(int file) {
  return fmt::format("/proc/{}/fd/{}", getpid(), file);
}

[[noreturn]] void execute(const std::string &command, const std::string &output,
                          const std::string &error, const std::string &status) {
  setenv("CULPRIT_STDOUT", output.c_str(), 1);
  setenv("CULPRIT_STDERR", error.c_str(), 1);
  setenv("CULPRIT_STATUS", status.c_str(), 1);
  int input = open(output.c_str(), O_RDONLY);
  if (input < 0 || dup2(input, STDIN_FILENO) < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    _exit(kNotExecutable);
  execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
  _exit(kNotExecutable);
}

} // namespace

UniqueFd FailureTest::makeOutput() {
  UniqueFd file(memfd_create("culprit-output", MFD_CLOEXEC));
  if (!file.isOpen())
    failUsage("cannot make the memory for the program's output: {}", std::strerror(errno));
  return file;
}

bool FailureTest::hasFailed(int output, int error, int status) const {
  std::string outputPath = pathOf(output);
  std::string errorPath = pathOf(error);
  pid_t child = fork();
  if (child == 0)
    execute(command_, outputPath, errorPath, std::to_string(status));
  int state = 0;
  while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR)
    ;
  if (child < 0 || !WIFEXITED(state) || WEXITSTATUS(state) >= kNotExecutable)
    failUsage("the command of --fails-when, '{}', cannot be run or was killed; expected one that "
              "exits with 0 for a failed run and with 1 for a good one",
              command_);
  return WEXITSTATUS(state) == 0;
}

} // namespace culprit

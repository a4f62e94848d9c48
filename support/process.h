// Runs a helper program to its end and collects what it says.
#ifndef CULPRIT_SUPPORT_PROCESS_H
#define CULPRIT_SUPPORT_PROCESS_H

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

struct ProcessResult {
  int status = 0;     ///< exit status, or 128 + signal
  std::string output; ///< stdout and stderr together
};

/// Standard input is empty; `folder`, if not empty, is the working folder. Throws Failure when the
/// program cannot be started.
ProcessResult runProcess(const std::vector<std::string> &command,
                         const std::filesystem::path &folder = {});

} // namespace culprit
#endif

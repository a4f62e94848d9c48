// The last steps of the process that becomes the program, in either way.
#ifndef CULPRIT_SANDBOX_PROGRAM_PROCESS_H
#define CULPRIT_SANDBOX_PROGRAM_PROCESS_H

#include "sandbox/options.h"

#include <array>
#include <cstdint>
#include <linux/filter.h>
#include <string>
#include <sys/resource.h>
#include <vector>

namespace culprit {

/// What the host made ready before it forked.
struct ProgramPlan {
  const SandboxedCommand &command;
  const SandboxOptions &options;
  SandboxWay way;
  const std::vector<sock_filter> &filter;
  std::string folder;         ///< working folder
  std::array<int, 3> streams; ///< standard input, output and error
  uint64_t capabilities;      ///< of the host, that the program may keep when root runs it
  rlimit mark;                ///< of the sandbox's processes, without namespaces
  int channel;                ///< to the host
};

/// The capabilities that change nothing but files, of those that this process has.
uint64_t harmlessCapabilities();

/// Does not return: executes the program, or says through the channel why not.
[[noreturn]] void becomeProgram(ProgramPlan plan);

} // namespace culprit
#endif

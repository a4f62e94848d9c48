// What a sandboxed run may do: the caller's choices, as data.
#ifndef CULPRIT_SANDBOX_OPTIONS_H
#define CULPRIT_SANDBOX_OPTIONS_H

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace culprit {

/// How the outside is kept from the program; docs/SANDBOX.md compares them.
enum class SandboxWay {
  Automatic, ///< namespaces where this machine has them, else notifications
  Namespace, ///< user, mount, process and network namespaces with overlays in memory
  Notify,    ///< a supervisor answers the system calls that could change something
};

/// Zero is no limit.
struct SandboxLimits {
  double seconds = 0;                  ///< of the clock
  double cpuSeconds = 0;               ///< of the processor, for each process
  uint64_t memory = uint64_t{4} << 30; ///< bytes: all processes and what they wrote to files
  uint64_t output = 0;                 ///< bytes to standard output and error together
  unsigned processes = 256;            ///< at any time; more cannot be forked
};

/// A file of the host that the program may open, for reading and writing, under that name.
struct GrantedFile {
  std::string path;
  int fd = -1;
};

struct SandboxOptions {
  SandboxWay way = SandboxWay::Automatic;
  SandboxLimits limits;
  bool allowPrograms = false; ///< children may execute other programs, which stay in the sandbox
  std::vector<GrantedFile> files;
  std::vector<std::filesystem::path> folders; ///< that the program may really write to
  int input = 0; ///< the host's descriptors for the program's standard streams
  int output = 1;
  int error = 2;
  std::function<void()> beforeProgram; ///< called in the new process, right before the program
};

/// The program as execve takes it.
struct SandboxedCommand {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
  std::vector<std::string> environment;
};

const char *wayName(SandboxWay way);

} // namespace culprit
#endif

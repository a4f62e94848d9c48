// The program's parent: between the program and who started it stands culprit, which the program
// must not see.
#include "runtime/hooks.h"
#include "runtime/recording.h"
#include "runtime/start.h"
#include "runtime/system.h"

#include <sys/syscall.h>
#include <sys/types.h>

namespace culprit {

CULPRIT_EXPORT __attribute__((weak)) pid_t getppid() noexcept {
  auto parent = static_cast<pid_t>(rawSyscall(SYS_getppid));
  parent = isWatcher(parent) ? startInfo().parent : parent;
  return static_cast<pid_t>(programValue(abi::ValueKind::Parent, static_cast<uint64_t>(parent)));
}

} // namespace culprit

// The program's parent: between the program and who started it stands culprit, which the program
// must not see.
#include "runtime/hooks.h"
#include "runtime/start.h"
#include "runtime/system.h"

#include <sys/syscall.h>
#include <sys/types.h>

namespace culprit {

CULPRIT_EXPORT __attribute__((weak)) pid_t getppid() noexcept {
  auto parent = static_cast<pid_t>(rawSyscall(SYS_getppid));
  return isWatcher(parent) ? startInfo().parent : parent;
}

} // namespace culprit

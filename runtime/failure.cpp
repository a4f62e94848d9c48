// See failure.h.
#include "runtime/failure.h"

#include "runtime/system.h"

#include <sys/syscall.h>

namespace culprit {

void watchForFailures(const char *) {}

void fail(const Finding &, int signal) {
  rawSyscall(SYS_kill, rawSyscall(SYS_getpid), signal);
  rawSyscall(SYS_exit_group, 128 + signal);
  __builtin_unreachable();
}

} // namespace culprit

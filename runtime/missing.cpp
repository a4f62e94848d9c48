// Stands for functions that the program was linked without: the original's optimiser had removed
// every call, the twin's could not. If one is called after all, the program must not go on.
#include "runtime/hooks.h"
#include "runtime/system.h"

#include <signal.h>
#include <sys/syscall.h>

namespace culprit {

void __culprit_missing() {
  static const char message[] =
      "culprit: error: the analysis build called a function that the program was linked without; "
      "this is a defect of culprit, please report it with the program\n";
  rawSyscall(SYS_write, 2, address(message), sizeof message - 1);
  rawSyscall(SYS_kill, rawSyscall(SYS_getpid), SIGABRT);
  rawSyscall(SYS_exit_group, 125);
}

} // namespace culprit

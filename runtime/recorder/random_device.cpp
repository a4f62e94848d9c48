// std::random_device reads the processor's random numbers, which no recording can see: a program
// that is recorded gets the kernel's instead.
#include "runtime/hooks.h"
#include "runtime/recording.h"

#include <sys/syscall.h>

namespace culprit {

/// std::random_device::_M_getval().
// NOLINTNEXTLINE(bugprone-reserved-identifier)
CULPRIT_EXPORT __attribute__((weak)) unsigned _ZNSt13random_device9_M_getvalEv(void *) {
  unsigned value = 0;
  while (programSyscall(SYS_getrandom, address(&value), sizeof value, 0) !=
         static_cast<long>(sizeof value))
    ;
  return value;
}

} // namespace culprit

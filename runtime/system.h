// System calls for the runtime: by number, so that nothing the program interposes is in the way.
#ifndef CULPRIT_RUNTIME_SYSTEM_H
#define CULPRIT_RUNTIME_SYSTEM_H

#include <stdint.h>

namespace culprit {

/// Returns the kernel's answer: negative errno on failure.
inline long rawSyscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                       long f = 0) {
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <typename Type> Type *pointerTo(uint64_t place) {
  return reinterpret_cast<Type *>(place); // NOLINT(performance-no-int-to-ptr)
}

inline long address(const void *pointer) {
  return reinterpret_cast<long>(pointer);
}

} // namespace culprit
#endif

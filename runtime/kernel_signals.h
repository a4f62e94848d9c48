// Signals as the kernel knows them.
#ifndef CULPRIT_RUNTIME_KERNEL_SIGNALS_H
#define CULPRIT_RUNTIME_KERNEL_SIGNALS_H

#include "runtime/system.h"

#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

namespace culprit {

inline constexpr long kMaskSize = 8;

/// The kernel's struct sigaction.
struct KernelAction {
  uint64_t handler;
  uint64_t flags;
  uint64_t restorer;
  uint64_t mask;
};

inline uint64_t bitOf(int signal) {
  return uint64_t{1} << (signal - 1);
}

/// The first word of the C library's set is the kernel's.
inline uint64_t wordOf(const sigset_t &set) {
  uint64_t word;
  __builtin_memcpy(&word, &set, sizeof word);
  return word;
}

inline void setWord(sigset_t &set, uint64_t word) {
  __builtin_memset(&set, 0, sizeof set);
  __builtin_memcpy(&set, &word, sizeof word);
}

/// Blocks all signals; returns the old mask.
inline uint64_t blockAll() {
  uint64_t all = ~uint64_t{0};
  uint64_t old = 0;
  rawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, address(&all), address(&old), kMaskSize);
  return old;
}

inline void setMask(uint64_t mask) {
  rawSyscall(SYS_rt_sigprocmask, SIG_SETMASK, address(&mask), 0, kMaskSize);
}

} // namespace culprit
#endif

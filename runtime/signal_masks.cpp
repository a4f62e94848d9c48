// sigprocmask and pthread_sigmask, interposed: a thread that blocks all signals must still be able
// to tell how it fails.
//
// The kernel kills a process without asking when a fault's signal is blocked. So the signals of
// faults are not blocked in the kernel; the program sees them as blocked. One that a process sends
// (nobody does) is then really blocked and sent again, so that it waits as it should.
#include "runtime/signal_masks.h"

#include "abi/failure.h"
#include "runtime/hooks.h"
#include "runtime/kernel_signals.h"
#include "runtime/recording.h"

#include <errno.h>
#include <ucontext.h>

namespace culprit {
namespace {

constexpr uint64_t kFaults = uint64_t{1} << (SIGSEGV - 1) | uint64_t{1} << (SIGBUS - 1) |
                             uint64_t{1} << (SIGFPE - 1) | uint64_t{1} << (SIGILL - 1) |
                             uint64_t{1} << (SIGTRAP - 1) | uint64_t{1} << (SIGSYS - 1) |
                             uint64_t{1} << (abi::kProbeSignal - 1);

__thread uint64_t t_blocked; ///< faults that the program has blocked
__thread uint64_t t_waiting; ///< those of them that the kernel blocks
bool g_isActive;

uint64_t changedMask(uint64_t mask, int how, uint64_t set) {
  if (how == SIG_BLOCK)
    return mask | set;
  return how == SIG_UNBLOCK ? mask & ~set : set;
}

/// Returns the error's number, or 0.
int change(int how, const sigset_t *wanted, sigset_t *old) {
  uint64_t set = wanted ? wordOf(*wanted) : 0;
  uint64_t blocked = wanted && g_isActive ? changedMask(t_blocked, how, set & kFaults) : t_blocked;
  uint64_t forKernel = how == SIG_UNBLOCK || !g_isActive ? set : set & ~(kFaults & ~t_waiting);
  uint64_t seen = t_blocked;
  t_blocked = blocked; // first: what is unblocked may arrive inside of the call
  uint64_t before = 0;
  long error = programSyscall(SYS_rt_sigprocmask, how, wanted ? address(&forKernel) : 0,
                              address(&before), kMaskSize);
  if (error < 0) {
    t_blocked = seen;
    return static_cast<int>(-error);
  }
  if (old)
    setWord(*old, before | seen);
  t_waiting &= blocked;
  return 0;
}

} // namespace

void keepFaultsUnblocked() {
  g_isActive = true;
}

uint64_t blockedFaults() {
  return t_blocked;
}

void inheritBlockedFaults(uint64_t blocked) {
  t_blocked = blocked;
}

bool holdBack(int signal, const siginfo_t &info, void *context) {
  uint64_t bit = bitOf(signal);
  if (info.si_code > 0 || (t_blocked & bit) == 0 || signal == abi::kProbeSignal)
    return false;
  // The kernel's mask has one word; behind it is something else.
  sigset_t &mask = static_cast<ucontext_t *>(context)->uc_sigmask;
  uint64_t word = wordOf(mask) | bit;
  __builtin_memcpy(&mask, &word, sizeof word);
  t_waiting |= bit;
  long process = rawSyscall(SYS_getpid);
  if (info.si_code == SI_TKILL)
    rawSyscall(SYS_rt_tgsigqueueinfo, process, rawSyscall(SYS_gettid), signal, address(&info));
  else
    rawSyscall(SYS_rt_sigqueueinfo, process, signal, address(&info));
  return true;
}

CULPRIT_EXPORT __attribute__((weak)) int pthread_sigmask(int how, const sigset_t *wanted,
                                                         sigset_t *old) noexcept {
  return change(how, wanted, old);
}

CULPRIT_EXPORT __attribute__((weak)) int sigprocmask(int how, const sigset_t *wanted,
                                                     sigset_t *old) noexcept {
  int error = change(how, wanted, old);
  if (error == 0)
    return 0;
  errno = error;
  return -1;
}

} // namespace culprit

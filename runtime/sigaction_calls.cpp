// sigaction and its older relatives, interposed: for watched signals the program sees what it has
// set, and we stay in front. Other signals go to libc as they are.
#include "runtime/hooks.h"
#include "runtime/kernel_signals.h"
#include "runtime/program_actions.h"
#include "runtime/recording.h"

#include <errno.h>
#include <string.h>

// Names under which libc exports what is interposed here.
extern "C" int __sigaction(int signal, const struct sigaction *wanted, struct sigaction *old);

namespace culprit {
namespace {

using Handler = void (*)(int);

uint64_t g_interrupting; ///< signals whose handlers interrupt system calls, see siginterrupt()

int change(int signal, const struct sigaction *wanted, struct sigaction *old) {
  if (!isWatched(signal))
    return __sigaction(signal, wanted, old);
  exchangeAction(signal, wanted, old);
  return 0;
}

/// Sets a handler; returns the old one, or SIG_ERR.
Handler changeHandler(int signal, Handler handler, int flags, bool blocksItself) {
  if (handler == SIG_ERR || signal < 1 || signal >= NSIG) {
    errno = EINVAL;
    return SIG_ERR;
  }
  struct sigaction wanted = {};
  struct sigaction old = {};
  wanted.sa_handler = handler;
  wanted.sa_flags = flags;
  setWord(wanted.sa_mask, blocksItself ? bitOf(signal) : 0);
  return change(signal, &wanted, &old) < 0 ? SIG_ERR : old.sa_handler;
}

bool isInterrupting(int signal) {
  return signal >= 1 && signal < NSIG && (g_interrupting & bitOf(signal)) != 0;
}

} // namespace

CULPRIT_EXPORT __attribute__((weak)) int sigaction(int signal, const struct sigaction *wanted,
                                                   struct sigaction *old) noexcept {
  return change(signal, wanted, old);
}

CULPRIT_EXPORT __attribute__((weak)) Handler signal(int signal, Handler handler) noexcept {
  return changeHandler(signal, handler, isInterrupting(signal) ? 0 : SA_RESTART, true);
}

CULPRIT_EXPORT __attribute__((weak)) Handler bsd_signal(int signal, Handler handler) noexcept
    __attribute__((alias("signal")));
CULPRIT_EXPORT __attribute__((weak)) Handler ssignal(int signal, Handler handler) noexcept
    __attribute__((alias("signal")));

CULPRIT_EXPORT __attribute__((weak)) Handler __sysv_signal(int signal, Handler handler) noexcept {
  return changeHandler(signal, handler, static_cast<int>(SA_RESETHAND) | SA_NODEFER, false);
}

CULPRIT_EXPORT __attribute__((weak)) Handler sysv_signal(int signal, Handler handler) noexcept
    __attribute__((alias("__sysv_signal")));

CULPRIT_EXPORT __attribute__((weak)) int siginterrupt(int signal, int isWanted) noexcept {
  struct sigaction action = {};
  if (signal < 1 || signal >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (change(signal, nullptr, &action) < 0)
    return -1;
  if (isWanted)
    __atomic_or_fetch(&g_interrupting, bitOf(signal), __ATOMIC_RELAXED);
  else
    __atomic_and_fetch(&g_interrupting, ~bitOf(signal), __ATOMIC_RELAXED);
  action.sa_flags = isWanted ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return change(signal, &action, nullptr);
}

CULPRIT_EXPORT __attribute__((weak)) int sigignore(int signal) noexcept {
  return changeHandler(signal, SIG_IGN, 0, false) == SIG_ERR ? -1 : 0;
}

CULPRIT_EXPORT __attribute__((weak)) Handler sigset(int signal, Handler handler) noexcept {
  if (handler == SIG_ERR || signal < 1 || signal >= NSIG) {
    errno = EINVAL;
    return SIG_ERR;
  }
  uint64_t bit = bitOf(signal);
  uint64_t before = 0;
  bool isHeld = handler == SIG_HOLD;
  programSyscall(SYS_rt_sigprocmask, isHeld ? SIG_BLOCK : SIG_UNBLOCK, address(&bit),
                 address(&before), kMaskSize);
  struct sigaction old = {};
  Handler last = SIG_ERR;
  if (!isHeld)
    last = changeHandler(signal, handler, 0, false);
  else if (change(signal, nullptr, &old) == 0)
    last = old.sa_handler;
  return last != SIG_ERR && (before & bit) != 0 ? SIG_HOLD : last;
}

} // namespace culprit

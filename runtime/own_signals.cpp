// Signals that the program sends to itself and dies of: raise, kill and their kin, interposed.
//
// Signals of faults are caught (signals.cpp). Others, such as SIGTERM, are left to the program and
// its system calls: what they do not interrupt natively they must not interrupt here. So a signal
// that will end the program is noted before it is sent. A signal that others send is no failure.
//
// The calls are libc's syscall(): a recording has them as it has the program's own, and the frame
// of a handler lies where it would natively.
#include "runtime/failure.h"
#include "runtime/hooks.h"
#include "runtime/kernel_signals.h"
#include "runtime/program_actions.h"
#include "runtime/record.h"
#include "runtime/thread_calls.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// The name that libc has for it itself: see thread_calls.h.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" __attribute__((weak)) int __pthread_kill(pthread_t, int);

namespace culprit {
namespace {

/// Whether the signal ends a program that has not set anything for it.
bool isDeadly(int signal) {
  switch (signal) {
  case SIGCHLD:
  case SIGCONT:
  case SIGURG:
  case SIGWINCH:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
    return false;
  default:
    return signal >= 1 && signal < NSIG && !isWatched(signal);
  }
}

/// Whether the calling thread would get it, and nobody has set anything for it.
bool isUnhandled(int signal) {
  KernelAction action = {};
  uint64_t blocked = 0;
  syscall(SYS_rt_sigaction, signal, nullptr, &action, kMaskSize);
  syscall(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &blocked, kMaskSize);
  return action.handler == reinterpret_cast<uint64_t>(SIG_DFL) && (blocked & bitOf(signal)) == 0;
}

/// The record of a signal that the calling thread is about to die of, as long as this lives.
class Note {
public:
  Note(bool isToSelf, int signal, const void *caller) {
    isMade_ = isToSelf && isDeadly(signal) && isUnhandled(signal) && noteOwnSignal(signal, caller);
  }
  ~Note() {
    if (isMade_) // it lives: process 1 of a namespace is spared
      takeBackRecord();
  }
  Note(const Note &) = delete;
  Note &operator=(const Note &) = delete;

private:
  bool isMade_;
};

bool isOwnProcess(pid_t process) {
  return process == syscall(SYS_getpid) || process == 0 || process == -syscall(SYS_getpgid, 0);
}

int raiseFor(int signal, const void *caller) {
  Note note(true, signal, caller);
  return static_cast<int>(syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), signal));
}

} // namespace

CULPRIT_EXPORT __attribute__((weak)) int raise(int signal) noexcept {
  return raiseFor(signal, __builtin_return_address(0));
}

CULPRIT_EXPORT __attribute__((weak)) int gsignal(int signal) noexcept {
  return raiseFor(signal, __builtin_return_address(0));
}

CULPRIT_EXPORT __attribute__((weak)) int kill(pid_t process, int signal) noexcept {
  Note note(isOwnProcess(process), signal, __builtin_return_address(0));
  return static_cast<int>(syscall(SYS_kill, process, signal));
}

CULPRIT_EXPORT __attribute__((weak)) int killpg(pid_t group, int signal) noexcept {
  if (group < 0) {
    errno = EINVAL;
    return -1;
  }
  Note note(isOwnProcess(-group), signal, __builtin_return_address(0));
  return static_cast<int>(syscall(SYS_kill, -group, signal));
}

CULPRIT_EXPORT __attribute__((weak)) int tgkill(pid_t process, pid_t thread, int signal) {
  Note note(thread == syscall(SYS_gettid), signal, __builtin_return_address(0));
  return static_cast<int>(syscall(SYS_tgkill, process, thread, signal));
}

CULPRIT_EXPORT __attribute__((weak)) int sigqueue(pid_t process, int signal,
                                                  const sigval value) noexcept {
  Note note(isOwnProcess(process), signal, __builtin_return_address(0));
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = static_cast<pid_t>(syscall(SYS_getpid));
  info.si_uid = static_cast<uid_t>(syscall(SYS_getuid));
  info.si_value = value;
  return static_cast<int>(syscall(SYS_rt_sigqueueinfo, process, signal, &info));
}

CULPRIT_EXPORT __attribute__((weak)) int pthread_kill(pthread_t thread, int signal) noexcept {
  Note note(thread == pthread_self(), signal, __builtin_return_address(0));
  auto *own = &__culprit_next_thread_calls ? __culprit_next_thread_calls()->kill : __pthread_kill;
  return own(thread, signal);
}

} // namespace culprit

// See signals.h. sigaction_calls.cpp has the functions by which the program gets here.
#include "runtime/signals.h"

#include "runtime/failed_access.h"
#include "runtime/frames.h"
#include "runtime/hooks.h"
#include "runtime/kernel_signals.h"
#include "runtime/probe.h"
#include "runtime/program_actions.h"
#include "runtime/record.h"
#include "runtime/recording.h"
#include "runtime/signal_masks.h"
#include "runtime/stack_view.h"
#include "runtime/start.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/suppress.h"
#include "runtime/thread_state.h"

#include <errno.h>
#include <string.h>
#include <ucontext.h>

namespace culprit {

extern "C" {
void __culprit_signal_entry();
void __culprit_signal_return();
}

namespace {

constexpr int kWatched[] = {SIGSEGV, SIGBUS,  SIGFPE, SIGILL,
                            SIGABRT, SIGTRAP, SIGSYS, abi::kProbeSignal};
constexpr uint64_t kRestorer = 0x0400'0000; ///< SA_RESTORER

struct sigaction g_actions[64]; ///< what the program has set, by signal number less one
uint32_t g_lock;

/// Held only while all signals are blocked. It holds the process's number: after fork(), one that
/// another thread of the parent had is nobody's.
class ActionLock {
public:
  ActionLock() : mask_(blockAll()) {
    auto process = static_cast<uint32_t>(rawSyscall(SYS_getpid));
    uint32_t holder = 0;
    while (!__atomic_compare_exchange_n(&g_lock, &holder, process, false, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED)) {
      if (holder == process) {
        holder = 0;
        rawSyscall(SYS_sched_yield);
      }
    }
  }
  ~ActionLock() {
    __atomic_store_n(&g_lock, 0, __ATOMIC_RELEASE);
    setMask(mask_);
  }
  ActionLock(const ActionLock &) = delete;
  ActionLock &operator=(const ActionLock &) = delete;

private:
  uint64_t mask_;
};

void tellKernel(int signal, const KernelAction &action) {
  rawSyscall(SYS_rt_sigaction, signal, address(&action), 0, kMaskSize);
}

/// Traps of the recorder's come by it.
bool isNeededToRecord(int signal) {
  return (signal == SIGILL || signal == SIGSEGV) && isRecorded();
}

/// What the kernel has to do so that the program gets `action` and we the record.
void install(int signal, const struct sigaction &action) {
  if (signal == SIGSYS && isRecorded()) // by which the recorder gets system calls
    return;
  auto handler = reinterpret_cast<uint64_t>(action.sa_handler);
  bool isIgnored = action.sa_handler == SIG_IGN;
  if (isIgnored && !isNeededToRecord(signal)) {
    tellKernel(signal, {handler, 0, 0, 0});
    return;
  }
  uint64_t flags = SA_SIGINFO | kRestorer;
  uint64_t mask = ~uint64_t{0};
  if (isIgnored || action.sa_handler == SIG_DFL) {
    flags |= SA_ONSTACK | SA_RESTART;
  } else {
    flags |= static_cast<uint32_t>(action.sa_flags) & ~static_cast<uint32_t>(SA_RESETHAND);
    mask = wordOf(action.sa_mask);
  }
  if (signal == SIGSEGV && suppressionRecord()) // code of the handler may need a shadow
    flags |= SA_NODEFER;
  if (suppressionRecord())
    mask &= ~bitOf(SIGSEGV);
  if (signal == SIGILL && isRecorded()) // traps of the recorder's leave the program's stack alone
    flags |= SA_ONSTACK;
  if (isRecorded()) // system calls and the recorder's traps come by these, in handlers, too
    mask &= ~(bitOf(SIGSYS) | bitOf(SIGILL));
  tellKernel(signal, {reinterpret_cast<uint64_t>(&__culprit_signal_entry), flags,
                      reinterpret_cast<uint64_t>(&__culprit_signal_return), mask});
}

/// The action for a signal that has arrived; one that is to be reset is.
struct sigaction takeAction(int signal) {
  ActionLock lock;
  struct sigaction &action = g_actions[signal - 1];
  struct sigaction taken = action;
  if (taken.sa_handler != SIG_DFL && taken.sa_handler != SIG_IGN &&
      (static_cast<uint32_t>(taken.sa_flags) & static_cast<uint32_t>(SA_RESETHAND)) != 0) {
    action.sa_handler = SIG_DFL;
    install(signal, action);
  }
  return taken;
}

struct Arrival {
  int signal;
  siginfo_t *info;
  void *context;
  const void *frame; ///< the context that the program's handler gets
  bool hasHandler;   ///< of the program's
  bool isStackExhausted;
};

void recordArrival(void *data) {
  auto *arrival = static_cast<Arrival *>(data);
  Registers registers = registersOf(arrival->context);
  abi::FailureKind kind = kindOfSignal(arrival->signal, *arrival->info, registers);
  arrival->isStackExhausted = kind == abi::FailureKind::StackExhausted;
  abi::FailureRecord *record = nullptr;
  bool isRepeated = arrival->info->si_code <= 0 && isRepetition(arrival->signal);
  if (!isRepeated)
    record = claimRecord(kind, registers[kStackPointer]);
  if (record) {
    describeSignal(*record, arrival->signal, *arrival->info, arrival->context);
    recordPlace(*record, registers);
  }
  if (!arrival->hasHandler)
    finishRecord(arrival->signal);
  else if (record || isOwnRecord())
    enterHandler(arrival->frame);
}

/// The process is to die of the signal as if nobody had caught it: it comes again, with the very
/// same information, as soon as this handler is left.
void dieOf(int signal, const siginfo_t *info) {
  tellKernel(signal, {0, 0, 0, 0});
  long thread = rawSyscall(SYS_gettid);
  if (rawSyscall(SYS_rt_tgsigqueueinfo, rawSyscall(SYS_getpid), thread, signal, address(info)) != 0)
    rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), thread, signal);
}

/// What the program's handler gets: `frame` is where the signal's frame is now, 0: where it was.
void tellOfExhaustedStack(const Arrival &arrival, uint64_t frame) {
  constexpr uint64_t kInfoInFrame = 312; ///< as the entry below has it
  siginfo_t *info = frame != 0 ? pointerTo<siginfo_t>(frame + kInfoInFrame) : arrival.info;
  uint64_t stack = registersOf(arrival.context)[kStackPointer];
  info->si_addr =
      pointerTo<void>(exhaustedAddress(reinterpret_cast<uint64_t>(arrival.info->si_addr), stack));
}

/// Natively there would have been no stack to run the handler on, or it runs already.
bool wouldNotRun(const struct sigaction &action, const Arrival &arrival) {
  bool hasNoStack =
      arrival.isStackExhausted && isSignalStackOurs() && (action.sa_flags & SA_ONSTACK) != 0;
  bool runsAlready = suppressionRecord() && (action.sa_flags & SA_NODEFER) == 0 &&
                     isInHandlerOf(arrival.signal, registersOf(arrival.context)[kStackPointer]);
  return hasNoStack || runsAlready;
}

} // namespace

bool isWatched(int signal) {
  for (int watched : kWatched)
    if (signal == watched)
      return true;
  return false;
}

void exchangeAction(int signal, const struct sigaction *wanted, struct sigaction *old) {
  ActionLock lock;
  struct sigaction before = g_actions[signal - 1];
  if (wanted) {
    g_actions[signal - 1] = *wanted;
    g_actions[signal - 1].sa_flags |= static_cast<int>(kRestorer); // libc lets that through, too
    install(signal, *wanted);
  }
  if (old)
    *old = before;
}

/// What the entry below goes on with.
struct HandlerCall {
  void *handler;  ///< null: there is none
  uint64_t frame; ///< where the signal's frame is now; 0: where it was
};

/// Called by the entry below.
extern "C" __attribute__((used)) HandlerCall __culprit_on_signal(int signal, siginfo_t *info,
                                                                 void *context) {
  if (__culprit_recorder_takes && __culprit_recorder_takes(signal, info, context))
    return {nullptr, 0};
  if (signal == SIGSEGV && suppressionRecord() && info->si_code > 0) {
    auto fault = reinterpret_cast<uint64_t>(info->si_addr);
    if (makeShadow(fault))
      return {nullptr, 0};
    info->si_addr = pointerTo<void>(accessedBehind(fault, registersOf(context)));
  }
  if (signal == SIGTRAP && suppressionRecord() && info->si_code == TRAP_HWBKPT) {
    noteWatchedWrite(registersOf(context));
    return {nullptr, 0};
  }
  int error = errno;
  if (holdBack(signal, *info, context))
    return {nullptr, 0};
  uint64_t mask = blockAll();
  struct sigaction action = takeAction(signal);
  bool isFault = info->si_code > 0;
  if (isFault && action.sa_handler == SIG_IGN) // faults cannot be ignored
    action.sa_handler = SIG_DFL;
  void *handler = nullptr;
  if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)
    handler = reinterpret_cast<void *>(action.sa_handler);
  uint64_t frame = 0;
  bool wantsStack = (action.sa_flags & SA_ONSTACK) != 0;
  if (handler && isRecorded() && (wantsStack || signal == SIGILL))
    frame = __culprit_move_frame(context, &action, info,
                                 reinterpret_cast<uint64_t>(&__culprit_signal_return));
  const void *programs = frame != 0 ? reinterpret_cast<const void *>(frame + 8) : context;
  Arrival arrival{signal, info, context, programs, handler != nullptr, false};
  if (signal == abi::kProbeSignal) {
    if (!handler)
      callOnSignalStack(answerProbe, context);
    if (!handler && isWatcher(info->si_pid))
      waitForEnd();
  } else if (action.sa_handler != SIG_IGN) {
    callOnSignalStack(recordArrival, &arrival);
    if (handler && wouldNotRun(action, arrival)) {
      finishRecord(signal);
      handler = nullptr;
    }
    if (handler && arrival.isStackExhausted) {
      tellOfExhaustedStack(arrival, frame);
      makeRoomForHandler();
    }
    if (!handler)
      dieOf(signal, info);
  }
  setMask(mask);
  errno = error;
  if (handler && isRecorded()) // what was done here has left numbers in them
    __culprit_clear_registers();
  return {handler, frame};
}

/// The program's handler is done. What it returns to executes the failing instruction again or not;
/// either way this failure is over.
extern "C" __attribute__((used)) void __culprit_after_handler(const void *context) {
  leaveHandler(context);
}

void watchSignals() {
  keepFaultsUnblocked();
  for (int signal : kWatched) {
    KernelAction inherited = {};
    rawSyscall(SYS_rt_sigaction, signal, 0, address(&inherited), kMaskSize);
    if (inherited.handler == reinterpret_cast<uint64_t>(SIG_IGN))
      g_actions[signal - 1].sa_handler = SIG_IGN;
    else
      install(signal, g_actions[signal - 1]);
  }
}

void endBySignal(int signal) {
  uint64_t bit = bitOf(signal);
  for (int i = 0;; ++i) {
    if (i > 0) { // a handler of the program's has returned
      finishRecord(signal);
      tellKernel(signal, {0, 0, 0, 0});
    }
    rawSyscall(SYS_rt_sigprocmask, SIG_UNBLOCK, address(&bit), 0, kMaskSize);
    if (isRecorded())
      __culprit_recorder_lets(signal);
    rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), signal);
  }
}

} // namespace culprit

// The kernel calls the entry with its signal frame on top of the stack; a recording moves it, for
// the kernel knows nothing of the program's alternate stack then. The handler begins with the
// interrupted registers, as natively: calls leave them in memory. Code behind the frame's
// return address ends the handler; its unwinding rules find the interrupted registers in the frame:
// the offset of uc_mcontext is 40, of each register as <sys/ucontext.h> orders them. An unwinder
// looks for the rules one byte before the return address.
asm(R"(
  .pushsection culprit_text,"ax",@progbits
  .hidden __culprit_signal_entry
  .globl __culprit_signal_entry
  .type __culprit_signal_entry, @function
__culprit_signal_entry:
  .cfi_startproc
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  pushq %rsi
  .cfi_adjust_cfa_offset 8
  pushq %rdx
  .cfi_adjust_cfa_offset 8
  call __culprit_on_signal
  movq %rdx, %rcx
  popq %rdx
  .cfi_adjust_cfa_offset -8
  popq %rsi
  .cfi_adjust_cfa_offset -8
  popq %rdi
  .cfi_adjust_cfa_offset -8
  testq %rax, %rax
  jz 1f
  testq %rcx, %rcx
  jz 2f
  movq %rcx, %rsp
  leaq 8(%rcx), %rdx
  leaq 312(%rcx), %rsi
2:
  movq 40(%rdx), %r8
  movq 48(%rdx), %r9
  movq 56(%rdx), %r10
  movq 152(%rdx), %rcx
  movq %rax, %r11
  xorl %eax, %eax
  jmp *%r11
1:
  ret
  .cfi_endproc
  .size __culprit_signal_entry, .-__culprit_signal_entry

  .macro culprit_saved number, offset
  .cfi_escape 0x10, \number, 3, 0x77, (\offset & 0x7f) | 0x80, (\offset >> 7) & 0x7f
  .endm
  .hidden __culprit_signal_return
  .globl __culprit_signal_return
  .type __culprit_signal_return, @function
  .cfi_startproc
  .cfi_signal_frame
  .cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
  culprit_saved 8, 40
  culprit_saved 9, 48
  culprit_saved 10, 56
  culprit_saved 11, 64
  culprit_saved 12, 72
  culprit_saved 13, 80
  culprit_saved 14, 88
  culprit_saved 15, 96
  culprit_saved 5, 104
  culprit_saved 4, 112
  culprit_saved 6, 120
  culprit_saved 3, 128
  culprit_saved 1, 136
  culprit_saved 0, 144
  culprit_saved 2, 152
  culprit_saved 7, 160
  culprit_saved 16, 168
  nop
__culprit_signal_return:
  movq %rsp, %rdi
  call __culprit_after_handler
  movq $15, %rax
  syscall
  .cfi_endproc
  .size __culprit_signal_return, .-__culprit_signal_return
  .popsection
)");

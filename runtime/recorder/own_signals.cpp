// The calls about signals: the program's actions, mask and alternate stack are kept here, for the
// kernel has others. All of it is determined by the program.
#include "runtime/recorder/arrivals.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/careful.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/floating_point.h"

#include <errno.h>

namespace culprit {
namespace {

/// By which the recorder gets to know things, in a child of vfork(), too.
bool isNeeded(int signal) {
  return signal == SIGSYS || signal == SIGSEGV || signal == SIGILL;
}

long changeAction(const ProgramCall &call) {
  auto signal = static_cast<int>(call.arguments[0]);
  uint64_t wanted = call.arguments[1];
  uint64_t old = call.arguments[2];
  if (call.arguments[3] != static_cast<uint64_t>(kMaskSize) || signal < 1 || signal > 64 ||
      (wanted != 0 && (signal == SIGKILL || signal == SIGSTOP)))
    return -EINVAL;
  if (isFailureSignal(signal) && !isInChild())
    return makeCall(call);
  KernelAction before = programAction(signal);
  KernelAction fresh = {0, 0, 0, 0};
  if (wanted != 0 && !copyIn(&fresh, wanted, sizeof fresh))
    return -EFAULT;
  if (wanted != 0 && !isInChild()) {
    programAction(signal) = fresh;
    installAction(signal);
  } else if (wanted != 0 && g_role == Role::Recording && !isNeeded(signal)) {
    rawSyscall(SYS_rt_sigaction, signal, address(&fresh), 0, kMaskSize);
  }
  return old == 0 || copyOut(old, &before, sizeof before) ? 0 : -EFAULT;
}

long changeMask(const ProgramCall &call, ucontext_t *context) {
  constexpr uint64_t kNever = uint64_t{1} << (SIGKILL - 1) | uint64_t{1} << (SIGSTOP - 1);
  uint64_t before = programMask(context);
  uint64_t set = 0;
  if (call.arguments[3] != static_cast<uint64_t>(kMaskSize))
    return -EINVAL;
  if (call.arguments[1] != 0) {
    if (!copyIn(&set, call.arguments[1], sizeof set))
      return -EFAULT;
    set &= ~kNever;
    switch (static_cast<int>(call.arguments[0])) {
    case SIG_BLOCK:
      setProgramMask(context, before | set);
      break;
    case SIG_UNBLOCK:
      setProgramMask(context, before & ~set);
      break;
    case SIG_SETMASK:
      setProgramMask(context, set);
      break;
    default:
      return -EINVAL;
    }
  }
  if (call.arguments[2] != 0 && !copyOut(call.arguments[2], &before, sizeof before))
    return -EFAULT;
  return 0;
}

/// What waits for the mask to let it in comes at once, as natively: the kernel has it pending.
void letPendingIn(ucontext_t *context) {
  if (g_role != Role::Recording || isHeld())
    return;
  ProgramCall nothing = {SYS_getpid, {0, 0, 0, 0, 0, 0}};
  makeInterruptible(nothing, maskOf(context));
}

/// To where the kernel has them, for what comes next may make another frame in the same place.
void takeFloatingPoint(ucontext_t *context, const _libc_fpstate *saved) {
  void *own = context->uc_mcontext.fpregs;
  uint64_t size = sizeOfFloatingPoint(own);
  if (size == 0 || !copyIn(own, placeOf(saved), size))
    context->uc_mcontext.fpregs = const_cast<_libc_fpstate *>(saved);
}

/// The program's handler has returned: what its frame holds is where the program goes on.
long returnFromHandler(ucontext_t *context) {
  constexpr uint64_t kContextSize = 304;
  alignas(16) char bytes[sizeof(ucontext_t)];
  auto *saved = reinterpret_cast<ucontext_t *>(bytes);
  saved->uc_mcontext.fpregs = nullptr;
  if (!copyIn(bytes, static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RSP]), kContextSize))
    rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), SIGKILL);
  copyBytes(context->uc_mcontext.gregs, saved->uc_mcontext.gregs, sizeof saved->uc_mcontext.gregs);
  if (saved->uc_mcontext.fpregs)
    takeFloatingPoint(context, saved->uc_mcontext.fpregs);
  setProgramMask(context, maskOf(saved));
  g_programStack = saved->uc_stack;
  letPendingIn(context);
  return kContextChanged;
}

} // namespace

extern "C" long __culprit_program_stack(const stack_t *wanted, stack_t *old,
                                        uint64_t stackPointer) {
  stack_t before = g_programStack;
  if (before.ss_size == 0)
    before.ss_flags = SS_DISABLE;
  else if (isOnProgramStack(stackPointer))
    before.ss_flags |= SS_ONSTACK;
  if (wanted) {
    if ((before.ss_flags & SS_ONSTACK) != 0)
      return -EPERM;
    if ((wanted->ss_flags & ~(SS_DISABLE | SS_ONSTACK | static_cast<int>(1U << 31))) != 0)
      return -EINVAL;
    constexpr uint64_t kLeast = 2048;
    if ((wanted->ss_flags & SS_DISABLE) == 0 && wanted->ss_size < kLeast)
      return -ENOMEM;
    g_programStack = *wanted;
    g_programStack.ss_flags &= ~SS_ONSTACK;
    if ((wanted->ss_flags & SS_DISABLE) != 0)
      g_programStack.ss_size = 0;
  }
  if (old)
    *old = before;
  return 0;
}

/// Kept all the same: signals have their place among the calls.
static void note(const ProgramCall &call, ucontext_t *context) {
  const CallRow &row = *findCall(call.number);
  if (g_role == Role::Recording)
    addCall(row, call, lengthsBefore(row, call), 0, -1);
  else
    expectCall(call, context);
}

long ownSignals(const ProgramCall &call, ucontext_t *context) {
  note(call, context);
  long result = 0;
  if (call.number == SYS_rt_sigaction)
    return changeAction(call);
  if (call.number == SYS_sigaltstack)
    return __culprit_program_stack(pointerTo<const stack_t>(call.arguments[0]),
                                   pointerTo<stack_t>(call.arguments[1]),
                                   static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RSP]));
  if (call.number == SYS_rt_sigreturn)
    result = returnFromHandler(context);
  else {
    result = changeMask(call, context);
    letPendingIn(context);
  }
  if (result == kContextChanged)
    deliver(abi::SignalMoment::AfterCall, context);
  return result;
}

} // namespace culprit

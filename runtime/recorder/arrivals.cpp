// See arrivals.h.
#include "runtime/recorder/arrivals.h"

#include "runtime/recorder/bytes.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/floating_point.h"
#include "runtime/recorder/leave.h"
#include "runtime/recorder/mirror.h"
#include "runtime/recorder/processor_trap.h"
#include "runtime/recorder/shortcut.h"
#include "runtime/recorder/time_stamp.h"
#include "runtime/recording.h"

#include "abi/failure.h"

#include <errno.h>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void __culprit_recorder_return();
long __culprit_gate(const culprit::ProgramCall *call, const uint32_t *isHeld);
extern const char __culprit_gate_begin[];
extern const char __culprit_gate_call[];
extern const char __culprit_gate_not_made[];
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {

stack_t g_programStack;

namespace {

constexpr uint64_t kRestorer = 0x0400'0000; ///< SA_RESTORER
constexpr int kSignals = 64;
constexpr uint64_t kInfoSize = 128;

KernelAction g_actions[kSignals + 1]; ///< the program's, by signal; of failures: see signals.cpp

struct Held {
  uint32_t isThere; ///< the gate looks at it
  int signal;
  bool hasMask; ///< came while the program ran: `mask` was in force
  bool canAsk;  ///< and not in a handler of the trap's own signal, which is blocked there
  uint64_t mask;
  alignas(8) char info[kInfoSize];
};
Held g_held;
bool g_isWaiting; ///< a call is made with signals let in
bool g_isShort;   ///< there is a ShortTime
int g_given;      ///< a failure's signal that the program is given now

constexpr uint64_t bit(int signal) {
  return uint64_t{1} << (signal - 1);
}

/// Never put off: they come of what the program does, or keep things going here.
constexpr uint64_t kAtOnce = bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) | bit(SIGTRAP) |
                             bit(SIGSYS) | bit(SIGKILL) | bit(SIGSTOP) | bit(abi::kProbeSignal);

/// Without a handler they do nothing to the program, or stop and continue it.
constexpr uint64_t kHarmless = bit(SIGCHLD) | bit(SIGCONT) | bit(SIGURG) | bit(SIGWINCH) |
                               bit(SIGSTOP) | bit(SIGTSTP) | bit(SIGTTIN) | bit(SIGTTOU);

bool isAtOnce(int signal) {
  return (kAtOnce & bit(signal)) != 0;
}

bool isBefore(const ucontext_t *context) {
  auto pc = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
  return pc >= placeOf(__culprit_gate_begin) && pc <= placeOf(__culprit_gate_call);
}

/// Called by the kernel for a signal that the program has an action for.
void onArrival(int signal, siginfo_t *info, void *data) {
  auto *context = static_cast<ucontext_t *>(data);
  g_held.signal = signal;
  copyBytes(g_held.info, info, kInfoSize);
  g_held.hasMask = !g_isWaiting;
  g_held.mask = programMask(context);
  g_held.isThere = 1;
  uint64_t trap = maskOf(context) & bit(SIGILL);
  g_held.canAsk = g_held.hasMask && trap == 0;
  maskOf(context) = ~kAtOnce | trap;
  if (isBefore(context))
    context->uc_mcontext.gregs[REG_RIP] = toLong(placeOf(__culprit_gate_not_made));
  else if (g_held.canAsk && !g_isShort)
    askAfter(1);
}

[[noreturn]] void dieOf(int signal) {
  KernelAction none = {0, 0, 0, 0};
  rawSyscall(SYS_rt_sigaction, signal, address(&none), 0, kMaskSize);
  uint64_t mask = bit(signal);
  rawSyscall(SYS_rt_sigprocmask, SIG_UNBLOCK, address(&mask), 0, kMaskSize);
  for (;;)
    rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), signal);
}

/// Has the handler called when the context is returned to.
void enterHandler(int signal, const KernelAction &action, const siginfo_t *info, uint64_t mask,
                  ucontext_t *context) {
  uint64_t frame =
      copyFrame(context, (action.flags & SA_ONSTACK) != 0, info, mask, action.restorer);
  pointerTo<ucontext_t>(frame + 8)->uc_stack = g_programStack;
  resetFloatingPoint(context->uc_mcontext.fpregs);
  auto *registers = context->uc_mcontext.gregs;
  constexpr long kDirectionFlag = 0x400;
  constexpr uint64_t kContextSize = 304;
  registers[REG_RSP] = toLong(frame);
  registers[REG_RIP] = toLong(action.handler);
  registers[REG_RDI] = signal;
  registers[REG_RSI] = toLong(frame + 8 + kContextSize);
  registers[REG_RDX] = toLong(frame + 8);
  registers[REG_RAX] = 0;
  registers[REG_EFL] &= ~kDirectionFlag;
  uint64_t self = (action.flags & SA_NODEFER) != 0 ? 0 : bit(signal);
  setProgramMask(context, mask | action.mask | self);
}

void giveTo(int signal, siginfo_t *info, uint64_t mask, ucontext_t *context) {
  setProgramMask(context, mask);
  if (isFailureSignal(signal)) {
    // It comes when the context is returned to, and runtime/signals.cpp sees to it.
    g_given = signal;
    rawSyscall(SYS_rt_tgsigqueueinfo, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), signal,
               address(info));
    return;
  }
  KernelAction action = g_actions[signal];
  if (action.handler == 0)
    dieOf(signal);
  if (action.handler == 1)
    return;
  if ((action.flags & static_cast<uint64_t>(SA_RESETHAND)) != 0) {
    g_actions[signal].handler = 0;
    installAction(signal);
  }
  enterHandler(signal, action, info, mask, context);
}

/// The call is to be made again when the handler returns.
void stepBack(ucontext_t *context) {
  context->uc_mcontext.gregs[REG_RIP] -= 2;
}

} // namespace

uint64_t copyFrame(ucontext_t *context, bool wantsStack, const siginfo_t *info, uint64_t mask,
                   uint64_t restorer) {
  constexpr uint64_t kRedZone = 128;
  constexpr uint64_t kContextSize = 304; ///< of the kernel's structure, which ends with the mask
  auto stack = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RSP]);
  bool isEnabled = g_programStack.ss_size != 0;
  if (wantsStack && isEnabled && !isOnProgramStack(stack))
    stack = placeOf(g_programStack.ss_sp) + g_programStack.ss_size;
  else
    stack -= kRedZone;
  uint64_t size = sizeOfFloatingPoint(context->uc_mcontext.fpregs);
  stack = (stack - size) & ~uint64_t{63};
  uint64_t floating = stack;
  if (size != 0)
    copyCanonical(pointerTo<char>(floating), context->uc_mcontext.fpregs, size);
  uint64_t frame = ((stack - 8 - kContextSize - kInfoSize) & ~uint64_t{15}) - 8;
  *pointerTo<uint64_t>(frame) = restorer;
  auto *copy = pointerTo<ucontext_t>(frame + 8);
  copyBytes(copy, context, kContextSize);
  copy->uc_mcontext.fpregs = size == 0 ? nullptr : pointerTo<_libc_fpstate>(floating);
  maskOf(copy) = mask;
  auto &unwritten = copy->uc_mcontext.__reserved1; // the kernel leaves there what there was
  clearBytes(unwritten, sizeof unwritten);
  // What the last fault left there has nothing to do with this signal.
  bool isFault = info->si_code > 0 && isAtOnce(info->si_signo);
  constexpr int kStale[] = {REG_ERR, REG_TRAPNO, REG_OLDMASK, REG_CR2};
  for (int stale : kStale)
    if (!isFault)
      copy->uc_mcontext.gregs[stale] = 0;
  copyBytes(pointerTo<char>(frame + 8 + kContextSize), info, kInfoSize);
  return frame;
}

bool isOnProgramStack(uint64_t stack) {
  return stack - placeOf(g_programStack.ss_sp) < g_programStack.ss_size;
}

bool isFailureSignal(int signal) {
  constexpr uint64_t kFailures = bit(SIGSEGV) | bit(SIGBUS) | bit(SIGFPE) | bit(SIGILL) |
                                 bit(SIGABRT) | bit(SIGTRAP) | bit(SIGSYS) | bit(abi::kProbeSignal);
  return (kFailures & bit(signal)) != 0;
}

KernelAction &programAction(int signal) {
  return g_actions[signal];
}

void installAction(int signal) {
  if (g_role != Role::Recording || isFailureSignal(signal))
    return;
  KernelAction action = {g_actions[signal].handler, 0, 0, 0};
  bool isPutOff = action.handler > 1 || (action.handler == 0 && (kHarmless & bit(signal)) == 0);
  if (isPutOff)
    action = {placeOf(reinterpret_cast<void *>(&onArrival)), SA_SIGINFO | SA_ONSTACK | kRestorer,
              placeOf(reinterpret_cast<void *>(&__culprit_recorder_return)), ~uint64_t{0}};
  // Whether children become zombies is said by the flags of the action.
  action.flags |= g_actions[signal].flags & (SA_NOCLDWAIT | SA_NOCLDSTOP);
  rawSyscall(SYS_rt_sigaction, signal, address(&action), 0, kMaskSize);
}

uint64_t ignoredSignals() {
  uint64_t ignored = 0;
  for (int signal = 1; signal <= kSignals; ++signal) {
    KernelAction action = {0, 0, 0, 0};
    rawSyscall(SYS_rt_sigaction, signal, 0, address(&action), kMaskSize);
    ignored |= action.handler == 1 ? bit(signal) : 0;
  }
  return ignored;
}

void startSignals(uint64_t ignored) {
  for (int signal = 1; signal <= kSignals; ++signal) {
    g_actions[signal] = {(ignored & bit(signal)) != 0 ? uint64_t{1} : 0, 0, 0, 0};
    if (signal != SIGKILL && signal != SIGSTOP)
      installAction(signal);
  }
}

void restoreActions() {
  for (int signal = 1; signal <= kSignals; ++signal)
    if (!isFailureSignal(signal))
      rawSyscall(SYS_rt_sigaction, signal, address(&g_actions[signal]), 0, kMaskSize);
}

bool isHeld() {
  return g_held.isThere != 0;
}

bool restartsCalls() {
  return (g_actions[g_held.signal].flags & SA_RESTART) != 0;
}

long makeInterruptible(const ProgramCall &call, uint64_t mask) {
  g_isWaiting = true;
  setMask(mask);
  long result = __culprit_gate(&call, &g_held.isThere);
  blockAll();
  g_isWaiting = false;
  return result;
}

long makeShortly(const ProgramCall &call) {
  return __culprit_gate(&call, &g_held.isThere);
}

ShortTime::ShortTime() {
  g_isShort = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

ShortTime::~ShortTime() {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  g_isShort = false;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (isHeld() && g_held.canAsk)
    askAfter(1);
}

bool deliver(abi::SignalMoment moment, ucontext_t *context) {
  abi::SignalEvent event;
  if (g_role == Role::Recording) {
    if (!g_held.isThere)
      return false;
    g_held.isThere = 0;
    if (moment != abi::SignalMoment::AtClock && sharedState().isSaved)
      clockAsked();
    event.event.flags = static_cast<uint8_t>(moment);
    event.signal = static_cast<uint64_t>(g_held.signal);
    event.mask = g_held.hasMask ? g_held.mask : programMask(context);
    copyBytes(event.info, g_held.info, kInfoSize);
    addEvent(event.event, abi::EventKind::Signal, sizeof event);
  } else {
    const abi::Event *next = nextEvent();
    if (!next || next->kind != abi::EventKind::Signal)
      return false;
    if (next->flags == static_cast<uint8_t>(abi::SignalMoment::AtEnd) &&
        next->clock <= clockNow() && moment != abi::SignalMoment::AfterCall)
      dieOf(SIGKILL);
    if (next->flags != static_cast<uint8_t>(moment) || next->clock != clockNow())
      return false;
    const auto &recorded = *reinterpret_cast<const abi::SignalEvent *>(next);
    event.signal = recorded.signal;
    event.mask = recorded.mask;
    copyBytes(event.info, recorded.info, kInfoSize);
    abi::ReplayCall seen;
    clearBytes(&seen, sizeof seen);
    expectEvent(abi::EventKind::Signal, seen, context);
    noteTimerSignal(static_cast<int>(event.signal));
  }
  if (moment == abi::SignalMoment::BeforeCall)
    stepBack(context);
  giveTo(static_cast<int>(event.signal), reinterpret_cast<siginfo_t *>(event.info), event.mask,
         context);
  prepareClock();
  return true;
}

/// The last byte of the trap that the program has come to; 0: it is none of ours.
static uint8_t trapAt(const ucontext_t *context) {
  static constexpr unsigned char kTrap[] = {0x67, 0x0f, 0xb9, 0x40};
  const auto *code =
      pointerTo<const unsigned char>(static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]));
  for (uint64_t i = 0; i < sizeof kTrap; ++i)
    if (code[i] != kTrap[i])
      return 0;
  return code[sizeof kTrap];
}

static bool isIllegal(int signal, const siginfo_t *info) {
  return signal == SIGILL && info->si_code > 0;
}

/// A recording that was cut off: for so long the program may go on by itself without a call, for it
/// may come to where it failed; but it may also wait in a loop for a signal that was not recorded.
static uint64_t g_cutOff;

static void endIfCutOff(const ucontext_t *context) {
  if (g_cutOff == 0 || clockNow() < g_cutOff)
    return;
  abi::ReplayCall seen;
  clearBytes(&seen, sizeof seen);
  seen.clock = clockNow();
  endReplay(abi::ReplayEnd::Exhausted, abi::ReplayDifference::Kind, seen, context);
}

static void answer(ucontext_t *context) {
  clockAsked();
  endIfCutOff(context);
  if (!leaveIfDue(context) && !deliver(abi::SignalMoment::AtClock, context))
    prepareClock();
}

extern "C" bool __culprit_recorder_takes(int signal, siginfo_t *info, void *data) {
  auto *context = static_cast<ucontext_t *>(data);
  uint8_t trap = isIllegal(signal, info) ? trapAt(context) : 0;
  if (trap == abi::kTrapAsk || (trap != 0 && answerProcessorTrap(trap, context))) {
    context->uc_mcontext.gregs[REG_RIP] += 5;
    if (trap == abi::kTrapAsk)
      answer(context);
    return true;
  }
  if (isIllegal(signal, info) && moveToSlot(context))
    return true;
  if (signal == SIGSEGV && info->si_code == SI_KERNEL && readTimeStamp(context))
    return true;
  bool isSent = info->si_code <= 0 && signal != abi::kProbeSignal;
  if (!isSent || g_role != Role::Recording)
    return false;
  if (g_given == signal) {
    g_given = 0;
    return false;
  }
  onArrival(signal, info, data);
  return true;
}

extern "C" uint64_t __culprit_move_frame(void *data, const struct sigaction *action,
                                         const siginfo_t *info, uint64_t restorer) {
  bool wantsStack = (action->sa_flags & SA_ONSTACK) != 0;
  auto *context = static_cast<ucontext_t *>(data);
  auto stack = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RSP]);
  bool isBlocked = info->si_signo == SIGILL && (action->sa_flags & SA_NODEFER) == 0;
  if (isBlocked) // no trap from here on: what has come waits for a call
    clockAsked();
  if (wantsStack && (g_programStack.ss_size == 0 || isOnProgramStack(stack)))
    return 0;
  return copyFrame(context, wantsStack, info, maskOf(context), restorer);
}

extern "C" void __culprit_recorder_lets(int signal) {
  g_given = signal;
}

void prepareClock() {
  if (g_role != Role::Replaying)
    return;
  uint64_t now = clockNow();
  uint64_t stop = UINT64_MAX;
  const abi::Event *next = nextEvent();
  if (next && next->kind == abi::EventKind::Signal) {
    bool isEnd = next->flags == static_cast<uint8_t>(abi::SignalMoment::AtEnd);
    bool isAtPoint = isEnd || next->flags == static_cast<uint8_t>(abi::SignalMoment::AtClock);
    if (next->clock > now && isAtPoint)
      stop = next->clock;
    else if (isEnd)
      stop = now + 1;
  }
  constexpr uint64_t kMore = 100'000'000;
  if (!next && g_cutOff == 0)
    g_cutOff = now + now + kMore;
  if (!next && g_cutOff > now)
    stop = g_cutOff;
  if (isLeaving() && leavingClock() > now && leavingClock() < stop)
    stop = leavingClock();
  if (stop != UINT64_MAX)
    askAfter(stop - now);
}

} // namespace culprit

// The call that signals may interrupt. One that comes before the kernel has it finds the program
// counter between `begin` and `call`, and moves it on.
asm(R"(
  .pushsection culprit_text,"ax",@progbits
  .hidden __culprit_gate, __culprit_gate_begin, __culprit_gate_call, __culprit_gate_not_made
  .globl __culprit_gate, __culprit_gate_begin, __culprit_gate_call, __culprit_gate_not_made
  .type __culprit_gate, @function
__culprit_gate:
  pushq %rbx
  movq %rsi, %rbx
  movq %rdi, %r11
  movq (%r11), %rax
  movq 8(%r11), %rdi
  movq 16(%r11), %rsi
  movq 24(%r11), %rdx
  movq 32(%r11), %r10
  movq 40(%r11), %r8
  movq 48(%r11), %r9
__culprit_gate_begin:
  cmpl $0, (%rbx)
  jne __culprit_gate_not_made
__culprit_gate_call:
  syscall
  popq %rbx
  ret
__culprit_gate_not_made:
  movq $-512, %rax
  popq %rbx
  ret
  .size __culprit_gate, .-__culprit_gate

  .hidden __culprit_recorder_return
  .globl __culprit_recorder_return
  .type __culprit_recorder_return, @function
  nop
__culprit_recorder_return:
  movq $15, %rax
  syscall
  .size __culprit_recorder_return, .-__culprit_recorder_return
  .popsection
)");

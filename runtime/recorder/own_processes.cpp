// Processes: children leave the recording, other programs end it, and so does a thread.
//
// A child of fork() has memory of its own and goes on unrecorded. A child of vfork(), and of
// posix_spawn() and so popen() and system(), runs in the program's memory while the program waits:
// what it does there is recorded as if the program did it, between two events of the call that made
// it: the first returns 0, the second the child's number. In a replay there is no child; the
// program itself does its part, up to where the child became another program or ended.
#include "runtime/recorder/arrivals.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/mapped_files.h"
#include "runtime/recorder/time_stamp.h"

#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
long __culprit_vfork(const culprit::ProgramCall *call, void *context, uint64_t childStack);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {
namespace {

constexpr uint64_t kRegisters = 23 * sizeof(uint64_t);
constexpr uint64_t kChildStackSize = 64 << 10;

/// The program, while a child runs in its memory.
struct Parent {
  bool isWaiting;
  char registers[kRegisters];
  uint64_t mask;
  stack_t stack;
};
Parent g_parent;
alignas(64) char g_childStack[kChildStackSize];   ///< for the child's first steps
alignas(64) char g_childSignals[kChildStackSize]; ///< for its system calls

void saveParent(const ucontext_t *context) {
  copyBytes(g_parent.registers, context->uc_mcontext.gregs, kRegisters);
  g_parent.mask = programMask(const_cast<ucontext_t *>(context));
  g_parent.stack = context->uc_stack;
  g_parent.isWaiting = true;
}

void restoreParent(ucontext_t *context) {
  copyBytes(context->uc_mcontext.gregs, g_parent.registers, kRegisters);
  setProgramMask(context, g_parent.mask);
  context->uc_stack = g_parent.stack;
  g_parent.isWaiting = false;
}

void enterChild(const ProgramCall &call, ucontext_t *context) {
  context->uc_mcontext.gregs[REG_RAX] = 0;
  if (call.number == SYS_clone && call.arguments[1] != 0)
    context->uc_mcontext.gregs[REG_RSP] = toLong(call.arguments[1]);
}

CallRow rowFor(const ProgramCall &call) {
  CallRow row = *findCall(call.number);
  if (call.number == SYS_clone && (call.arguments[0] & CLONE_PARENT_SETTID) != 0)
    row.effects[0] = {EffectRule::Fixed, 2, 0, 4};
  return row;
}

void add(const CallRow &row, const ProgramCall &call, long result) {
  addCall(row, call, lengthsBefore(row, call), result, -1);
}

long recordVfork(const ProgramCall &call, ucontext_t *context) {
  CallRow row = rowFor(call);
  if (sharesFiles()) {
    stopRecording(abi::StopReason::SharedMemory, 0);
    return repeatNatively(call, context);
  }
  rememberMapped();
  add(*findCall(call.number), call, 0);
  saveParent(context);
  ProgramCall own = call;
  own.arguments[1] = 0;
  if (call.number == SYS_vfork)
    own = {SYS_clone, {CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0, 0}};
  long child = __culprit_vfork(&own, context, placeOf(g_childStack) + kChildStackSize);
  restoreParent(context);
  add(row, call, child);
  return child;
}

long recordFork(const ProgramCall &call, ucontext_t *context) {
  if (isSharing()) {
    stopRecording(abi::StopReason::SharedMemory, 0);
    return repeatNatively(call, context);
  }
  CallRow row = rowFor(call);
  rememberMapped();
  ProgramCall own = call;
  if (call.number == SYS_clone)
    own.arguments[1] = 0;
  long child = makeCall(own);
  if (child == 0) {
    leaveRecording();
    enterChild(call, context);
    maskOf(context) |= g_seemingMask;
    if (g_programStack.ss_size != 0)
      context->uc_stack = g_programStack;
    return kContextChanged;
  }
  add(row, call, child);
  return child;
}

long carryOutClone(const ProgramCall &call, ucontext_t *context) {
  uint64_t flags = call.number == SYS_clone ? call.arguments[0] : 0;
  bool isShared = call.number == SYS_vfork || (flags & CLONE_VM) != 0;
  bool isWaiting = call.number == SYS_vfork || (flags & CLONE_VFORK) != 0;
  if ((isShared && !isWaiting) || g_parent.isWaiting) {
    if (g_role == Role::Replaying)
      expectCall(call, context);
    stopRecording(abi::StopReason::Thread, 0);
    return repeatNatively(call, context);
  }
  if (g_role == Role::Recording)
    return isShared ? recordVfork(call, context) : recordFork(call, context);
  const abi::CallEvent *event = expectCall(call, context);
  applyWritten(*event);
  if (event->result != 0 || !isShared)
    return event->result;
  saveParent(context);
  enterChild(call, context);
  return kContextChanged;
}

long carryOutExecute(const ProgramCall &call, ucontext_t *context) {
  const CallRow &row = *findCall(call.number);
  if (g_role == Role::Replaying)
    return expectCall(call, context)->result;
  abi::RecordingState &state = sharedState();
  allowTimeStamps(true);
  uint64_t mask = programMask(context);
  if (!g_parent.isWaiting)
    __atomic_store_n(&state.isActive, 2, __ATOMIC_RELEASE);
  setMask(mask);
  long result = makeCall(call);
  blockAll();
  __atomic_store_n(&state.isActive, 1, __ATOMIC_RELEASE);
  allowTimeStamps(false);
  add(row, call, result);
  return result;
}

long carryOutExit(const ProgramCall &call, ucontext_t *context) {
  if (!g_parent.isWaiting && g_role == Role::Recording && isMappedChanged()) {
    stopRecording(abi::StopReason::ChangedByOthers, 0);
    return repeatNatively(call, context);
  }
  if (!g_parent.isWaiting)
    digestNow(context);
  if (g_role == Role::Recording) {
    add(*findCall(call.number), call, 0);
    if (!g_parent.isWaiting)
      __atomic_store_n(&sharedState().isActive, 0, __ATOMIC_RELEASE);
  } else {
    expectCall(call, context);
    if (leaveChildIfEnded(context))
      return kContextChanged;
  }
  for (;;)
    makeCall(call);
}

} // namespace

bool isInChild() {
  return g_parent.isWaiting;
}

/// The second event of the call that made the child.
bool leaveChildIfEnded(ucontext_t *context) {
  if (g_role != Role::Replaying || !g_parent.isWaiting)
    return false;
  const abi::Event *next = nextEvent();
  if (!next || next->kind != abi::EventKind::Call)
    return false;
  const auto *event = reinterpret_cast<const abi::CallEvent *>(next);
  bool isEnd = (event->number == SYS_clone || event->number == SYS_vfork) && event->result != 0;
  if (!isEnd)
    return false;
  ProgramCall call = {event->number, {}};
  copyBytes(call.arguments, event->arguments, sizeof call.arguments);
  restoreParent(context);
  applyWritten(*expectCall(call, context));
  context->uc_mcontext.gregs[REG_RAX] = event->result;
  digestIfDue(context);
  return true;
}

/// The child's first steps, on a stack of its own; goes on in the program.
extern "C" __attribute__((used, visibility("hidden"), noreturn)) void
__culprit_in_child(ucontext_t *context) { // NOLINT(bugprone-reserved-identifier)
  startDispatch();
  allowTimeStamps(false);
  const auto *registers = context->uc_mcontext.gregs;
  ProgramCall call = {toLong(static_cast<uint64_t>(registers[REG_RAX])),
                      {static_cast<uint64_t>(registers[REG_RDI]),
                       static_cast<uint64_t>(registers[REG_RSI]), 0, 0, 0, 0}};
  enterChild(call, context);
  context->uc_stack.ss_sp = g_childSignals;
  context->uc_stack.ss_size = kChildStackSize;
  context->uc_stack.ss_flags = 0;
  rawSyscall(SYS_sigaltstack, address(&context->uc_stack), 0);
  asm volatile("movq %0, %%rsp\n\tmovq $15, %%rax\n\tsyscall" : : "r"(context) : "memory");
  __builtin_unreachable();
}

long ownProcess(const ProgramCall &call, ucontext_t *context) {
  switch (call.number) {
  case SYS_clone:
  case SYS_fork:
  case SYS_vfork:
    return carryOutClone(call, context);
  case SYS_execve:
  case SYS_execveat:
    return carryOutExecute(call, context);
  case SYS_clone3: // whoever calls it knows what to do without
    return -ENOSYS;
  default:
    return carryOutExit(call, context);
  }
}

} // namespace culprit

asm(R"(
  .pushsection culprit_text,"ax",@progbits
  .hidden __culprit_vfork
  .globl __culprit_vfork
  .type __culprit_vfork, @function
__culprit_vfork:
  pushq %rbx
  pushq %rbp
  movq %rsi, %rbx
  movq %rdx, %rbp
  movq %rdi, %r11
  movq (%r11), %rax
  movq 8(%r11), %rdi
  movq 16(%r11), %rsi
  movq 24(%r11), %rdx
  movq 32(%r11), %r10
  movq 40(%r11), %r8
  syscall
  testq %rax, %rax
  jnz 1f
  movq %rbp, %rsp
  movq %rbx, %rdi
  xorl %ebp, %ebp
  call __culprit_in_child
1:
  popq %rbp
  popq %rbx
  ret
  .size __culprit_vfork, .-__culprit_vfork
  .popsection
)");

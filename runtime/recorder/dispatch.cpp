// Where the program's system calls arrive.
//
// The kernel's Syscall User Dispatch turns every system call of this thread into SIGSYS, except
// those that the runtime makes itself: its code lies in a section of its own (runtime/state.h),
// from which calls are let through. So the calls of the dynamic loader, of libc, of libraries and
// of the program's own assembler are all seen, and none of the runtime's.
#include "runtime/recorder/dispatch.h"

#include "runtime/recorder/arrivals.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/leave.h"
#include "runtime/recorder/mapped_files.h"
#include "runtime/recorder/mirror.h"
#include "runtime/recorder/paths.h"
#include "runtime/recorder/shortcut.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

// The section's bounds; the linker knows them.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
__attribute__((visibility("hidden"))) extern const char __start_culprit_text[];
__attribute__((visibility("hidden"))) extern const char __stop_culprit_text[];
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {

uint64_t g_seemingMask;

namespace {

void writeOut(void *data, uint64_t place, uint64_t size) {
  int output = keptOutput(*static_cast<int *>(data));
  while (size > 0) {
    long done = rawSyscall(SYS_write, output, toLong(place), toLong(size));
    if (done <= 0 && done != -EINTR && done != -EAGAIN)
      return;
    if (done > 0) {
      place += static_cast<uint64_t>(done);
      size -= static_cast<uint64_t>(done);
    }
  }
}

long replayTold(const CallRow &row, const ProgramCall &call, ucontext_t *context) {
  const abi::CallEvent *event = expectCall(call, context);
  applyWritten(*event);
  uint64_t sent = hashSent(row, call, event->result);
  if (sent != event->input) {
    abi::ReplayCall seen = describeCall(call);
    seen.input = sent;
    endReplay(abi::ReplayEnd::Diverged, abi::ReplayDifference::Input, seen, context);
  }
  trackMade(call, event->result, event->event.flags);
  notePaths(call, event->result);
  if (!isNotingPaths())
    writeOutput(row, call, event->result);
  return event->result;
}

/// Adds a call that was made, unless it is made again after a signal.
long noteMade(const CallRow &row, const ProgramCall &call, const Lengths &lengths, long result,
              ucontext_t *context) {
  bool isRestarted = result == kNotMade || (result == -EINTR && isHeld() &&
                                            (row.flags & Restarts) != 0 && restartsCalls());
  if (isRestarted && deliver(abi::SignalMoment::BeforeCall, context))
    return kContextChanged;
  noteOpened(call, result);
  if (opensMemory(call, result))
    stopBehind(abi::StopReason::OwnMemory, 0, context);
  else if (hasWaited(call, result) && isMappedChanged())
    stopBehind(abi::StopReason::ChangedByOthers, 0, context);
  else if (isHalfWritten(row, result))
    stopBehind(abi::StopReason::BadMemory, static_cast<uint64_t>(call.number), context);
  else
    addCall(row, call, lengths, result, -1);
  return result;
}

long recordTold(const CallRow &row, const ProgramCall &call, ucontext_t *context) {
  if (movesToOutput(call)) {
    stopRecording(abi::StopReason::UnknownCall, static_cast<uint64_t>(call.number));
    return repeatNatively(call, context);
  }
  if (changesMapped(call)) {
    stopRecording(abi::StopReason::MappedFile, call.arguments[0]);
    return repeatNatively(call, context);
  }
  Lengths lengths = lengthsBefore(row, call);
  bool lets = (row.flags & Waits) != 0;
  long result = lets ? makeInterruptible(call, maskOf(context)) : makeCall(call);
  return noteMade(row, call, lengths, result, context);
}

/// Made in both: it changes the process's own memory.
long carryOutAgain(const CallRow &row, const ProgramCall &call, ucontext_t *context) {
  if (g_role == Role::Recording) {
    if (call.number == SYS_madvise && call.arguments[2] == MADV_REMOVE) { // changes a file, too
      stopRecording(abi::StopReason::UnknownRequest, call.arguments[2]);
      return repeatNatively(call, context);
    }
    Lengths lengths = lengthsBefore(row, call);
    long result = makeCall(call);
    if (call.number == SYS_munmap && result == 0)
      forgetMapped(call.arguments[0], call.arguments[1]);
    if (call.number == SYS_mprotect && result == 0 && (call.arguments[2] & PROT_WRITE) != 0)
      noteWritable(call.arguments[0], call.arguments[1]);
    addCall(row, call, lengths, result, -1);
    return result;
  }
  const abi::CallEvent *event = expectCall(call, context);
  if (event->result < 0)
    return event->result;
  ProgramCall own = call;
  // One that fails says where the memory ends; here it might not fail.
  if (call.number == SYS_brk && static_cast<uint64_t>(event->result) != call.arguments[0])
    own.arguments[0] = 0;
  long result = makeCall(own);
  if (result != event->result)
    endReplay(abi::ReplayEnd::Diverged, abi::ReplayDifference::Result, describeCall(call), context);
  return result;
}

long carryOutOwn(const ProgramCall &call, ucontext_t *context) {
  switch (call.number) {
  case SYS_mmap:
  case SYS_mremap:
  case SYS_mincore:
    return ownMapping(call, context);
  case SYS_rt_sigaction:
  case SYS_rt_sigprocmask:
  case SYS_rt_sigreturn:
  case SYS_sigaltstack:
    return ownSignals(call, context);
  case SYS_ioctl:
  case SYS_fcntl:
  case SYS_prctl:
  case SYS_arch_prctl:
  case SYS_timer_create:
  case SYS_futex:
    return ownRequest(call, context);
  case SYS_rseq: // the kernel would write to the program's memory whenever it likes
  case SYS_io_uring_setup:
    return -ENOSYS;
  default:
    return ownProcess(call, context);
  }
}

long carryOut(const ProgramCall &call, ucontext_t *context) {
  const CallRow *row = findCall(call.number);
  if (deliver(abi::SignalMoment::BeforeCall, context))
    return kContextChanged;
  if (!row || row->way == Way::Refused) {
    if (g_role == Role::Replaying)
      expectCall(call, context);
    stopRecording(abi::StopReason::UnknownCall, static_cast<uint64_t>(call.number));
    return repeatNatively(call, context);
  }
  if (row->way == Way::Told)
    return carryOutTold(*row, call, context);
  if (row->way == Way::Again)
    return carryOutAgain(*row, call, context);
  return carryOutOwn(call, context);
}

/// Somebody has sent SIGSYS, or a filter of the program's has: it ends the program, as soon as the
/// context is returned to.
void dieOf(int signal) {
  KernelAction none = {0, 0, 0, 0};
  rawSyscall(SYS_rt_sigaction, signal, address(&none), 0, kMaskSize);
  rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), rawSyscall(SYS_gettid), signal);
}

ProgramCall callIn(const ucontext_t &context) {
  const auto *registers = reinterpret_cast<const uint64_t *>(context.uc_mcontext.gregs);
  ProgramCall call = {static_cast<long>(registers[REG_RAX]),
                      {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                       registers[REG_R10], registers[REG_R8], registers[REG_R9]}};
  const CallRow *row = findCall(call.number);
  return row ? usedArguments(*row, call) : call;
}

/// Makes the call, or finishes one that was made without a signal.
long carryOutOrFinish(const ProgramCall &call, ucontext_t *context) {
  const MadeCall *made = takeMade();
  return made ? noteMade(*findCall(made->call.number), made->call, made->lengths, made->result,
                         context)
              : carryOut(call, context);
}

void onCall(const ProgramCall &call, ucontext_t *context) {
  if (g_role == Role::Off) {
    context->uc_mcontext.gregs[REG_RAX] = makeCall(call);
    return;
  }
  if (leaveChildIfEnded(context))
    return;
  if (leaveIfDue(context)) {
    repeatNatively(call, context);
    return;
  }
  long result = carryOutOrFinish(call, context);
  if (result == kContextChanged) {
    prepareClock();
    return;
  }
  context->uc_mcontext.gregs[REG_RAX] = result;
  if (g_role == Role::Off)
    return;
  if (!isInChild()) {
    if (isLeaving())
      mirrorCall(*findCall(call.number), call, result);
    trackDescriptors(call, result);
  }
  digestIfDue(context);
  if (!deliver(abi::SignalMoment::AfterCall, context))
    checkpointIfWanted(context);
  if (leaveIfDue(context))
    return;
  prepareClock();
}

bool isPlain(const ProgramCall &call) {
  const CallRow *row = findCall(call.number);
  return row && row->way == Way::Told;
}

} // namespace

ProgramCall usedArguments(const CallRow &row, ProgramCall call) {
  for (int i = row.arguments; i < 6; ++i)
    call.arguments[i] = 0;
  return call;
}

bool movesToOutput(const ProgramCall &call) {
  if (call.number == SYS_sendfile)
    return outputOf(call.arguments[0]) != 0;
  if (call.number == SYS_tee)
    return outputOf(call.arguments[1]) != 0;
  return (call.number == SYS_splice || call.number == SYS_copy_file_range) &&
         outputOf(call.arguments[2]) != 0;
}

void writeOutput(const CallRow &row, const ProgramCall &call, long result) {
  int output = outputOf(call.arguments[0]);
  if ((row.flags & Sends) != 0 && output != 0)
    forEachSent(row, call, result, writeOut, &output);
}

uint64_t &maskOf(ucontext_t *context) {
  return *reinterpret_cast<uint64_t *>(&context->uc_sigmask);
}

uint64_t programMask(ucontext_t *context) {
  return maskOf(context) | g_seemingMask;
}

void setProgramMask(ucontext_t *context, uint64_t mask) {
  constexpr uint64_t kNeeded =
      uint64_t{1} << (SIGSYS - 1) | uint64_t{1} << (SIGSEGV - 1) | uint64_t{1} << (SIGILL - 1);
  g_seemingMask = mask & kNeeded;
  maskOf(context) = mask & ~kNeeded;
}

void goOnNatively(ucontext_t *context) {
  if (g_programStack.ss_size != 0)
    context->uc_stack = g_programStack;
  maskOf(context) |= g_seemingMask;
}

long repeatNatively(const ProgramCall &call, ucontext_t *context) {
  context->uc_mcontext.gregs[REG_RAX] = call.number;
  context->uc_mcontext.gregs[REG_RIP] -= 2;
  goOnNatively(context);
  return kContextChanged;
}

void stopBehind(abi::StopReason reason, uint64_t detail, ucontext_t *context) {
  stopRecording(reason, detail);
  goOnNatively(context);
}

long carryOutTold(const CallRow &row, const ProgramCall &call, ucontext_t *context) {
  return g_role == Role::Replaying ? replayTold(row, call, context)
                                   : recordTold(row, call, context);
}

/// Called by the kernel for a system call of the program.
extern "C" __attribute__((visibility("hidden"))) void
__culprit_on_call(int, siginfo_t *info, void *data) { // NOLINT(bugprone-reserved-identifier)
  auto *context = static_cast<ucontext_t *>(data);
  constexpr int kHandedOver = 2; // SYS_USER_DISPATCH
  if (info->si_code != kHandedOver) {
    dieOf(SIGSYS);
    return;
  }
  ProgramCall call = callIn(*context);
  const Slot *slot = hideSlot(context);
  if (!slot && g_role != Role::Off && isPlain(call))
    noteSignalled(context);
  onCall(call, context);
  if (slot)
    showSlot(*slot, context);
  else // the place has just been changed, or a handler returns to one; the trap may be blocked
    moveToSlot(context);
}

bool startDispatch() {
  constexpr long kDispatch = 59; // PR_SET_SYSCALL_USER_DISPATCH
  constexpr long kOn = 1;
  return rawSyscall(SYS_prctl, kDispatch, kOn, address(__start_culprit_text),
                    __stop_culprit_text - __start_culprit_text, 0) == 0;
}

void stopDispatch() {
  constexpr long kDispatch = 59;
  rawSyscall(SYS_prctl, kDispatch, 0, 0, 0, 0);
}

} // namespace culprit

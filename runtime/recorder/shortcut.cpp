// See shortcut.h.
//
// Signals are not blocked here, as they are in dispatch.cpp: that would take two more calls. One
// that comes is only noted (arrivals.h), and the call is then finished by signal, where the program
// can be given it.
#include "runtime/recorder/shortcut.h"

#include "runtime/recorder/arrivals.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/leave.h"
#include "runtime/recorder/mapped_files.h"
#include "runtime/recorder/paths.h"

#include <stddef.h>

namespace culprit {
namespace {

/// The program's registers, as the assembler below has put them there.
struct ShortcutFrame {
  ProgramCall call; ///< the first word becomes the result
  const Slot *slot;
  uint64_t next;
  uint64_t flags;
  uint64_t stack;
};

MadeCall g_made;
bool g_isMade;

bool recordShortly(const CallRow &row, const ProgramCall &call, long &result) {
  if (isCheckpointWanted() || movesToOutput(call) || changesMapped(call) || isLookedAt(call))
    return false;
  g_made.lengths = lengthsBefore(row, call);
  result = makeShortly(call);
  if (result == kNotMade)
    return false;
  if (isHeld() || isHalfWritten(row, result)) {
    g_made.call = call;
    g_made.result = result;
    g_isMade = true;
    return false;
  }
  addCall(row, call, g_made.lengths, result, -1);
  return true;
}

bool replayShortly(const CallRow &row, const ProgramCall &call, long &result) {
  const abi::CallEvent *event = findPlainCall(call);
  if (!event || isLeaving() || isNotingPaths())
    return false;
  applyWritten(*event);
  if (hashSent(row, call, event->result) != event->input)
    return false;
  takePlainCall();
  result = event->result;
  trackMade(call, result, event->event.flags);
  writeOutput(row, call, result);
  return true;
}

} // namespace

const MadeCall *takeMade() {
  if (!g_isMade)
    return nullptr;
  g_isMade = false;
  return &g_made;
}

/// Whether the call was made; else it is to come by signal.
extern "C" __attribute__((used, visibility("hidden"))) bool
__culprit_on_shortcut(ShortcutFrame *frame) { // NOLINT(bugprone-reserved-identifier)
  const CallRow *row = findCall(frame->call.number);
  if (!row || row->way != Way::Told || isInChild() || isDigestDue())
    return false;
  ProgramCall call = usedArguments(*row, frame->call);
  long result = 0;
  ShortTime time;
  if (isHeld() || !(g_role == Role::Recording ? recordShortly(*row, call, result)
                                              : replayShortly(*row, call, result)))
    return false;
  trackDescriptors(call, result);
  countCall();
  frame->call.number = result;
  return true;
}

} // namespace culprit

// From a slot, whose address is in %rcx, with the program's registers; a call may change %rcx and
// %r11, which the kernel leaves as is done here. The program's stack is not touched: what is below
// it may be in use. The rules for unwinding find the program's registers in the frame; an unwinder
// looks for them one byte before the return address.
asm(R"(
  .pushsection culprit_state,"aw",@nobits
  .balign 16
__culprit_shortcut_room:
  .skip 65536
__culprit_shortcut_top:
__culprit_shortcut_stack:
  .skip 8
__culprit_shortcut_target:
  .skip 8
  .popsection
  .pushsection culprit_text,"ax",@progbits
  .hidden __culprit_shortcut
  .globl __culprit_shortcut
  .type __culprit_shortcut, @function
__culprit_shortcut:
  .cfi_startproc
  .cfi_signal_frame
  .cfi_escape 0x0f, 4, 0x77, 0xd8, 0x00, 0x06
  .cfi_escape 0x10, 16, 3, 0x77, 0xc8, 0x00
  movq %rsp, __culprit_shortcut_stack
  movq $__culprit_shortcut_top, %rsp
  pushq __culprit_shortcut_stack
  pushfq
  pushq 40(%rcx)
  pushq %rcx
  pushq %r9
  pushq %r8
  pushq %r10
  pushq %rdx
  pushq %rsi
  pushq %rdi
  pushq %rax
  leaq (%rsp), %rdi
  subq $8, %rsp
  cld
  call __culprit_on_shortcut
  movzbl %al, %eax
  movq 64(%rsp), %rcx
  leaq 23(%rcx,%rax,2), %rcx
  movq %rcx, __culprit_shortcut_target
  addq $8, %rsp
  popq %rax
  popq %rdi
  popq %rsi
  popq %rdx
  popq %r10
  popq %r8
  popq %r9
  popq %rcx
  popq %rcx
  movq (%rsp), %r11
  popfq
  popq %rsp
  jmpq *__culprit_shortcut_target
  .cfi_endproc
  .size __culprit_shortcut, .-__culprit_shortcut
  .popsection
)");

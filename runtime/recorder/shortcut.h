// System calls of the program without a signal.
//
// A signal costs many times what most calls do. So code that makes calls again and again is changed
// (shortcut_sites.cpp): it jumps to the recorder, which makes the call as it would have otherwise,
// or takes it from the recording, and goes back. What is not plain is left to the signal: a slot's
// own `syscall` instruction follows, and dispatch.cpp sees the call as if nothing had been changed.
// The program cannot tell: registers and stack are as after the signal.
#ifndef CULPRIT_RUNTIME_RECORDER_SHORTCUT_H
#define CULPRIT_RUNTIME_RECORDER_SHORTCUT_H

#include "runtime/recorder/session.h"

namespace culprit {

/// Code near a changed place of the program's. The assembler of shortcut.cpp knows the distances.
struct alignas(64) Slot {
  unsigned char enter[23]; ///< to the recorder; on to the call if nothing is recorded
  unsigned char call[2];   ///< `syscall`, as the program had it
  unsigned char rest[15];  ///< the comparison that the program had behind it, and a jump back
  uint64_t next;           ///< behind the instruction that was the program's; 0: a free slot
};

/// A plain call has come by signal: if its place has done so often, it is changed.
void noteSignalled(const ucontext_t *context);

/// If a slot has made the call, the context seems to be at the program's own instruction from now
/// on. Returns the slot, or null.
const Slot *hideSlot(ucontext_t *context);
/// The program goes on behind its call: in the slot, for its own instructions are changed.
void showSlot(const Slot &slot, ucontext_t *context);
/// The program has come to the middle of a changed place by another way, and has trapped there.
bool moveToSlot(ucontext_t *context);

/// Code of the executable, which may be changed.
void addProgramCode(uint64_t begin, uint64_t size);

/// Calls come to the recorder without a signal from now on, or not any more.
void allowShortcuts(bool isAllowed);

/// A call that was made without a signal and is finished with one: a signal for the program came
/// meanwhile.
struct MadeCall {
  ProgramCall call;
  Lengths lengths;
  long result;
};
/// Null: the call that has come is still to be made.
const MadeCall *takeMade();

} // namespace culprit
#endif

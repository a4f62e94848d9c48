// The runtime's side of recordings: what the rest of it asks of runtime/recorder, which is linked
// only into builds of mode `record`. Without it, or when nothing is recorded, these do nothing.
//
// A system call that the runtime makes for the program, and whose result the program sees, goes
// through programSyscall(); what the runtime does for itself uses rawSyscall().
#ifndef CULPRIT_RUNTIME_RECORDING_H
#define CULPRIT_RUNTIME_RECORDING_H

#include "abi/recording.h"
#include "runtime/system.h"

#include <signal.h>

namespace culprit {

class EntryBlock;

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
/// Before the dynamic loader runs, which is mapped from the file `loader` (null: static program).
__attribute__((weak)) void __culprit_begin_recording(EntryBlock *block, const char *loader);
/// The file to map the dynamic loader from instead of `loader`.
__attribute__((weak)) const char *__culprit_recorded_loader(const EntryBlock *block,
                                                            const char *loader);
/// The runtime has started: what the host's words left in registers is cleared, for a replay has
/// others, and the frame of a signal shows them.
__attribute__((weak)) void __culprit_clear_registers();
__attribute__((weak)) bool __culprit_is_recording();
__attribute__((weak)) long __culprit_program_call(long number, const uint64_t *arguments);
__attribute__((weak)) uint64_t __culprit_program_value(abi::ValueKind kind, uint64_t value);
/// Whether there is no memory for the program's heap: how much there is depends on limits and on
/// the machine. Asked before more is mapped, and when the kernel refuses it.
__attribute__((weak)) bool __culprit_memory_refused(bool byKernel);
/// A signal of a failure has come: whether it is the recorder's, or put off.
__attribute__((weak)) bool __culprit_recorder_takes(int signal, siginfo_t *info, void *context);
/// Copies the frame of a signal to the program's stack: the kernel has put it elsewhere. If the
/// program wants its alternate stack, that must be there and not be in use. Returns where the frame
/// is now, or 0.
__attribute__((weak)) uint64_t __culprit_move_frame(void *context, const struct sigaction *action,
                                                    const siginfo_t *info, uint64_t restorer);
/// The runtime sends itself this signal: it is not to be put off.
__attribute__((weak)) void __culprit_recorder_lets(int signal);
/// The program leaves its recording at `context`, and the host's alterations are made: a mode that
/// alters anything else (a register, the next statement) defines this.
__attribute__((weak)) void __culprit_alter(void *context);
/// The program's alternate stack, which the kernel does not get to know; `stackPointer` tells
/// whether it is in use.
__attribute__((weak)) long __culprit_program_stack(const stack_t *wanted, stack_t *old,
                                                   uint64_t stackPointer);
}
// NOLINTEND(bugprone-reserved-identifier)

/// Whether this process records or replays.
inline bool isRecorded() {
  return __culprit_is_recording && __culprit_is_recording();
}

/// Negative errno on failure.
inline long programSyscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                           long f = 0) {
  if (!isRecorded())
    return rawSyscall(number, a, b, c, d, e, f);
  uint64_t arguments[6] = {static_cast<uint64_t>(a), static_cast<uint64_t>(b),
                           static_cast<uint64_t>(c), static_cast<uint64_t>(d),
                           static_cast<uint64_t>(e), static_cast<uint64_t>(f)};
  return __culprit_program_call(number, arguments);
}

/// Something that the program gets to see and could not know; in a replay what it was.
inline uint64_t programValue(abi::ValueKind kind, uint64_t value) {
  return isRecorded() ? __culprit_program_value(kind, value) : value;
}

} // namespace culprit
#endif

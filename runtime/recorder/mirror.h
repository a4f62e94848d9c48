// System calls that a replay makes for real, too: those of an altered run.
//
// A replay touches nothing outside. But a run that leaves its recording goes on with the kernel's
// idea of files, and that must be the program's by then. So in the sandbox, calls that were
// successful when they were recorded and that change descriptors, offsets, files or folders are
// made again; what the program sees of them is still what was recorded. A descriptor gets the
// number it had. What cannot be made again is a trouble only if the program still has it at the
// point.
//
// Pipes, sockets and the like are not made again: at the point the host's plan has for them what
// the program would still have read (abi/altered_run.h).
#ifndef CULPRIT_RUNTIME_RECORDER_MIRROR_H
#define CULPRIT_RUNTIME_RECORDER_MIRROR_H

#include "runtime/recorder/session.h"

namespace culprit {

/// Keeps the standard streams under numbers of the runtime's own.
void startMirror();

/// Makes the call again, which the recording says has returned `result`.
void mirrorCall(const CallRow &row, const ProgramCall &call, long result);

/// A signal has reached the program: a timer that rings once has done so.
void noteTimerSignal(int signal);

/// Where output of the replay goes: 1 or 2, under whatever number it is kept.
int keptOutput(int output);

/// Puts `made` under the number `wanted`; a negative errno: it could not be made.
void placeDescriptor(long made, uint64_t wanted, bool closesOnExecute);

/// The program is about to leave: what it has of the kernel's beside descriptors, and no
/// descriptors of the runtime's own any more. Ends the run if a descriptor is missing.
void finishMirror();

/// Ends the run, which cannot have what was there.
[[noreturn]] void failRestoring(abi::LeaveTrouble trouble, uint64_t what, long error);

} // namespace culprit
#endif

// System calls of the program as the kernel hands them over; see dispatch.cpp.
#ifndef CULPRIT_RUNTIME_RECORDER_DISPATCH_H
#define CULPRIT_RUNTIME_RECORDER_DISPATCH_H

#include "runtime/recorder/session.h"

namespace culprit {

/// A result that is none: the context has been changed, and is to be left as it is.
inline constexpr long kContextChanged = -100'000;

/// Makes the call as its row says, or takes it from the recording.
long carryOutTold(const CallRow &row, const ProgramCall &call, ucontext_t *context);

/// The call without what is in registers that it does not use.
ProgramCall usedArguments(const CallRow &row, ProgramCall call);
/// Whether it moves bytes to the program's output unseen.
bool movesToOutput(const ProgramCall &call);
/// In a replay: writes again what the call has written to the program's output.
void writeOutput(const CallRow &row, const ProgramCall &call, long result);

/// Hands the kernel's system calls of this thread over from now on.
bool startDispatch();
void stopDispatch();

/// Functions for the calls that have their own; each returns the call's result.
long ownMapping(const ProgramCall &call, ucontext_t *context); // own_memory.cpp
long ownRequest(const ProgramCall &call, ucontext_t *context); // own_requests.cpp
long ownProcess(const ProgramCall &call, ucontext_t *context); // own_processes.cpp
long ownSignals(const ProgramCall &call, ucontext_t *context); // own_signals.cpp

bool isSharing(); ///< other processes may see memory of this one once it has forked
bool isInChild(); ///< a child runs in this memory (vfork)
/// A replayed child that runs in this memory has ended, as the next event says.
bool leaveChildIfEnded(ucontext_t *context);

/// The kernel's mask in a context.
uint64_t &maskOf(ucontext_t *context);
/// The program's: signals that the recorder needs are never blocked, the program sees them so.
uint64_t programMask(ucontext_t *context);
void setProgramMask(ucontext_t *context, uint64_t mask);
// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern uint64_t g_seemingMask; ///< blocked as the program sees it, and not really

/// The recording has been stopped: the program goes on with its own mask and alternate stack.
void goOnNatively(ucontext_t *context);
/// The same, and the program makes the call by itself.
long repeatNatively(const ProgramCall &call, ucontext_t *context);
/// Stops the recording behind a call that was made.
void stopBehind(abi::StopReason reason, uint64_t detail, ucontext_t *context);

} // namespace culprit
#endif

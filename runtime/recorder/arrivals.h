// Signals that come from outside, and when the program gets them.
//
// A signal may come between any two instructions; a replay could not tell where. So it is put off:
// the handler that the kernel calls only notes it, and the program gets it at a point that can be
// found again: before or after a system call, or at a counted point, which generated code has in
// every loop and recursion. What comes while one is put off waits in the kernel.
#ifndef CULPRIT_RUNTIME_RECORDER_ARRIVALS_H
#define CULPRIT_RUNTIME_RECORDER_ARRIVALS_H

#include "runtime/kernel_signals.h"
#include "runtime/recorder/session.h"

namespace culprit {

void startSignals(uint64_t ignored);
/// Signals that are ignored now, as a mask.
uint64_t ignoredSignals();

/// Whether a signal is put off.
bool isHeld();
/// Whether a call that the held signal has interrupted is to be made again.
bool restartsCalls();

/// Gives the program the signal that is put off, or in a replay the one that comes now, as
/// `moment` says. False: there is none.
bool deliver(abi::SignalMoment moment, ucontext_t *context);

/// In a replay: if a signal comes next, at a counted point, or if the recording is to be left at
/// one before that, the program is made to stop there.
void prepareClock();

/// Makes a call with signals let in, so that they can interrupt it. kNotMade: a signal came first.
long makeInterruptible(const ProgramCall &call, uint64_t mask);
inline constexpr long kNotMade = -512;

/// The same where signals are let in already.
long makeShortly(const ProgramCall &call);
/// While there is one, a signal that comes does not have the program ask; what follows is seen to.
class ShortTime {
public:
  ShortTime();
  ~ShortTime();
  ShortTime(const ShortTime &) = delete;
  ShortTime &operator=(const ShortTime &) = delete;
};

/// The program's actions, natively: nothing is put off any more.
void restoreActions();

KernelAction &programAction(int signal);
/// Tells the kernel what to do so that `signal` is put off or has its effect.
void installAction(int signal);

/// Signals that runtime/signals.cpp handles.
bool isFailureSignal(int signal);

// NOLINTNEXTLINE(bugprone-dynamic-static-initializers)
extern stack_t g_programStack; ///< the program's alternate stack
bool isOnProgramStack(uint64_t stack);

/// Where the frame of a signal goes, and the frame copied there.
uint64_t copyFrame(ucontext_t *context, bool wantsStack, const siginfo_t *info, uint64_t mask,
                   uint64_t restorer);

} // namespace culprit
#endif

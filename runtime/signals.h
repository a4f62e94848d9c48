// The signals that a failing program dies of.
//
// The kernel calls us for them; what the program has set for itself is kept here and comes after
// the record is written. A handler of the program's is entered on the kernel's own signal frame, as
// if we had not been there: same stack, same mask, same flags.
#ifndef CULPRIT_RUNTIME_SIGNALS_H
#define CULPRIT_RUNTIME_SIGNALS_H

namespace culprit {

/// Takes the signals over, except those that are ignored from the start.
void watchSignals();

/// Ends the process by `signal`, for which a handler of the program's may run first.
[[noreturn]] void endBySignal(int signal);

} // namespace culprit
#endif

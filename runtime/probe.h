// The host asks a program that hangs where its threads are.
#ifndef CULPRIT_RUNTIME_PROBE_H
#define CULPRIT_RUNTIME_PROBE_H

namespace culprit {

/// Notes where the calling thread was, from the `context` of the signal that asked.
void answerProbe(void *context);

/// The host kills the process once all threads have answered. One that went on, out of a sleep that
/// the signal cut short, could end the program first. All signals must be blocked.
[[noreturn]] void waitForEnd();

} // namespace culprit
#endif

// The host asks a program that hangs where its threads are.
#ifndef CULPRIT_RUNTIME_PROBE_H
#define CULPRIT_RUNTIME_PROBE_H

namespace culprit {

/// Notes where the calling thread was, from the `context` of the signal that asked.
void answerProbe(void *context);

} // namespace culprit
#endif

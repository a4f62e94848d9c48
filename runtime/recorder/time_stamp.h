// The processor's clock: instructions that read it are made to fault, and are recorded.
#ifndef CULPRIT_RUNTIME_RECORDER_TIME_STAMP_H
#define CULPRIT_RUNTIME_RECORDER_TIME_STAMP_H

#include <ucontext.h>

namespace culprit {

/// Whether the instructions are allowed.
void allowTimeStamps(bool isAllowed);

/// Carries out the instruction at `context` if it reads the clock.
bool readTimeStamp(ucontext_t *context);

} // namespace culprit
#endif

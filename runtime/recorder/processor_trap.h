// What the program asks the processor, which the compiler has made traps (compiler/modes).
#ifndef CULPRIT_RUNTIME_RECORDER_PROCESSOR_TRAP_H
#define CULPRIT_RUNTIME_RECORDER_PROCESSOR_TRAP_H

#include <stdint.h>
#include <ucontext.h>

namespace culprit {

/// The program has come to the trap `number`: answers it. False: it is another one.
bool answerProcessorTrap(uint8_t number, ucontext_t *context);

} // namespace culprit
#endif

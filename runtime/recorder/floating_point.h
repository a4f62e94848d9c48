// The state of vector and floating-point registers in the frame of a signal (XSAVE).
#ifndef CULPRIT_RUNTIME_RECORDER_FLOATING_POINT_H
#define CULPRIT_RUNTIME_RECORDER_FLOATING_POINT_H

#include <stdint.h>

namespace culprit {

/// Bytes of the state at `state`; 0: there is none.
uint64_t sizeOfFloatingPoint(const void *state);

/// Copies a state so that the bytes depend on nothing but the registers' values. What is as in the
/// beginning the processor may or may not save, as it likes.
void copyCanonical(char *copy, const void *state, uint64_t size);

/// As in the beginning: what the kernel gives handlers.
void resetFloatingPoint(void *state);

} // namespace culprit
#endif

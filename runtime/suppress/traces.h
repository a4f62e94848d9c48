// What the host asks to see of a run: how control came to an execution, and where a pointer was
// copied to.
#ifndef CULPRIT_RUNTIME_SUPPRESS_TRACES_H
#define CULPRIT_RUNTIME_SUPPRESS_TRACES_H

#include "runtime/suppress/suppress.h"

#include <stdint.h>

namespace culprit {

/// The probed site is about to be executed by the function whose callee has its frame at `frame`.
void traceExecution(const void *frame);

/// Whether the copies of some pointer are wanted.
inline bool tracesCopies() {
  return suppressionRecord() && suppressionRecord()->tracedPointer != 0;
}

/// A value with that origin is copied to `address`, whose own is still that of what was there.
void traceCopy(uint64_t address, uint64_t value, uint64_t origin, const void *frame);

/// So much memory is to be copied: the pointers in it.
void traceCopies(uint64_t to, uint64_t from, uint64_t size, const void *frame);

/// What that execution had allocated was freed.
void traceFree(uint64_t allocation);

/// The program has failed: which of the places of copies are no more.
void judgeCopies();

} // namespace culprit
#endif

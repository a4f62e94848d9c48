// Where exceptions were thrown: kept when generated code is about to, for the case that the program
// ends by one after the calls that led to it have been left.
#ifndef CULPRIT_RUNTIME_THROWN_H
#define CULPRIT_RUNTIME_THROWN_H

#include "abi/failure.h"

namespace culprit {

/// The calls that led to where a thread first threw `object`, innermost first; how many.
uint32_t callersOfThrow(const void *object, uint64_t (&callers)[abi::kMostThrowCallers]);

/// A new exception is made at `object`: what is kept of an earlier one there is not about it. The
/// one that throws it may be a library without the hook.
void forgetThrow(const void *object);

} // namespace culprit
#endif

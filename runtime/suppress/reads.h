// Reads of guard words, and of locals whose function has returned, in runs that look for them (mode
// `reads`): the shadow says that they are some.
#ifndef CULPRIT_RUNTIME_SUPPRESS_READS_H
#define CULPRIT_RUNTIME_SUPPRESS_READS_H

#include "abi/external_call.h"
#include "runtime/suppress/suppress.h"

#include <stdint.h>

namespace culprit {

inline bool checksReads() {
  return suppressionRecord() && suppressionRecord()->checksReads != 0;
}

/// Guard words were placed there.
void noteGuard(uint64_t address, uint64_t size);

/// A block of that size was made: guard words are behind it, and its header in front of it, which
/// is none of the program's business either.
void noteGuardsOfBlock(uint64_t block, uint64_t size);

/// How many bytes a call reads at an argument whose size is that of others.
uint64_t sizeOfInput(const abi::ExternalArgument &argument, const uint64_t *values);

/// Ends the program if a call is about to read guard words. `pc` is where the call is.
void checkInputs(const abi::ExternalCall &call, const uint64_t *values, uint64_t count,
                 const void *pc);

/// The same of a copy that is about to be made.
void checkCopied(uint64_t address, uint64_t size, const void *pc);

} // namespace culprit
#endif

// The runtime's part of suppression runs: what is omitted, and what is told to the host.
#ifndef CULPRIT_RUNTIME_SUPPRESS_SUPPRESS_H
#define CULPRIT_RUNTIME_SUPPRESS_SUPPRESS_H

#include "abi/failure.h"
#include "abi/origins.h"
#include "runtime/unwind.h"

namespace culprit {

/// Maps the host's record (abi::SuppressionRecord).
void startSuppressing(const char *file);

extern abi::SuppressionRecord *g_suppression;

/// Null in other runs.
inline abi::SuppressionRecord *suppressionRecord() {
  return g_suppression;
}

/// Whether this execution of a site is to be omitted; `address`: of a store, where to.
bool isSuppressed(uint64_t site, uint64_t address);

/// Whether a point was executed, so that something may be corrupt.
bool isAltered();

/// The program has failed: adds the origins of the words that the failure is about.
void noteFailureOrigins(const abi::FailureRecord &failure);

/// While the runtime writes memory for the program (memory.cpp): where that goes on; 0: it does
/// not.
extern uint64_t g_workingFor;

/// A debug register has seen a store; `registers` are those behind it.
void noteWatchedWrite(const Registers &registers);

} // namespace culprit
#endif

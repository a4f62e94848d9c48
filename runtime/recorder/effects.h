// Which memory a system call writes, and which it hands out: the rules of abi/system_calls.def
// applied to a call.
#ifndef CULPRIT_RUNTIME_RECORDER_EFFECTS_H
#define CULPRIT_RUNTIME_RECORDER_EFFECTS_H

#include "runtime/recorder/calls.h"

namespace culprit {

struct ProgramCall {
  long number;
  uint64_t arguments[6];
};

/// Lengths that the call overwrites, as they were before.
struct Lengths {
  uint64_t before[kMostEffects];
};

Lengths lengthsBefore(const CallRow &row, const ProgramCall &call);

using VisitBytes = void (*)(void *data, uint64_t address, uint64_t size);

/// Calls `visit` for each stretch that the call, which returned `result`, wrote.
void forEachWritten(const CallRow &row, const ProgramCall &call, const Lengths &lengths,
                    long result, VisitBytes visit, void *data);

/// Whether a call has failed that may have written a part of what it was to write.
bool isHalfWritten(const CallRow &row, long result);

/// Calls `visit` for each stretch that it handed out.
void forEachSent(const CallRow &row, const ProgramCall &call, long result, VisitBytes visit,
                 void *data);
/// A hash of it.
uint64_t hashSent(const CallRow &row, const ProgramCall &call, long result);

} // namespace culprit
#endif

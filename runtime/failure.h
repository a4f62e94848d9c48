// Failures as data: fills the record that the host reads (abi/failure.h).
//
// Checks of the runtime (heap, return slots, guards) call fail(); signals, abort, assert and
// uncaught exceptions arrive through handlers that this file's implementation installs.
#ifndef CULPRIT_RUNTIME_FAILURE_H
#define CULPRIT_RUNTIME_FAILURE_H

#include "abi/failure.h"

namespace culprit {

/// What a check of the runtime knows of the failure that it found.
struct Finding {
  abi::FailureKind kind;
  uint64_t address = 0;
  const void *pc = nullptr; ///< return address of the call that failed
  const abi::FailureWord *words = nullptr;
  uint32_t wordCount = 0;
  const abi::FailureBlock *blocks = nullptr;
  uint32_t blockCount = 0;
};

/// Maps the record and installs the handlers; before any constructor. `file` is null when nobody
/// reads the record.
void watchForFailures(const char *file);

/// Takes the end of the program for a failure, too: the host decides whether it is one.
void recordExits();

/// The calling thread sends itself `signal`, which nobody handles, from a call that returns to
/// `caller`: the record tells of it, complete. False: there is none to be had.
bool noteOwnSignal(int signal, const void *caller);

/// Writes the record, then ends the process by `signal` as the real thing would have (SIGABRT for
/// glibc's own heap checks, SIGSEGV for a return to nowhere).
[[noreturn]] void fail(const Finding &finding, int signal);

} // namespace culprit
#endif

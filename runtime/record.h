// The failure record of this run: who may write it, and when it is taken back.
//
// The record is shared by the program and its children. The first failure keeps it, except that the
// program itself goes before its children. While a handler of the program's runs the record is
// provisional: see FailureRecord::isInHandler.
#ifndef CULPRIT_RUNTIME_RECORD_H
#define CULPRIT_RUNTIME_RECORD_H

#include "abi/failure.h"
#include "runtime/unwind.h"

namespace culprit {

/// Maps the host's file. False when there is none to be had.
bool mapRecord(const char *file);

/// Null when nobody reads it.
abi::FailureRecord *failureRecord();

/// Makes the record the calling thread's, whose stack pointer is or was `stack`. Null when there is
/// none or another failure has it; then that one is complete when this returns.
abi::FailureRecord *claimRecord(abi::FailureKind kind, uint64_t stack);

/// Fills in pc, registers, code and call stack.
void recordPlace(abi::FailureRecord &record, const Registers &registers);

/// Fills in which images are loaded, and where.
void recordImages(abi::FailureRecord &record);

/// The program dies, now, of `signal`: what is in the record stands, and is complete.
void finishRecord(int signal);

/// Whether this process is one that the program has forked.
bool isChild();

/// What was finished has not come to pass.
void takeBackRecord();

/// Whether the calling thread has a record that is not complete: from a check of the runtime, or
/// from std::terminate, which end in abort().
bool isOwnRecord();

/// Whether the calling thread's handler has returned from `signal` and this is the same again: it
/// has raised it anew, or was called by abort(), which lets no handler keep it.
bool isRepetition(int signal);

/// A handler of the program's is entered; its signal frame is at `context`.
void enterHandler(const void *context);

/// Whether the handler of a failure by `signal` runs, for code with that stack pointer.
bool isInHandlerOf(int signal, uint64_t stack);

/// The handler whose signal frame is at `context` returns: whatever it was, it is mended, unless
/// the same signal follows.
void leaveHandler(const void *context);

/// Takes a provisional record back unless its handler still runs; `isEnd`: if it does, the record
/// stands for good, for the program ends. `stack` is the calling thread's stack pointer.
void settleRecord(bool isEnd, uint64_t stack);

/// Copies `text`, cut if it is too long, behind what is there.
void appendMessage(abi::FailureRecord &record, const char *text);

} // namespace culprit
#endif

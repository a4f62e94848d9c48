// See failure.h.
#include "runtime/failure.h"

#include "runtime/hooks.h"
#include "runtime/record.h"
#include "runtime/recording.h"
#include "runtime/signals.h"
#include "runtime/system.h"
#include "runtime/terminate.h"
#include "runtime/thread_state.h"

#include <string.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

bool g_areExitsWanted;

void settleAtEnd(void *stack) {
  settleRecord(true, reinterpret_cast<uint64_t>(stack));
}

/// The program ends by itself, perhaps in a handler of a failure, on an alternate stack in its
/// heap: nothing may be left there that another run, or a replay, does not leave.
__attribute__((noinline)) void noteEnd() {
  callOnSignalStack(settleAtEnd, __builtin_frame_address(0));
  if (!g_areExitsWanted)
    return;
  Registers registers = registersHere();
  if (abi::FailureRecord *record = claimRecord(abi::FailureKind::Exit, registers[kStackPointer])) {
    recordPlace(*record, registers);
    finishRecord(0);
  }
}

__attribute__((destructor(101))) void onExit() {
  noteEnd();
}

void describeFinding(abi::FailureRecord &record, const Finding &finding) {
  record.hasAddress = finding.address != 0;
  record.address = finding.address;
  uint32_t words = finding.wordCount < abi::kMostWords ? finding.wordCount : abi::kMostWords;
  uint32_t blocks = finding.blockCount < abi::kMostBlocks ? finding.blockCount : abi::kMostBlocks;
  if (words != 0)
    memcpy(record.words, finding.words, words * sizeof *finding.words);
  if (blocks != 0)
    memcpy(record.blocks, finding.blocks, blocks * sizeof *finding.blocks);
  record.wordCount = words;
  record.blockCount = blocks;
}

/// The call stack starts at our caller in the runtime; the failing call is further out.
void leaveOutRuntime(abi::FailureRecord &record, uint64_t pc) {
  for (uint32_t i = 0; pc != 0 && i < record.callerCount; ++i) {
    if (record.callers[i] != pc)
      continue;
    record.callerCount -= i + 1;
    memmove(record.callers, record.callers + i + 1, record.callerCount * sizeof *record.callers);
    break;
  }
  if (pc != 0) {
    record.pc = pc;
    record.hasRegisters = 0;
  }
}

} // namespace

void watchForFailures(const char *file) {
  if (!file || !mapRecord(file))
    return;
  enterFirstThread();
  watchSignals();
  watchTerminate();
}

void fail(const Finding &finding, int signal) {
  Registers registers = registersHere();
  if (abi::FailureRecord *record = claimRecord(finding.kind, registers[kStackPointer])) {
    describeFinding(*record, finding);
    recordPlace(*record, registers);
    leaveOutRuntime(*record, reinterpret_cast<uint64_t>(finding.pc));
    record->signal = static_cast<uint32_t>(signal);
  }
  endBySignal(signal);
}

bool noteOwnSignal(int signal, const void *caller) {
  Registers registers = registersHere();
  abi::FailureRecord *record = nullptr;
  if (!isChild()) // how its children end is the program's to judge
    record = claimRecord(abi::FailureKind::Signal, registers[kStackPointer]);
  if (!record)
    return false;
  recordPlace(*record, registers);
  leaveOutRuntime(*record, reinterpret_cast<uint64_t>(caller));
  record->signal = static_cast<uint32_t>(signal);
  record->signalCode = SI_TKILL;
  finishRecord(signal);
  return true;
}

void recordExits() {
  g_areExitsWanted = true;
}

CULPRIT_EXPORT __attribute__((weak, noreturn)) void _exit(int status) {
  noteEnd();
  for (;;)
    programSyscall(SYS_exit_group, status);
}

CULPRIT_EXPORT __attribute__((weak, noreturn)) void _Exit(int status) noexcept
    __attribute__((alias("_exit")));

} // namespace culprit

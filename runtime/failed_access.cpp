// See failed_access.h.
#include "runtime/failed_access.h"

#include "abi/memory_map.h"
#include "runtime/frames.h"
#include "runtime/heap.h"
#include "runtime/record.h"
#include "runtime/safe_read.h"
#include "runtime/thread_gap.h"
#include "runtime/thread_state.h"

#include <string.h>
#include <ucontext.h>

// What libc said last before it called abort: a failed assertion, a smashed stack, a broken heap.
// It is kept there for debuggers, under a private name.
struct AbortMessage {
  unsigned size;
  char text[1];
};
extern "C" __attribute__((weak)) AbortMessage *__abort_msg;

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kNullEnd = 65536; ///< nothing is ever mapped below
constexpr uint64_t kLargestFrame = uint64_t{1} << 30;
constexpr uint64_t kPageFault = 14;
constexpr uint64_t kWriteFault = 2;

bool isSentByProcess(const siginfo_t &info) {
  return info.si_code <= 0;
}

/// Null when libc said nothing, or so long ago that the program got over it.
const char *abortText() {
  static const AbortMessage *seen;
  const AbortMessage *message = &__abort_msg ? __abort_msg : nullptr;
  if (!message || message == seen)
    return nullptr;
  seen = message;
  return message->text;
}

/// An access near the stack pointer where no stack is: a frame has been made that does not fit. A
/// stack pointer that is in use can be read below itself.
bool isBelowStack(uint64_t where, const Registers &registers) {
  uint64_t stack = registers[kStackPointer];
  bool isNear = where + kPage >= stack && where < stack + kLargestFrame;
  return isNear && !isReadable(stack - 8) && !isReadable(where & ~uint64_t{7});
}

bool isStackExhausted(int signal, const siginfo_t &info, const Registers &registers) {
  if ((signal != SIGSEGV && signal != SIGBUS) || isSentByProcess(info) || info.si_code == SI_KERNEL)
    return false;
  auto where = reinterpret_cast<uint64_t>(info.si_addr);
  return isBelowStack(where, registers) || isBelowFrames(where);
}

/// Whether the program uses what it got for an allocation that failed. Faults at other addresses
/// have other reasons.
bool isNullOfAllocation(int signal, const siginfo_t &info) {
  return signal == SIGSEGV && info.si_code > 0 && info.si_code != SI_KERNEL &&
         reinterpret_cast<uint64_t>(info.si_addr) < kNullEnd && ranOutOfMemory();
}

bool isAssertion(const char *text) {
  return strstr(text, ": Assertion `") || strstr(text, ": Unexpected error: ");
}

/// Signals that come with an address. A fault that has none (an address that no page can have)
/// leaves it to the host to read the instruction.
bool hasAddress(int signal, const siginfo_t &info) {
  return (signal == SIGSEGV || signal == SIGBUS) && !isSentByProcess(info) &&
         info.si_code != SI_KERNEL;
}

const char *g_lastWords; ///< found by kindOfSignal for describeSignal; aborts are never concurrent

} // namespace

abi::FailureKind kindOfSignal(int signal, const siginfo_t &info, const Registers &registers) {
  g_lastWords = nullptr;
  if (isStackExhausted(signal, info, registers))
    return abi::FailureKind::StackExhausted;
  if (isNullOfAllocation(signal, info))
    return abi::FailureKind::OutOfMemory;
  if (signal != SIGABRT)
    return abi::FailureKind::Signal;
  g_lastWords = abortText();
  if (g_lastWords && isAssertion(g_lastWords))
    return abi::FailureKind::FailedAssert;
  bool isGivenUp = !g_lastWords && info.si_code == SI_TKILL && ranOutOfMemory();
  return isGivenUp ? abi::FailureKind::OutOfMemory : abi::FailureKind::Abort;
}

void describeSignal(abi::FailureRecord &record, int signal, const siginfo_t &info,
                    const void *context) {
  const greg_t *registers = static_cast<const ucontext_t *>(context)->uc_mcontext.gregs;
  record.signal = static_cast<uint32_t>(signal);
  record.signalCode = info.si_code;
  record.hasAddress = hasAddress(signal, info);
  if (record.hasAddress)
    record.address = reinterpret_cast<uint64_t>(info.si_addr);
  if (record.hasAddress && isThreadGuard(record.address)) // nothing that the program knows of
    record.signalCode = SEGV_MAPERR;
  if (static_cast<uint64_t>(registers[REG_TRAPNO]) == kPageFault && record.hasAddress) {
    record.errorCode = static_cast<uint64_t>(registers[REG_ERR]);
    record.isWrite = (record.errorCode & kWriteFault) != 0;
  }
  if (record.hasAddress && describeBlock(record.address, record.blocks[0]))
    record.blockCount = 1;
  if (g_lastWords)
    appendMessage(record, g_lastWords);
}

} // namespace culprit

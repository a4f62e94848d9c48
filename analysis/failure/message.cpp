// See message.h.
#include "analysis/failure/message.h"

#include <cctype>
#include <csignal>
#include <cstring>
#include <fmt/format.h>

namespace culprit {
namespace {

constexpr uint64_t kNullEnd = 4096; ///< a member of a null pointer's structure is below this

std::string bytes(uint64_t count) {
  return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

/// "`p->next`", "`a->x` or `b->x`"; empty: not known.
std::string accessed(const FailureReport &report) {
  if (!report.expression.empty())
    return "`" + report.expression + "`";
  return report.candidates.empty() ? ""
                                   : fmt::format("`{}`", fmt::join(report.candidates, "` or `"));
}

/// ": `p->next`", where it is known.
std::string expressionPart(const FailureReport &report) {
  std::string text = accessed(report);
  if (!report.argumentOf.empty())
    return fmt::format(", argument {} of {}()", text, report.argumentOf);
  return text.empty() ? "" : ": " + text;
}

/// The object has no virtual table where one should be.
std::string describeVirtualCall(const FailureReport &report) {
  bool isNull = report.address && *report.address < kNullEnd;
  if (isNull)
    return "call of a virtual function through a null pointer" + expressionPart(report);
  std::string where =
      report.address ? fmt::format("at {:#x}", *report.address) : "where no memory can be";
  return fmt::format("call of a virtual function of something that is no object: `{}` reads its "
                     "virtual table {}",
                     report.expression, where);
}

/// Vector instructions that want aligned memory fail without an address, as if no memory could have
/// it.
bool isMisaligned(const FailureReport &report) {
  if (report.signalCode != SI_KERNEL || !report.address || report.accessSize < 16)
    return false;
  auto address = static_cast<int64_t>(*report.address);
  return *report.address % report.accessSize != 0 && address << 16 >> 16 == address;
}

/// "wild write of 8 bytes through a null pointer".
std::string describeAccess(const FailureReport &report) {
  if (report.isVirtualCall)
    return describeVirtualCall(report);
  bool isNull = report.address && *report.address < kNullEnd;
  if (report.access == AccessKind::Execute)
    return (isNull           ? "call through a null function pointer"
            : report.address ? fmt::format("jump to {:#x}, where no code is", *report.address)
                             : "jump to an address that no code can have") +
           expressionPart(report);
  bool isWrite = report.access == AccessKind::Write;
  bool isMapped = isMisaligned(report);
  bool isProtected = report.signalCode == SEGV_ACCERR && report.address && !isNull;
  std::string text =
      fmt::format("{}{}", isProtected || isMapped ? "" : "wild ", isWrite ? "write" : "read");
  if (report.access == AccessKind::None)
    text = "wild access";
  if (report.accessSize != 0)
    text += " of " + bytes(report.accessSize);
  if (isNull)
    return text + " through a null pointer" + expressionPart(report);
  std::string expression = report.argumentOf.empty() ? accessed(report) : "";
  if (!expression.empty())
    text += fmt::format(" {} {}", isWrite ? "to" : "of", expression);
  if (!report.address)
    return text + " at an address that no memory can have";
  if (isProtected)
    text += fmt::format("{} memory that is {}",
                        !expression.empty() ? ","
                        : isWrite           ? " to"
                                            : " of",
                        isWrite ? "read-only" : "not accessible");
  if (isMapped)
    text += " that is not aligned";
  text += fmt::format("{} {:#x}",
                      isProtected || isMapped || !expression.empty() ? ", at"
                      : isWrite                                      ? " to"
                                                                     : " from",
                      *report.address);
  if (!report.argumentOf.empty())
    text += " through" + expressionPart(report).substr(1);
  return report.addressName.empty() ? text : text + ": " + report.addressName;
}

std::string describeArithmetic(const FailureReport &report, const FailureContext &context,
                               const std::optional<Instruction> &instruction) {
  if (report.signalCode != FPE_INTDIV)
    return "arithmetic error";
  // Only the smallest number divided by -1 does not fit; the dividend is in rax.
  uint64_t dividend = context.record.registers[0];
  bool isSmallest = dividend == uint64_t{1} << 63 || static_cast<uint32_t>(dividend) == 1U << 31;
  bool isZero = !isSmallest || (instruction && instruction->operand == uint64_t{0});
  return isZero ? "division by zero" : "division whose result does not fit";
}

std::string describeSignal(const FailureReport &report, const FailureContext &context,
                           const std::optional<Instruction> &instruction) {
  if (report.signalCode <= 0 && report.signalCode != SI_TKILL)
    return "the program was sent " + signalName(report.signal);
  if (report.signalCode == SI_TKILL)
    return "the program raised " + signalName(report.signal);
  switch (report.signal) {
  case SIGSEGV:
    return describeAccess(report);
  case SIGBUS:
    return report.signalCode == BUS_ADRERR   ? "access past the end of a mapped file"
           : report.signalCode == BUS_ADRALN ? "access that is not aligned"
                                             : describeAccess(report);
  case SIGFPE:
    return describeArithmetic(report, context, instruction);
  case SIGILL:
    return instruction && instruction->mnemonic == "ud2"
               ? "trap: a path that the compiler was told cannot be taken, or __builtin_trap"
               : "illegal instruction";
  case SIGTRAP:
    return "breakpoint outside of a debugger";
  case SIGSYS:
    return "system call that is not allowed";
  default:
    return "fatal signal";
  }
}

std::string describeException(const FailureReport &report) {
  std::string text = "uncaught exception of type '" + report.exceptionType + "'";
  return report.detail.empty() ? text : text + ": " + report.detail;
}

std::string describeAbort(const FailureReport &report) {
  if (report.signalCode == SI_USER)
    return "the program was sent SIGABRT";
  return report.detail.empty() ? "the program called abort()" : report.detail;
}

/// "assertion 'n > 0' failed" of "prog: file.c:3: main: Assertion `n > 0' failed."
std::string describeAssertion(const FailureReport &report) {
  std::string text = report.detail;
  size_t start = text.find("Assertion `");
  if (start == std::string::npos)
    start = text.find("Unexpected error: ");
  if (start == std::string::npos)
    return "an assertion failed";
  text.erase(0, start);
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (size_t quote = text.find('`'); quote != std::string::npos)
    text[quote] = '\'';
  if (text.ends_with("."))
    text.pop_back();
  return text;
}

/// libc found it out and aborted.
std::string describeLastWords(const FailureReport &report, const std::string &what) {
  return report.detail.empty() ? what : what + ", in memory of libc's own: " + report.detail;
}

std::string describeBlock(const FailureReport &report, const char *what) {
  std::string text = describeLastWords(report, what);
  if (report.address)
    text += fmt::format(" at {:#x}", *report.address);
  if (!report.blocks.empty())
    text += fmt::format(" ({})", bytes(report.blocks.front().size));
  return report.addressName.empty() ? text : text + ": " + report.addressName;
}

std::string describeCheck(const FailureReport &report, const char *what) {
  std::string text = describeLastWords(report, what);
  if (report.place >= report.stack.size()) // no code of the program's was running
    text += ", noticed at exit";
  if (!report.words.empty()) {
    const abi::FailureWord &word = report.words.front().word;
    text += fmt::format(": {:#x} holds {:#x} instead of {:#x}", word.address, word.found,
                        word.expected);
  }
  return text;
}

std::string describeRead(const FailureReport &report) {
  std::string text = describeCheck(report, "the memory beside an object was read");
  return report.addressName.empty() ? text : text + ": " + report.addressName;
}

std::string messageOf(const FailureReport &report, const FailureContext &context,
                      const std::optional<Instruction> &instruction) {
  switch (report.kind) {
  case abi::FailureKind::None:
    return "";
  case abi::FailureKind::Signal:
    return describeSignal(report, context, instruction);
  case abi::FailureKind::BrokenReturn:
    return describeCheck(report, "the return address of this function was overwritten");
  case abi::FailureKind::BrokenHeap:
    return describeCheck(report, "the heap is broken: a block's header was overwritten");
  case abi::FailureKind::BrokenGuard:
    return describeCheck(report, context.layout && context.layout->front > 0
                                     ? "the memory beside an object was overwritten"
                                     : "the memory behind an object was overwritten");
  case abi::FailureKind::ReadGuard:
    return describeRead(report);
  case abi::FailureKind::DoubleFree:
    return describeBlock(report, "second free of a block");
  case abi::FailureKind::WildFree:
    return describeBlock(report, "free of something that is no heap block");
  case abi::FailureKind::Abort:
    return describeAbort(report);
  case abi::FailureKind::FailedAssert:
    return describeAssertion(report);
  case abi::FailureKind::UncaughtException:
    return describeException(report);
  case abi::FailureKind::Terminate:
    return "std::terminate was called without an exception";
  case abi::FailureKind::StackExhausted:
    return "the stack is exhausted: recursion too deep or a local variable too large";
  case abi::FailureKind::OutOfMemory:
    return report.signal == SIGABRT
               ? "out of memory: the program called abort() after an allocation had failed"
               : "out of memory: the null pointer of a failed allocation was used" +
                     expressionPart(report);
  case abi::FailureKind::Timeout:
    return fmt::format("the program was stopped after {} seconds", context.timeout);
  case abi::FailureKind::Deadlock:
    return "all threads wait for each other";
  case abi::FailureKind::Exit:
    return fmt::format("the program ended with status {}", context.status);
  }
  return "";
}

std::string labelOf(const FailureReport &report) {
  if (report.kind == abi::FailureKind::Timeout)
    return "timeout";
  if (report.kind == abi::FailureKind::Deadlock)
    return "deadlock";
  std::string text = report.signal != 0 ? strsignal(static_cast<int>(report.signal)) : "";
  if (!text.empty())
    text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

} // namespace

void describeFailure(FailureReport &report, const FailureContext &context,
                     const std::optional<Instruction> &instruction) {
  report.message = messageOf(report, context, instruction);
  report.label = labelOf(report);
}

} // namespace culprit

// From the runtime's record to a report; see failure.h.
#include "analysis/counters/counters.h"
#include "analysis/failure/address_names.h"
#include "analysis/failure/code_places.h"
#include "analysis/failure/message.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>

namespace culprit {
namespace {

constexpr uint64_t kNullEnd = 4096;   ///< a member of a null pointer's structure is below this
constexpr size_t kMostCandidates = 4; ///< more expressions tell a reader nothing

/// Signals that a program dies of by its own doing, with what is said where there is no record. The
/// kernel asks nobody when a signal of a fault is blocked or set to be ignored; and the runtime
/// itself fails where there is no stack, or what libc has behind thread-locals is overwritten.
struct OwnSignal {
  int number;
  const char *reason;
};
constexpr char kNobodyAsked[] =
    "which it had blocked or ignored, or for which no handler could run";
constexpr char kTimer[] = "of a timer that it had set, or of another process";
constexpr OwnSignal kOwnSignals[] = {
    {SIGSEGV, kNobodyAsked},
    {SIGBUS, kNobodyAsked},
    {SIGFPE, kNobodyAsked},
    {SIGILL, kNobodyAsked},
    {SIGABRT, kNobodyAsked},
    {SIGTRAP, kNobodyAsked},
    {SIGSYS, kNobodyAsked},
    {SIGALRM, kTimer},
    {SIGVTALRM, kTimer},
    {SIGPROF, kTimer},
    {SIGXCPU, "for it has used more processor time than it may (ulimit -t)"},
    {SIGXFSZ, "for it wanted to write a larger file than it may (ulimit -f)"},
};

/// Whether the record tells of a failure that the program did not get over.
bool stands(const FailureContext &context) {
  const abi::FailureRecord &record = context.record;
  if (record.kind == abi::FailureKind::None)
    return false;
  bool isHandled = context.signal == 0 && context.status == 0 && record.process == context.process;
  if (isHandled)
    return record.kind == abi::FailureKind::Exit;
  return !record.isInHandler || context.signal == static_cast<int>(record.signal) ||
         context.signal == SIGABRT;
}

/// What the program died of, where there is no record; null: no failure.
const OwnSignal *ownSignal(const FailureContext &context) {
  const auto *found =
      std::find_if(std::begin(kOwnSignals), std::end(kOwnSignals),
                   [&](const OwnSignal &signal) { return signal.number == context.signal; });
  return found == std::end(kOwnSignals) ? nullptr : found;
}

FailureReport reportWithoutRecord(const FailureContext &context, const OwnSignal &signal) {
  FailureReport report;
  report.kind = abi::FailureKind::Signal;
  report.signal = static_cast<uint32_t>(context.signal);
  report.process = context.process;
  const char *name = strsignal(context.signal);
  report.message = fmt::format("the program died of {}, {}; where is not known",
                               signalName(report.signal), signal.reason);
  report.label = name;
  report.label[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(report.label[0])));
  return report;
}

std::string recordedText(const FailureContext &context) {
  const char *text = context.record.message;
  std::string all(text, strnlen(text, sizeof context.record.message));
  while (!all.empty() && all.back() == '\n')
    all.pop_back();
  return all;
}

/// The runtime writes an exception's mangled type, a new line and its what().
void takeText(FailureReport &report, std::string text) {
  if (report.kind != abi::FailureKind::UncaughtException) {
    report.detail = std::move(text);
    return;
  }
  size_t end = text.find('\n');
  std::string mangled = text.substr(0, end);
  std::string type = llvm::demangle("_ZTS" + mangled);
  constexpr std::string_view kPrefix = "typeinfo name for ";
  report.exceptionType = type.starts_with(kPrefix) ? type.substr(kPrefix.size()) : mangled;
  if (end != std::string::npos)
    report.detail = text.substr(end + 1);
}

/// Whether the instruction jumps, and not even the place of its target can be what has failed.
bool isJump(const Instruction &instruction) {
  return (instruction.mnemonic == "call" || instruction.mnemonic == "jmp" ||
          instruction.mnemonic.starts_with("ret")) &&
         (!instruction.address || isPossibleAddress(*instruction.address));
}

/// Where it leads, by a register or by memory.
std::optional<uint64_t> targetOf(const Instruction &instruction, const MemoryReader *memory) {
  if (instruction.address)
    return memory ? memory->word(*instruction.address) : std::nullopt;
  return instruction.operand;
}

/// An access to memory, as far as the kernel and the instruction tell.
void takeAccess(FailureReport &report, const FailureContext &context, const CodePlaces &places,
                const std::optional<Instruction> &instruction) {
  const abi::FailureRecord &record = context.record;
  if (record.hasAddress)
    report.address = record.address;
  bool isAccess = (record.signal == SIGSEGV || record.signal == SIGBUS) && record.signalCode > 0 &&
                  record.hasRegisters;
  if (!isAccess)
    return;
  if (!places.isCode(record.pc)) {
    report.access = AccessKind::Execute;
    report.address = record.pc;
    return;
  }
  // Libraries read strings by vectors; how many bytes says nothing of the program.
  if (instruction && !report.stack.empty() && report.stack.front().origin == FrameOrigin::Program)
    report.accessSize = instruction->size;
  if (record.hasAddress) {
    report.access = record.isWrite ? AccessKind::Write : AccessKind::Read;
  } else if (instruction && isJump(*instruction)) {
    report.access = AccessKind::Execute; // to an address that no code can have
    report.address = targetOf(*instruction, context.memory);
  } else if (instruction && instruction->address) {
    report.access = instruction->isWrite ? AccessKind::Write : AccessKind::Read;
    report.address = instruction->address;
  }
}

/// Whether pc is behind the instruction that the record is about.
bool isBehind(const abi::FailureRecord &record) {
  bool isTrap = record.signal == SIGTRAP || record.signal == SIGSYS;
  return !record.hasRegisters || (isTrap && record.signalCode > 0);
}

size_t placeIn(const CallStack &stack) {
  auto isProgram = [](const StackFrame &frame) { return frame.origin == FrameOrigin::Program; };
  auto own = std::find_if(stack.begin(), stack.end(), [&](const StackFrame &frame) {
    return isProgram(frame) && !isInSystemHeader(frame);
  });
  if (own == stack.end())
    own = std::find_if(stack.begin(), stack.end(), isProgram);
  return static_cast<size_t>(own - stack.begin());
}

void takeBlocks(FailureReport &report, const FailureContext &context, CodePlaces &places,
                AddressNames &names) {
  const abi::FailureRecord &record = context.record;
  auto stackFrom = [&](const uint64_t *callers) {
    uint32_t count = 0;
    while (count < abi::kMostBlockCallers && callers[count] != 0)
      ++count;
    return places.stackOf(0, false, callers, count);
  };
  for (uint32_t i = 0; i < std::min(record.blockCount, abi::kMostBlocks); ++i) {
    const abi::FailureBlock &block = record.blocks[i];
    report.blocks.push_back({block.address, block.size, block.state == abi::BlockState::Freed,
                             stackFrom(block.allocatedAt), stackFrom(block.freedAt)});
  }
  for (uint32_t i = 0; i < std::min(record.wordCount, abi::kMostWords); ++i)
    report.words.push_back({record.words[i], names.describe(record.words[i].address)});
}

/// The pointer that a library's function, which the program calls, was given.
void takeArgument(FailureReport &report, AddressNames &names) {
  auto caller = report.stack.begin() + static_cast<ptrdiff_t>(report.place);
  if (caller->isApproximate ||
      std::any_of(report.stack.begin(), caller, [](const StackFrame &frame) {
        return frame.origin == FrameOrigin::Program && !isInSystemHeader(frame);
      }))
    return;
  std::optional<ArgumentExpressions> found =
      names.argumentsAt(*caller, report.access == AccessKind::Write);
  if (!found || found->texts.size() > kMostCandidates)
    return;
  report.argumentOf = found->function;
  if (found->texts.size() == 1)
    report.expression = found->texts[0];
  else
    report.candidates = found->texts;
}

/// What the source accesses there, itself or by a function of a library.
void takeExpression(FailureReport &report, AddressNames &names) {
  bool isAccess = report.access == AccessKind::Read || report.access == AccessKind::Write;
  if (isAccess && report.place > 0 && report.place < report.stack.size())
    takeArgument(report, names);
  if (isAccess && report.place == 0 && !report.stack.empty() && !report.stack[0].isApproximate) {
    bool isNull = report.address && *report.address < kNullEnd;
    std::vector<AccessExpression> found =
        names.expressionsAt(report.stack[0], report.access == AccessKind::Write, report.accessSize,
                            isNull ? report.address : std::nullopt);
    if (found.size() == 1) {
      report.expression = found[0].text;
      report.isVirtualCall = found[0].isVirtualCall;
    }
    for (const AccessExpression &expression : found)
      if (found.size() > 1 && found.size() <= kMostCandidates)
        report.candidates.push_back(expression.text);
  }
  // Where no code is there is no frame, or one that nothing is known of.
  if (report.access == AccessKind::Execute && report.place <= 1 &&
      report.place < report.stack.size())
    report.expression = names.calleeAt(report.stack[report.place]);
}

/// Site and instance, where the build kept them apart.
void takeSite(FailureReport &report, const FailureContext &context) {
  if (report.place >= report.stack.size() || !report.stack[report.place].site)
    return;
  const SiteAddress &site = *report.stack[report.place].site;
  uint64_t instance = 0;
  if (!context.countFolder.empty())
    instance =
        countOfSite(context.build, context.countFolder, site.moduleId, site.site, report.thread);
  report.site = ReportedSite{site.moduleId, site.site, instance};
}

/// Who threw what nobody caught is not on the stack any more if it was let through to a function
/// that lets nothing out, or caught and thrown again: the runtime has kept it.
void takeThrow(FailureReport &report, const FailureContext &context, CodePlaces &places) {
  auto isThere = [&](const char *function) {
    return std::any_of(report.stack.begin(), report.stack.end(), [&](const StackFrame &frame) {
      return frame.function.starts_with(function);
    });
  };
  if (report.kind != abi::FailureKind::UncaughtException || context.record.throwCallerCount == 0 ||
      isThere("__cxa_throw"))
    return;
  auto count = std::min<uint64_t>(context.record.throwCallerCount, abi::kMostThrowCallers);
  CallStack thrown =
      places.stackOf(0, false, context.record.throwCallers, static_cast<uint32_t>(count));
  bool isAgain = isThere("__cxa_rethrow") || isThere("std::rethrow_exception");
  (isAgain ? report.thrownAt : report.stack) = std::move(thrown);
}

/// Of a program that hangs, the first thread stands for all.
void takeThreads(FailureReport &report, const FailureContext &context, CodePlaces &places) {
  for (const abi::FailureThread &thread : context.record.threads)
    if (thread.isComplete)
      report.threads.push_back(
          {thread.thread, thread.tid,
           places.stackOf(thread.pc, false, thread.callers,
                          std::min(thread.callerCount, abi::kMostThreadCallers))});
  std::sort(report.threads.begin(), report.threads.end(),
            [](const ReportedThread &a, const ReportedThread &b) {
              return std::pair(a.thread == 0, a.thread) < std::pair(b.thread == 0, b.thread);
            });
  if (!report.stack.empty() || report.threads.empty())
    return;
  report.thread = report.threads.front().thread;
  report.stack = report.threads.front().stack;
}

/// libc checks the blocks of libraries, which are its own; its last words tell what it found.
abi::FailureKind kindOfLastWords(const std::string &words) {
  if (words.find("double free") != std::string::npos)
    return abi::FailureKind::DoubleFree;
  if (words.find("(): invalid pointer") != std::string::npos)
    return abi::FailureKind::WildFree;
  for (const char *start :
       {"malloc(): ", "free(): ", "realloc(): ", "corrupted ", "malloc_consolid"})
    if (words.starts_with(start))
      return abi::FailureKind::BrokenHeap;
  return abi::FailureKind::Abort;
}

/// Without the C++ library in the executable, only the stack tells that abort() was terminate().
void refineKind(FailureReport &report) {
  if (report.kind == abi::FailureKind::Abort)
    report.kind = kindOfLastWords(report.detail);
  if (report.kind == abi::FailureKind::Abort &&
      std::any_of(report.stack.begin(), report.stack.end(),
                  [](const StackFrame &frame) { return frame.function == "std::terminate()"; }))
    report.kind = abi::FailureKind::Terminate;
}

} // namespace

bool isSystemHeader(std::string_view path) {
  return path.starts_with("/usr/include/") || path.starts_with("/usr/lib/") ||
         path.starts_with("/usr/local/include/");
}

bool isInSystemHeader(const StackFrame &frame) {
  return isSystemHeader(frame.path);
}

std::optional<FailureReport> readFailure(const FailureContext &context) {
  if (!stands(context)) {
    const OwnSignal *signal = ownSignal(context);
    return signal ? std::optional(reportWithoutRecord(context, *signal)) : std::nullopt;
  }
  const abi::FailureRecord &record = context.record;
  CodePlaces places(context);
  std::optional<Instruction> instruction = failingInstruction(record);
  FailureReport report;
  report.kind = record.kind;
  report.signal = record.signal;
  report.signalCode = record.signalCode;
  report.thread = record.thread;
  report.process = record.process;
  report.isInChild = record.process != context.process;
  report.stack = places.stackOf(record.pc, isBehind(record), record.callers,
                                std::min(record.callerCount, abi::kMostCallers));
  takeText(report, recordedText(context));
  takeAccess(report, context, places, instruction);
  AddressNames names(context);
  if (report.address && report.access != AccessKind::Execute)
    report.addressName = names.describe(*report.address, report.accessSize);
  takeBlocks(report, context, places, names);
  takeThreads(report, context, places);
  takeThrow(report, context, places);
  refineKind(report);
  report.place = placeIn(report.stack);
  takeExpression(report, names);
  takeSite(report, context);
  describeFailure(report, context, instruction);
  return report;
}

std::string signalName(uint32_t signal) {
  const char *name = sigabbrev_np(static_cast<int>(signal));
  return name ? std::string("SIG") + name
              : fmt::format("SIGRTMIN+{}", static_cast<int>(signal) - SIGRTMIN);
}

std::string nameOf(const FailureReport &report) {
  static constexpr const char *kNames[] = {
      "none",        "signal",          "broken-return", "broken-heap",   "broken-guard",
      "double-free", "wild-free",       "abort",         "failed-assert", "uncaught-exception",
      "terminate",   "stack-exhausted", "out-of-memory", "timeout",       "deadlock",
      "exit",        "read-guard"};
  if (report.kind != abi::FailureKind::Signal)
    return kNames[static_cast<uint32_t>(report.kind)];
  switch (report.signal) {
  case SIGSEGV:
    return "segmentation-fault";
  case SIGBUS:
    return "bus-error";
  case SIGFPE:
    return "arithmetic-error";
  case SIGILL:
    return "illegal-instruction";
  case SIGTRAP:
    return "trap";
  case SIGSYS:
    return "bad-system-call";
  case SIGABRT:
    return "abort";
  default:
    return "signal";
  }
}

} // namespace culprit

// See failure_text.h.
#include "report/failure_text.h"

#include "report/call_text.h"
#include "report/source.h"

#include <fmt/format.h>

namespace culprit {
namespace {

constexpr size_t kMostCallers = 16; ///< notes about callers

struct Colours {
  const char *bold = "";
  const char *error = "";
  const char *note = "";
  const char *off = "";
};

Colours coloursFor(bool isWanted) {
  if (!isWanted)
    return {};
  return {"\033[1m", "\033[1;31m", "\033[1;36m", "\033[0m"};
}

class FailureText {
public:
  FailureText(const FailureReport &report, const FailureTextOptions &options)
      : report_(report), options_(options), colours_(coloursFor(options.colour)) {}

  std::string print() {
    bool hasPlace = report_.place < report_.stack.size();
    printError(hasPlace ? &report_.stack[report_.place] : nullptr);
    if (options_.notes) {
      printSite();
      printInner();
      printStack();
      printBlocks();
      printThreads();
      printProcess();
    }
    return text_;
  }

private:
  void printError(const StackFrame *frame) {
    text_ += fmt::format("{}{}: {}error: {}{}{}", colours_.bold,
                         frame ? locationOf(*frame) : options_.program, colours_.error,
                         colours_.off, colours_.bold, report_.message);
    if (const StackFrame *inner = innerFunction())
      text_ += " in " + callName(*inner);
    if (!report_.label.empty())
      text_ += " [" + report_.label + "]";
    text_ += fmt::format("{}\n", colours_.off);
    if (frame)
      printSource(*frame);
    if (frame && frame->isApproximate && options_.notes)
      note("the line is approximate: the optimiser left none for the failing instruction; --exact "
           "keeps it");
  }

  /// For which time the statement was executed, and how that is known.
  void printSite() {
    if (report_.site && report_.site->instance > 0)
      note(fmt::format("it was executed {} time{}{}, this one included", report_.site->instance,
                       report_.site->instance == 1 ? "" : "s",
                       report_.thread > 1 ? " by this thread" : ""));
    if (report_.isRepeated)
      note("a second run, in the sandbox, has told which access it was, and that");
    bool hangs =
        report_.kind == abi::FailureKind::Timeout || report_.kind == abi::FailureKind::Deadlock;
    if (!report_.siteMissing.empty() && !hangs)
      note("for which time it was executed is not known: " + report_.siteMissing);
  }

  /// The library function that failed on behalf of the place that is shown, for failed accesses,
  /// unless the message has it. What the runtime's are made of is no concern of the user's.
  const StackFrame *innerFunction() const {
    bool isAccess = report_.access == AccessKind::Read || report_.access == AccessKind::Write;
    if (!isAccess || !report_.argumentOf.empty() || report_.place >= report_.stack.size())
      return nullptr;
    auto end = report_.stack.begin() + static_cast<ptrdiff_t>(report_.place);
    auto found = std::find_if(report_.stack.begin(), end, [](const StackFrame &frame) {
      return !frame.linkageName.starts_with("_ZN7culprit") &&
             !frame.linkageName.starts_with("__culprit_");
    });
    return found == end || found->function.empty() ? nullptr : &*found;
  }

  static std::vector<std::string> sourceOf(const StackFrame &frame) {
    return sourceLines(frame.path.empty() ? frame.file : frame.path, "");
  }

  void printSource(const StackFrame &frame) {
    text_ += sourceExcerpt(sourceOf(frame), frame.line, frame.column, options_.colour);
  }

  void note(const std::string &what) {
    text_ += fmt::format("{}note:{} {}\n", colours_.note, colours_.off, what);
  }

  /// Code that runs as it was compiled, such as a plug-in's, where its source is at hand. Libraries
  /// of the system are no concern of the user's; a replay has copies of them elsewhere.
  void printInner() {
    for (size_t i = 0; i < report_.place && i < report_.stack.size(); ++i) {
      const StackFrame &frame = report_.stack[i];
      bool isSystems = frame.image.starts_with("/usr/lib") || frame.image.starts_with("/lib");
      if (frame.origin == FrameOrigin::Foreign && frame.line != 0 && !frame.image.empty() &&
          !isSystems && !sourceOf(frame).empty())
        note(fmt::format("in {} at {}, which runs as it was compiled", callName(frame),
                         locationOf(frame)));
    }
  }

  /// One note per call, from where the failure is shown outwards to the program's start. Calls
  /// inside of the C++ library's headers are left out, and those by which a function of the
  /// runtime's that stands for libc's does its work.
  void printStack() {
    CallStack stack;
    for (size_t i = report_.place; i < report_.stack.size(); ++i) {
      const StackFrame &frame = report_.stack[i];
      if (i != report_.place && isInSystemHeader(frame))
        continue;
      while (frame.origin == FrameOrigin::Runtime && stack.size() > 1 &&
             stack.back().origin != FrameOrigin::Program)
        stack.pop_back();
      stack.push_back(frame);
    }
    while (!stack.empty() && stack.back().origin != FrameOrigin::Program)
      stack.pop_back();
    if (!stack.empty())
      printStack(stack, 0, stack.size());
  }

  /// Calls that repeat, as in recursion, are told once.
  void printStack(const CallStack &stack, size_t first, size_t last) {
    if (first + 1 == last)
      note("in " + callName(stack[first]));
    size_t printed = 0;
    for (size_t i = first; i + 1 < last; ++printed) {
      if (printed == kMostCallers) {
        note(fmt::format("and so on, {} calls more", last - 1 - i));
        return;
      }
      std::string text = callNote(stack, i);
      size_t repeated = 1;
      while (i + repeated + 1 < last && callNote(stack, i + repeated) == text)
        ++repeated;
      note(repeated == 1 ? text : fmt::format("{}, {} times", text, repeated));
      i += repeated;
    }
    if (report_.stack.size() >= abi::kMostCallers)
      note("the calls before those are not recorded");
  }

  static std::string callNote(const CallStack &stack, size_t i) {
    return fmt::format("in {} called from {}", callName(stack[i]), callPlace(stack[i + 1]));
  }

  /// The innermost code of the program itself, and what called it: functions that only allocate
  /// tell little.
  void printBlock(const char *what, const CallStack &stack) {
    std::vector<const StackFrame *> own;
    for (const StackFrame &frame : stack)
      if (frame.origin == FrameOrigin::Program && !isInSystemHeader(frame))
        own.push_back(&frame);
    for (const StackFrame &frame : stack)
      if (own.empty() && frame.origin == FrameOrigin::Program)
        own.push_back(&frame);
    if (!own.empty())
      note(fmt::format("{} in {}{}", what, callPlace(*own[0]),
                       own.size() > 1 ? ", called from " + callPlace(*own[1]) : ""));
  }

  void printBlocks() {
    printBlock("the exception was thrown first", report_.thrownAt);
    for (const ReportedWord &word : report_.words)
      if (!word.name.empty())
        note(fmt::format("{:#x} is {}", word.word.address, word.name));
    for (const ReportedBlock &block : report_.blocks) {
      printBlock(fmt::format("the block of {} bytes was allocated", block.size).c_str(),
                 block.allocatedAt);
      printBlock("it was freed", block.freedAt);
    }
  }

  void printThreads() {
    if (report_.threads.size() < 2)
      return;
    for (const ReportedThread &thread : report_.threads) {
      std::string name = thread.thread != 0 ? fmt::format("thread {}", thread.thread)
                                            : fmt::format("a thread (number {})", thread.tid);
      const StackFrame *inner = thread.stack.empty() ? nullptr : &thread.stack.front();
      const StackFrame *own = ownFrameOf(thread.stack);
      if (own)
        note(fmt::format("{} is in {}", name, callPlace(*own)) + viaOf(thread.stack, own));
      else
        note(
            fmt::format("{} is in {}", name, inner ? callPlace(*inner) : "code that is not known"));
    }
  }

  /// The innermost code of the program's; in a header of the system only where there is no other.
  static const StackFrame *ownFrameOf(const CallStack &stack) {
    const StackFrame *inHeader = nullptr;
    for (const StackFrame &frame : stack) {
      if (frame.origin == FrameOrigin::Program && !isInSystemHeader(frame))
        return &frame;
      if (frame.origin == FrameOrigin::Program && !inHeader)
        inHeader = &frame;
    }
    return inHeader;
  }

  /// What the program called there, if it waits in a library.
  static std::string viaOf(const CallStack &stack, const StackFrame *own) {
    if (own == stack.data())
      return "";
    const StackFrame &called = own[-1];
    return called.function.empty() ? "" : ", in a call of " + callName(called);
  }

  void printProcess() {
    if (report_.isInChild)
      note(fmt::format("this was a child of the program, process {}", report_.process));
    if (report_.thread > 1 && report_.threads.empty())
      note(fmt::format("in thread {}", report_.thread));
  }

  const FailureReport &report_;
  const FailureTextOptions &options_;
  Colours colours_;
  std::string text_;
};

} // namespace

std::string printFailure(const FailureReport &report, const FailureTextOptions &options) {
  return FailureText(report, options).print();
}

} // namespace culprit

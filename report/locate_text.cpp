// See locate_text.h.
#include "report/locate_text.h"

#include "report/call_text.h"
#include "report/noted_text.h"
#include "report/source.h"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>

namespace culprit {
namespace {

constexpr size_t kMostCallers = 3; ///< notes about callers

/// 1st, 2nd, 3rd, 4th, 11th.
std::string ordinal(uint64_t number) {
  bool isTeen = number / 10 % 10 == 1;
  const char *ending = isTeen             ? "th"
                       : number % 10 == 1 ? "st"
                       : number % 10 == 2 ? "nd"
                       : number % 10 == 3 ? "rd"
                                          : "th";
  return fmt::format("{}{}", number, ending);
}

class LocatedText : NotedText {
public:
  LocatedText(const LocateReport &report, const FailureTextOptions &options)
      : NotedText(options.colour), report_(report), options_(options) {}

  std::string print() {
    if (report_.verdict == Verdict::MemoryCorruption)
      for (size_t i = 0; i < report_.rootCauses.size(); ++i)
        show(report_.rootCauses[i], i == 0 ? "root cause" : "or");
    else
      text_ +=
          fmt::format("{}: {}: {}\n", options_.program,
                      report_.verdict == Verdict::NoFailure ? "no failure" : "root cause not found",
                      report_.reason);
    for (const Suspect &suspect : report_.candidates)
      show(suspect, "candidate");
    if (options_.notes)
      printSteps();
    return text_;
  }

private:
  static std::string locationOf(const SitePlace &place) {
    return fmt::format("{}:{}:{}", place.file, place.line, place.column);
  }

  void show(const Suspect &suspect, const char *word) {
    const SitePlace &place = suspect.place;
    bold(locationOf(place) + ": ");
    paint("\033[1;31m", fmt::format("{}: ", word));
    bold(fmt::format("{}{}", suspect.why,
                     place.variable.empty() ? "" : fmt::format(" ('{}')", place.variable)));
    text_ += '\n';
    std::vector<std::string> lines = sourceLines(place.file, place.directory);
    text_ += sourceExcerpt(lines, place.line, place.column, options_.colour);
    if (options_.notes && suspect.instance > 1)
      note(fmt::format("the {} time that this was executed", ordinal(suspect.instance)));
    if (options_.notes && !suspect.wrote.empty())
      note("it writes to " + suspect.wrote);
    else if (options_.notes && !suspect.usedFrom.empty())
      note("what it defined was used from " + suspect.usedFrom);
    for (size_t i = 0; options_.notes && i + 1 < suspect.calls.size() && i < kMostCallers; ++i)
      note(fmt::format("in {} called from {}", callName(suspect.calls[i]),
                       callPlace(suspect.calls[i + 1])));
  }

  void printSteps() {
    if (!report_.setting.empty())
      note(fmt::format("in its analysis build the program did not fail by itself; {}, it does",
                       report_.setting));
    if (report_.steps.empty() && report_.failure)
      tell(*report_.failure);
    for (const LocateStep &step : report_.steps) {
      tell(step.failure);
      for (const Suspect &suspect : step.suppressed)
        note(fmt::format(
            "  suppressed {} in {}{}, which {}", locationOf(suspect.place),
            llvm::demangle(suspect.place.function),
            suspect.instance > 1 ? fmt::format(" the {} time", ordinal(suspect.instance)) : "",
            suspect.why));
    }
    if (!report_.steps.empty() && report_.verdict == Verdict::MemoryCorruption)
      note("  " + report_.proof);
    const LocateCounts &runs = report_.runs;
    note(fmt::format("{} run{}, {} of them altered, and {} to look closer, in {:.1f} s",
                     runs.original + runs.suppression + runs.reordering,
                     runs.original + runs.suppression + runs.reordering == 1 ? "" : "s",
                     runs.suppression + runs.reordering, runs.tracing, report_.seconds));
  }

  void tell(const FailureReport &failure) {
    const StackFrame *frame =
        failure.place < failure.stack.size() ? &failure.stack[failure.place] : nullptr;
    note(fmt::format("{}{}", frame ? fmt::format("{}:{}: ", frame->file, frame->line) : "",
                     failure.message));
  }

  const LocateReport &report_;
  const FailureTextOptions &options_;
};

} // namespace

std::string printLocated(const LocateReport &report, const FailureTextOptions &options) {
  return LocatedText(report, options).print();
}

} // namespace culprit

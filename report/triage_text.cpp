// See triage_text.h.
#include "report/triage_text.h"

#include "report/noted_text.h"
#include "report/source.h"

#include <fmt/format.h>

namespace culprit {
namespace {

constexpr size_t kMostFailures = 6; ///< of a group

std::string counted(size_t count, const char *what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string placeText(const SourcePlace &place) {
  if (place.file.empty())
    return "a place that is not known";
  return fmt::format("{}:{}", place.file, place.line);
}

class TriageText : NotedText {
public:
  TriageText(const TriageReport &report, const FailureTextOptions &options)
      : NotedText(options.colour), report_(report), options_(options) {}

  std::string print() {
    for (const TriageGroup &group : report_.groups) {
      printHead(group);
      if (!options_.notes)
        continue;
      printFailures(group);
      printInputs(group);
      text_ += '\n';
    }
    if (options_.notes)
      printSummary();
    return text_;
  }

private:
  void printHead(const TriageGroup &group) {
    const Located &located = group.located();
    std::string size = counted(group.inputs.size(), "input");
    if (!group.hasCause()) {
      bold(options_.program + ": ");
      text_ += fmt::format("{}: {} ({})\n",
                           group.failures.empty() ? "no failure" : "root cause not found",
                           located.reason, size);
      return;
    }
    const LocatedCause &cause = *located.cause;
    bold(fmt::format("{}:{}: ", placeText(cause.place), cause.place.column));
    paint("\033[1;31m", "root cause: ");
    bold(fmt::format("{}{}", cause.why,
                     cause.variable.empty() ? "" : fmt::format(" ('{}')", cause.variable)));
    text_ += fmt::format(" ({})\n", size);
    std::vector<std::string> lines = sourceLines(cause.place.file, "");
    if (options_.notes)
      text_ += sourceExcerpt(lines, cause.place.line, cause.place.column, options_.colour);
  }

  void printFailures(const TriageGroup &group) {
    size_t shown = std::min(group.failures.size(), kMostFailures);
    for (size_t i = 0; i < shown; ++i) {
      const auto &[failure, inputs] = group.failures[i];
      note(fmt::format("{} at {}: {}", inputs == 1 ? "1 fails" : fmt::format("{} fail", inputs),
                       placeText(failure.place), failure.message));
    }
    if (shown < group.failures.size())
      note(fmt::format("and in {} more ways", group.failures.size() - shown));
  }

  void printInputs(const TriageGroup &group) {
    const LocatedInput &smallest = group.inputs[group.smallest];
    const LocatedInput &representative = group.inputs[group.representative];
    note(fmt::format("representative: {} ({})", representative.path.string(),
                     counted(representative.bytes, "byte")));
    if (&smallest != &representative)
      note(fmt::format("smallest: {} ({})", smallest.path.string(),
                       counted(smallest.bytes, "byte")));
  }

  void printSummary() {
    size_t inputs = 0;
    size_t causes = 0;
    size_t notFound = 0;
    size_t fine = 0;
    for (const TriageGroup &group : report_.groups) {
      inputs += group.inputs.size();
      causes += group.hasCause();
      if (!group.hasCause())
        (group.failures.empty() ? fine : notFound) += group.inputs.size();
    }
    std::string text =
        fmt::format("{}, {}", counted(inputs, "input"), counted(causes, "root cause"));
    if (notFound > 0)
      text += fmt::format(", {} without one", notFound);
    if (fine > 0)
      text += fmt::format(", {} that do{} not fail", fine, fine == 1 ? "es" : "");
    if (report_.known > 0)
      text += fmt::format("; {} known from before", report_.known);
    note(fmt::format("{}; {} located in {:.1f} s", text, report_.located, report_.seconds));
  }

  const TriageReport &report_;
  const FailureTextOptions &options_;
};

} // namespace

std::string printTriage(const TriageReport &report, const FailureTextOptions &options) {
  return TriageText(report, options).print();
}

} // namespace culprit

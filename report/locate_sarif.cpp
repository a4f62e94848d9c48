// See locate_sarif.h.
#include "report/locate_sarif.h"

#include "report/json.h"
#include "report/locate_json.h"
#include "report/sarif.h"

#include <fmt/format.h>

namespace culprit {
namespace {

using llvm::json::Array;
using llvm::json::Object;

std::string sentenceOf(const Suspect &suspect) {
  return suspect.place.variable.empty()
             ? suspect.why
             : fmt::format("{} ('{}')", suspect.why, suspect.place.variable);
}

Object locationOf(const Suspect &suspect, const std::string &message) {
  const SitePlace &place = suspect.place;
  return sarifLocation(place.file, place.line, place.column, message);
}

std::optional<Object> locationOf(const FailureReport &failure) {
  if (failure.place >= failure.stack.size())
    return std::nullopt;
  const StackFrame &frame = failure.stack[failure.place];
  return sarifLocation(frame.file, frame.line, frame.column, failure.message);
}

/// Where to look besides; ids let messages refer to them.
Array relatedLocations(const LocateReport &report) {
  Array related;
  auto add = [&](Object location) {
    location["id"] = static_cast<int64_t>(related.size() + 1);
    related.push_back(std::move(location));
  };
  for (size_t i = 1; i < report.rootCauses.size(); ++i)
    add(locationOf(report.rootCauses[i], "or: " + sentenceOf(report.rootCauses[i])));
  for (const Suspect &suspect : report.candidates)
    add(locationOf(suspect, "candidate: " + sentenceOf(suspect)));
  if (report.failure && !report.rootCauses.empty()) // else the result is there itself
    if (std::optional<Object> location = locationOf(*report.failure))
      add(std::move(*location));
  return related;
}

/// From the cause to the failure: the steps of the search backwards, for each went further back in
/// the run. A definition that was suppressed comes before the failure that used it.
Object codeFlow(const LocateReport &report) {
  Array flow;
  for (size_t i = report.steps.size(); i-- > 0;) {
    const LocateStep &step = report.steps[i];
    for (const Suspect &suspect : step.suppressed)
      flow.push_back(Object{{"location", locationOf(suspect, sentenceOf(suspect))},
                            {"importance", "essential"}});
    if (std::optional<Object> location = locationOf(step.failure))
      flow.push_back(Object{{"location", std::move(*location)},
                            {"importance", i == 0 ? "essential" : "important"}});
  }
  return Object{{"message", Object{{"text", jsonString(report.proof)}}},
                {"threadFlows", Array{Object{{"locations", std::move(flow)}}}}};
}

Object causeAsResult(const LocateReport &report) {
  const Suspect &cause = report.rootCauses.front();
  Object result = sarifResult(nameOf(report.verdict), sentenceOf(cause));
  result["locations"] = Array{locationOf(cause, cause.place.function)};
  result["relatedLocations"] = relatedLocations(report);
  if (report.failure)
    result["stacks"] = Array{sarifStack(report.failure->stack)};
  if (!report.steps.empty())
    result["codeFlows"] = Array{codeFlow(report)};
  return result;
}

} // namespace

std::string locateAsSarif(const LocateReport &report) {
  Array results;
  if (report.verdict == Verdict::MemoryCorruption && !report.rootCauses.empty()) {
    results.push_back(causeAsResult(report));
  } else if (report.failure) {
    Object result = sarifFailure(*report.failure);
    result["message"] =
        Object{{"text", jsonString(fmt::format("{}; root cause not found: {}",
                                               report.failure->message, report.reason))}};
    if (!report.candidates.empty())
      result["relatedLocations"] = relatedLocations(report);
    results.push_back(std::move(result));
  }
  return sarifText(std::move(results));
}

} // namespace culprit

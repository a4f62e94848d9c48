// See triage_sarif.h.
#include "report/triage_sarif.h"

#include "report/json.h"
#include "report/sarif.h"

#include <fmt/format.h>

namespace culprit {
namespace {

using llvm::json::Array;
using llvm::json::Object;

Object locationOf(const SourcePlace &place, const std::string &message) {
  return sarifLocation(place.file, place.line, place.column, message);
}

Array placesOf(const TriageGroup &group) {
  Array places;
  for (const auto &[failure, inputs] : group.failures)
    if (!failure.place.file.empty()) {
      Object place = locationOf(failure.place, failure.message);
      place["id"] = static_cast<int64_t>(places.size() + 1);
      places.push_back(std::move(place));
    }
  return places;
}

Object resultOf(const TriageGroup &group) {
  const Located &located = group.located();
  const auto &cause = located.cause;
  const LocatedFailure &failure = group.failures.front().failure;
  Object result = cause
                      ? sarifResult(located.verdict, cause->why)
                      : sarifResult(failure.kind,
                                    failure.message + "; root cause not found: " + located.reason);
  const SourcePlace &place = cause ? cause->place : failure.place;
  if (!place.file.empty())
    result["locations"] = Array{locationOf(place, place.function)};
  result["relatedLocations"] = placesOf(group);
  result["occurrenceCount"] = static_cast<int64_t>(group.inputs.size());
  result["properties"] =
      Object{{"representative", jsonString(group.inputs[group.representative].path.string())},
             {"smallest", jsonString(group.inputs[group.smallest].path.string())}};
  return result;
}

} // namespace

std::string triageAsSarif(const TriageReport &report) {
  Array results;
  for (const TriageGroup &group : report.groups)
    if (!group.failures.empty())
      results.push_back(resultOf(group));
  return sarifText(std::move(results));
}

} // namespace culprit

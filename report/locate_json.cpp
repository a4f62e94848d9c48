// See locate_json.h.
#include "report/locate_json.h"

#include "report/failure_json.h"
#include "report/json.h"

#include <llvm/Demangle/Demangle.h>

namespace culprit {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Object instanceOf(const Suspect &suspect) {
  const SitePlace &place = suspect.place;
  return Object{{"file", jsonString(place.file)},
                {"line", place.line},
                {"column", place.column},
                {"function", jsonString(llvm::demangle(place.function))},
                {"thread", 1},
                {"instance", suspect.instance == 0
                                 ? Value(nullptr)
                                 : Value(static_cast<int64_t>(suspect.instance))}};
}

Array suspectsOf(const std::vector<Suspect> &suspects) {
  Array array;
  for (const Suspect &suspect : suspects) {
    Object object = instanceOf(suspect);
    object["variable"] =
        suspect.place.variable.empty() ? Value(nullptr) : jsonString(suspect.place.variable);
    object["why"] = suspect.why;
    object["used_from"] = suspect.usedFrom.empty() ? Value(nullptr) : jsonString(suspect.usedFrom);
    object["writes_to"] = suspect.wrote.empty() ? Value(nullptr) : jsonString(suspect.wrote);
    object["calls"] = stackAsJson(suspect.calls);
    array.push_back(std::move(object));
  }
  return array;
}

Object failureOf(const FailureReport &failure) {
  return Object{{"kind", nameOf(failure)},
                {"message", jsonString(failure.message)},
                {"location", failureLocation(failure)}};
}

Value layoutValue(const Layout &layout) {
  llvm::Expected<Value> parsed = llvm::json::parse(layoutAsJson(layout));
  return parsed ? std::move(*parsed) : Value(nullptr);
}

} // namespace

const char *nameOf(Verdict verdict) {
  switch (verdict) {
  case Verdict::MemoryCorruption:
    return "memory-corruption";
  case Verdict::NoFailure:
    return "no-failure";
  case Verdict::NotFound:
    return "not-found";
  }
  return "not-found";
}

std::string locateAsJson(const LocateReport &report) {
  Array steps;
  for (const LocateStep &step : report.steps)
    steps.push_back(
        Object{{"failure", failureOf(step.failure)}, {"suppressed", suspectsOf(step.suppressed)}});
  Object object{
      {"verdict", nameOf(report.verdict)},
      {"failure", report.failure ? Value(failureOf(*report.failure)) : Value(nullptr)},
      {"root_causes", suspectsOf(report.rootCauses)},
      {"candidates", suspectsOf(report.candidates)},
      {"accesses", Array()},
      {"iterations", std::move(steps)},
      {"runs", Object{{"original", report.runs.original},
                      {"suppression", report.runs.suppression},
                      {"reordering", report.runs.reordering},
                      {"race", 0},
                      {"violation", 0},
                      {"tracing", report.runs.tracing}}},
      {"layout", report.layout ? layoutValue(*report.layout) : Value(nullptr)},
      {"reason", report.reason},
      {"proof", report.verdict == Verdict::MemoryCorruption ? Value(report.proof) : Value(nullptr)},
      {"seconds", report.seconds}};
  return jsonText(std::move(object));
}

} // namespace culprit

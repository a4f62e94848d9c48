// See located.h.
#include "analysis/triage/located.h"

#include <llvm/Support/JSON.h>

namespace culprit {
namespace {

using llvm::json::Object;
using llvm::json::Value;

std::string textIn(const Object &object, llvm::StringRef key) {
  return object.getString(key).value_or("").str();
}

SourcePlace placeIn(const Object &object) {
  return {textIn(object, "file"), object.getInteger("line").value_or(0),
          object.getInteger("column").value_or(0), textIn(object, "function")};
}

std::optional<LocatedCause> causeIn(const Object &report) {
  const llvm::json::Array *causes = report.getArray("root_causes");
  const Object *first = causes && !causes->empty() ? causes->front().getAsObject() : nullptr;
  if (!first)
    return std::nullopt;
  return LocatedCause{placeIn(*first), textIn(*first, "variable"), textIn(*first, "why")};
}

std::optional<LocatedFailure> failureIn(const Object &report) {
  const Object *failure = report.getObject("failure");
  if (!failure)
    return std::nullopt;
  const Object *location = failure->getObject("location");
  return LocatedFailure{textIn(*failure, "kind"), textIn(*failure, "message"),
                        location ? placeIn(*location) : SourcePlace()};
}

int64_t runsIn(const Object &report) {
  int64_t count = 0;
  if (const Object *runs = report.getObject("runs"))
    for (const auto &[kind, number] : *runs)
      count += number.getAsInteger().value_or(0);
  return count;
}

} // namespace

std::optional<Located> parseLocated(std::string_view json) {
  llvm::Expected<Value> parsed = llvm::json::parse(json);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return std::nullopt;
  }
  const Object *report = parsed->getAsObject();
  if (!report || !report->getString("verdict"))
    return std::nullopt;
  Located located{textIn(*report, "verdict"),
                  textIn(*report, "reason"),
                  {},
                  failureIn(*report),
                  runsIn(*report),
                  report->getNumber("seconds").value_or(0)};
  if (located.verdict != "not-found" && located.verdict != "no-failure")
    located.cause = causeIn(*report);
  return located;
}

} // namespace culprit

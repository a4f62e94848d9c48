// See triage_json.h.
#include "report/triage_json.h"

#include "report/json.h"

namespace culprit {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Value textOrNull(const std::string &text) {
  return text.empty() ? Value(nullptr) : jsonString(text);
}

Object placeAsJson(const SourcePlace &place) {
  return Object{{"file", textOrNull(place.file)},
                {"line", place.line},
                {"column", place.column},
                {"function", textOrNull(place.function)}};
}

Value causeAsJson(const std::optional<LocatedCause> &cause) {
  if (!cause)
    return nullptr;
  Object object = placeAsJson(cause->place);
  object["variable"] = textOrNull(cause->variable);
  object["why"] = jsonString(cause->why);
  return object;
}

Object failureAsJson(const LocatedFailure &failure) {
  return Object{{"kind", failure.kind},
                {"message", jsonString(failure.message)},
                {"location",
                 failure.place.file.empty() ? Value(nullptr) : Value(placeAsJson(failure.place))}};
}

Array failuresAsJson(const TriageGroup &group) {
  Array failures;
  for (const GroupFailure &failure : group.failures) {
    Object object = failureAsJson(failure.failure);
    object["inputs"] = static_cast<int64_t>(failure.inputs);
    failures.push_back(std::move(object));
  }
  return failures;
}

Object inputAsJson(const LocatedInput &input) {
  const Located &located = input.located;
  return Object{
      {"path", jsonString(input.path.string())},
      {"bytes", static_cast<int64_t>(input.bytes)},
      {"hash", input.hash},
      {"failure", located.failure ? Value(failureAsJson(*located.failure)) : Value(nullptr)},
      {"runs", located.runs},
      {"seconds", located.seconds}};
}

Object groupAsJson(const TriageGroup &group) {
  Array inputs;
  for (const LocatedInput &input : group.inputs)
    inputs.push_back(inputAsJson(input));
  return Object{{"verdict", group.located().verdict},
                {"root_cause", causeAsJson(group.located().cause)},
                {"reason", textOrNull(group.hasCause() ? "" : group.located().reason)},
                {"failures", failuresAsJson(group)},
                {"representative", jsonString(group.inputs[group.representative].path.string())},
                {"smallest", jsonString(group.inputs[group.smallest].path.string())},
                {"inputs", std::move(inputs)}};
}

} // namespace

std::string triageAsJson(const TriageReport &report) {
  Array groups;
  for (const TriageGroup &group : report.groups)
    groups.push_back(groupAsJson(group));
  Array errors;
  for (const TriageError &error : report.errors)
    errors.push_back(
        Object{{"path", jsonString(error.path.string())}, {"message", jsonString(error.message)}});
  return jsonText(Object{{"groups", std::move(groups)},
                         {"errors", std::move(errors)},
                         {"located", static_cast<int64_t>(report.located)},
                         {"known", static_cast<int64_t>(report.known)},
                         {"seconds", report.seconds}});
}

} // namespace culprit

// See sarif.h.
#include "report/sarif.h"

#include "report/json.h"

#include <set>

namespace culprit {

using llvm::json::Array;
using llvm::json::Object;

Object sarifLocation(const std::string &file, int64_t line, int64_t column,
                     const std::string &message) {
  Object physical{{"artifactLocation", Object{{"uri", jsonString(file)}}}};
  if (line != 0) {
    Object region{{"startLine", line}};
    if (column != 0)
      region["startColumn"] = column;
    physical["region"] = std::move(region);
  }
  return Object{{"physicalLocation", std::move(physical)},
                {"message", Object{{"text", jsonString(message)}}}};
}

Object sarifStack(const CallStack &stack) {
  Array frames;
  for (const StackFrame &frame : stack)
    if (frame.line != 0)
      frames.push_back(Object{
          {"location", sarifLocation(frame.file, frame.line, frame.column, frame.function)}});
  return Object{{"frames", std::move(frames)}};
}

Object sarifResult(const std::string &rule, const std::string &message) {
  return Object{
      {"ruleId", rule}, {"level", "error"}, {"message", Object{{"text", jsonString(message)}}}};
}

Object sarifFailure(const FailureReport &report) {
  Object result = sarifResult(nameOf(report), report.message);
  result["stacks"] = Array{sarifStack(report.stack)};
  if (report.place < report.stack.size()) {
    const StackFrame &place = report.stack[report.place];
    result["locations"] =
        Array{sarifLocation(place.file, place.line, place.column, place.function)};
  }
  return result;
}

std::string sarifText(Array results) {
  std::set<std::string> names;
  for (const llvm::json::Value &result : results)
    names.insert(result.getAsObject()->getString("ruleId")->str());
  Array rules;
  for (const std::string &name : names)
    rules.push_back(Object{{"id", name}});
  Object driver{{"name", "culprit"}, {"rules", std::move(rules)}};
  Object run{{"tool", Object{{"driver", std::move(driver)}}}, {"results", std::move(results)}};
  return jsonText(Object{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Array{std::move(run)}}});
}

} // namespace culprit

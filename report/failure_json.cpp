// See failure_json.h.
#include "report/failure_json.h"

#include "report/json.h"
#include "report/sarif.h"

namespace culprit {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Value stringOrNull(const std::string &text) {
  return text.empty() ? Value(nullptr) : jsonString(text);
}

Object locationOf(const StackFrame &frame) {
  return Object{{"file", stringOrNull(frame.file)},
                {"line", frame.line},
                {"column", frame.column},
                {"function", stringOrNull(frame.function)}};
}

const char *nameOf(FrameOrigin origin) {
  switch (origin) {
  case FrameOrigin::Program:
    return "program";
  case FrameOrigin::Runtime:
    return "runtime";
  case FrameOrigin::Foreign:
    return "foreign";
  }
  return "foreign";
}

Value accessName(AccessKind kind) {
  switch (kind) {
  case AccessKind::None:
    return nullptr;
  case AccessKind::Read:
    return "read";
  case AccessKind::Write:
    return "write";
  case AccessKind::Execute:
    return "execute";
  }
  return nullptr;
}

} // namespace

Array stackAsJson(const CallStack &stack) {
  Array frames;
  for (const StackFrame &frame : stack) {
    Object object = locationOf(frame);
    object["address"] = hex(frame.address);
    object["origin"] = nameOf(frame.origin);
    object["image"] = stringOrNull(frame.image);
    object["inlined"] = frame.isInlined;
    object["approximate"] = frame.isApproximate;
    frames.push_back(std::move(object));
  }
  return frames;
}

namespace {

Value signalAsJson(const FailureReport &report) {
  if (report.signal == 0)
    return nullptr;
  return Object{
      {"number", report.signal}, {"name", signalName(report.signal)}, {"code", report.signalCode}};
}

Array blocksAsJson(const FailureReport &report) {
  Array blocks;
  for (const ReportedBlock &block : report.blocks)
    blocks.push_back(Object{{"address", hex(block.address)},
                            {"size", block.size},
                            {"state", block.isFreed ? "freed" : "live"},
                            {"allocated_at", stackAsJson(block.allocatedAt)},
                            {"freed_at", stackAsJson(block.freedAt)}});
  return blocks;
}

Array wordsAsJson(const FailureReport &report) {
  Array words;
  for (const ReportedWord &word : report.words)
    words.push_back(Object{{"address", hex(word.word.address)},
                           {"found", hex(word.word.found)},
                           {"expected", hex(word.word.expected)},
                           {"name", stringOrNull(word.name)}});
  return words;
}

Array threadsAsJson(const FailureReport &report) {
  Array threads;
  for (const ReportedThread &thread : report.threads)
    threads.push_back(Object{{"thread", thread.thread}, {"stack", stackAsJson(thread.stack)}});
  return threads;
}

Array stringsAsJson(const std::vector<std::string> &strings) {
  Array array;
  for (const std::string &string : strings)
    array.push_back(jsonString(string));
  return array;
}

Value siteAsJson(const FailureReport &report) {
  if (!report.site)
    return nullptr;
  return Object{{"module", report.site->moduleId},
                {"number", report.site->number},
                {"instance", static_cast<int64_t>(report.site->instance)}};
}

const StackFrame *placeOf(const FailureReport &report) {
  return report.place < report.stack.size() ? &report.stack[report.place] : nullptr;
}

} // namespace

Object failureAsJson(const FailureReport &report) {
  const StackFrame *place = placeOf(report);
  return Object{
      {"kind", nameOf(report)},
      {"message", jsonString(report.message)},
      {"detail", stringOrNull(report.detail)},
      {"exception", stringOrNull(report.exceptionType)},
      {"location", failureLocation(report)},
      {"approximate", place && place->isApproximate},
      {"signal", signalAsJson(report)},
      {"thread", report.thread},
      {"process", report.process},
      {"in_child", report.isInChild},
      {"repeated", report.isRepeated},
      {"access", accessName(report.access)},
      {"access_size", report.accessSize},
      {"address", report.address ? Value(hex(*report.address)) : Value(nullptr)},
      {"address_name", stringOrNull(report.addressName)},
      {"expression", stringOrNull(report.expression)},
      {"candidates", stringsAsJson(report.candidates)},
      {"argument_of", stringOrNull(report.argumentOf)},
      {"site", siteAsJson(report)},
      {"site_missing", stringOrNull(report.siteMissing)},
      {"stack", stackAsJson(report.stack)},
      {"thrown_at", stackAsJson(report.thrownAt)},
      {"words", wordsAsJson(report)},
      {"blocks", blocksAsJson(report)},
      {"threads", threadsAsJson(report)},
  };
}

Value failureLocation(const FailureReport &report) {
  const StackFrame *place = placeOf(report);
  if (!place)
    return nullptr;
  Object location = locationOf(*place);
  if (report.site && report.site->instance != 0) {
    location["thread"] = report.thread;
    location["instance"] = static_cast<int64_t>(report.site->instance);
  }
  return location;
}

std::string runAsJson(int status, const FailureReport *report) {
  return jsonText(Object{{"status", status},
                         {"failure", report ? Value(failureAsJson(*report)) : Value(nullptr)}});
}

std::string failureAsSarif(const FailureReport *report) {
  Array results;
  if (report)
    results.push_back(sarifFailure(*report));
  return sarifText(std::move(results));
}

} // namespace culprit

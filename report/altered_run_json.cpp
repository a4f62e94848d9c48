// See altered_run_json.h.
#include "report/altered_run_json.h"

#include "report/failure_json.h"
#include "report/json.h"

#include <algorithm>
#include <llvm/Demangle/Demangle.h>

namespace culprit {
namespace {

using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

Object placeAsJson(const SitePlace &place) {
  return Object{{"file", jsonString(place.file)},
                {"line", place.line},
                {"column", place.column},
                {"function", jsonString(llvm::demangle(place.function))},
                {"variable", place.variable.empty() ? Value(nullptr) : jsonString(place.variable)}};
}

Array pointsAsJson(const AlteredRun &run, const RunResult &result, const ProgramSites &sites) {
  Array points;
  for (size_t i = 0; i < run.points.size(); ++i) {
    const Execution &point = run.points[i];
    Object object = placeAsJson(sites.placeOf(point.site));
    object["time"] = static_cast<int64_t>(point.time);
    if (i < result.seen.pointCount)
      object["instance"] = static_cast<int64_t>(result.seen.points[i].instance);
    if (point.high != 0)
      object["addresses"] = Array{hex(point.low), hex(point.high)};
    points.push_back(std::move(object));
  }
  return points;
}

const char *nameOf(abi::Way way) {
  switch (way) {
  case abi::Way::Past:
    break;
  case abi::Way::Computed:
    return "computed";
  case abi::Way::Other:
    return "other";
  }
  return "past";
}

Array branchesAsJson(const AlteredRun &run, const ProgramSites &sites) {
  Array branches;
  for (const SiteAddress &branch : run.branches)
    branches.push_back(placeAsJson(sites.placeOf(branch)));
  return branches;
}

/// The execution that an origin names.
Value originAsJson(uint64_t origin, const ProgramSites &sites) {
  std::optional<SiteAddress> site = sites.find(abi::siteOfOrigin(origin));
  if (origin == 0 || !site)
    return nullptr;
  Object object = placeAsJson(sites.placeOf(*site));
  object["time"] = static_cast<int64_t>(abi::timeOfOrigin(origin));
  object["corrupt"] = (origin & abi::kOriginCorrupt) != 0;
  object["stale"] = (origin & abi::kOriginStale) != 0;
  return object;
}

Array operandsAsJson(const RunResult &result, const ProgramSites &sites) {
  Array operands;
  uint32_t count = std::min(result.seen.operandCount, abi::kMostOperands);
  for (uint32_t i = 0; i < count; ++i) {
    const abi::ProbedOperand &operand = result.seen.operands[i];
    operands.push_back(Object{{"number", static_cast<int64_t>(operand.number)},
                              {"value", hex(operand.value)},
                              {"defined_by", originAsJson(operand.origin, sites)},
                              {"freed_by", originAsJson(operand.freed, sites)}});
  }
  return operands;
}

Array writesAsJson(const RunResult &result) {
  Array writes;
  for (const ResolvedWrite &write : result.writes)
    writes.push_back(
        Object{{"time", static_cast<int64_t>(write.time)}, {"stack", stackAsJson(write.stack)}});
  return writes;
}

Value layoutValue(const Layout *layout) {
  if (!layout)
    return nullptr;
  llvm::Expected<Value> parsed = llvm::json::parse(layoutAsJson(*layout));
  if (parsed)
    return std::move(*parsed);
  llvm::consumeError(parsed.takeError());
  return nullptr;
}

} // namespace

std::string alteredRunAsJson(const AlteredRun &run, const RunResult &result,
                             const ProgramSites &sites, const std::filesystem::path &executable) {
  return jsonText(
      Object{{"build", jsonString(executable.string())},
             {"exact", run.isExact},
             {"suppressed", pointsAsJson(run, result, sites)},
             {"branches", branchesAsJson(run, sites)},
             {"way", nameOf(run.way)},
             {"layout", layoutValue(run.layout)},
             {"probe", run.probe ? Value(placeAsJson(sites.placeOf(*run.probe))) : Value(nullptr)},
             {"operands", operandsAsJson(result, sites)},
             {"access_freed_by", originAsJson(result.seen.accessFreed, sites)},
             {"watched", run.watched ? Value(hex(*run.watched)) : Value(nullptr)},
             {"writes", writesAsJson(result)},
             {"status", result.status},
             {"seconds", result.seconds},
             {"kilobytes", result.kilobytes},
             {"ended_early", result.seen.ending == abi::Ending::Early},
             {"failure", result.failure ? Value(failureAsJson(*result.failure)) : Value(nullptr)}});
}

} // namespace culprit

// See made_runs.h.
#include "analysis/locate/made_runs.h"

#include <fmt/format.h>

namespace culprit {
namespace {

std::string identityOf(const SiteAddress &site) {
  return fmt::format("{}:{}", site.moduleId, site.site);
}

/// All that a run's course and what is seen of it depend on.
std::string identityOf(const AlteredRun &run) {
  std::string text = fmt::format("{} {} {} {} {} {} {}", static_cast<int>(run.way), run.isExact,
                                 run.checksReads, run.tracedTime, run.tracedPointer,
                                 run.watched.value_or(0), run.probe ? identityOf(*run.probe) : "");
  for (const Execution &point : run.points)
    text += fmt::format(" p{}@{},{},{}", identityOf(point.site), point.time, point.low, point.high);
  for (const SiteAddress &branch : run.branches)
    text += " b" + identityOf(branch);
  return run.layout ? text + layoutAsJson(*run.layout) : text;
}

unsigned &countOf(const AlteredRun &run, LocateCounts &counts) {
  if (run.isExact)
    return counts.tracing;
  if (!run.points.empty())
    return counts.suppression;
  return run.layout ? counts.reordering : counts.original;
}

} // namespace

RunResult MadeRuns::run(const AlteredRun &wanted) {
  std::string identity = identityOf(wanted);
  auto made = made_.find(identity);
  if (made == made_.end()) {
    ++countOf(wanted, counts_);
    made = made_.emplace(std::move(identity), runs_.run(wanted)).first;
  }
  return made->second;
}

std::vector<abi::FailureKind> MadeRuns::scan(const std::vector<AlteredRun> &wanted) {
  if (!runs_.scan)
    return {};
  counts_.reordering += static_cast<unsigned>(wanted.size());
  return runs_.scan(wanted);
}

} // namespace culprit

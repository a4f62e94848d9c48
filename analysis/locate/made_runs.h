// Runs, each made once. The loops ask for the same run again where they start over or look at
// another side of it; the program would do the same again, so that what was seen is given again.
// What was made is counted by what was altered.
#ifndef CULPRIT_ANALYSIS_LOCATE_MADE_RUNS_H
#define CULPRIT_ANALYSIS_LOCATE_MADE_RUNS_H

#include "analysis/locate/altered_run.h"

#include <map>
#include <string>

namespace culprit {

struct LocateCounts {
  unsigned original = 0;    ///< unaltered runs
  unsigned suppression = 0; ///< runs without the effect of something
  unsigned reordering = 0;  ///< runs on other layouts
  unsigned tracing = 0;     ///< the same runs again, to look closer
};

class MadeRuns {
public:
  explicit MadeRuns(const Runs &runs) : runs_(runs) {}

  RunResult run(const AlteredRun &wanted);

  /// How runs on other layouts end, made at once; nothing: they have to be made one by one.
  std::vector<abi::FailureKind> scan(const std::vector<AlteredRun> &wanted);

  const LocateCounts &counts() const { return counts_; }

private:
  const Runs &runs_;
  LocateCounts counts_;
  std::map<std::string, RunResult> made_;
};

} // namespace culprit
#endif

// Altered runs of a recording: replayed in the sandbox up to a point, altered there, and left to go
// on by themselves, with files, offsets and pending input as at that point.
//
// The recording does not hold the paths that the program used; a replay that prints nothing finds
// them out first. Then the host makes a plan (recording/leave_plan.h), and the run follows it.
#ifndef CULPRIT_CLI_LEFT_RUN_H
#define CULPRIT_CLI_LEFT_RUN_H

#include "abi/recording.h"
#include "cli/launch.h"
#include "cli/recorded_build.h"
#include "cli/shared_record.h"
#include "recording/leave_plan.h"

namespace culprit {

struct ReplayFile : SharedRecord<abi::ReplayState> {
  ReplayFile() : SharedRecord("the record of the replay") {}
};

class LeftRuns {
public:
  /// Changes to the folder that the program was started in, and replays it once. `folder` is the
  /// recording's, absolute. Throws Failure when the recording cannot be replayed from its start.
  LeftRuns(std::filesystem::path folder, const RecordedLog &log, const RecordedBuild &build,
           double timeout);

  /// Runs it to its end; `launch` has what the caller wants to know of a failure and is filled in.
  /// The result's sandbox has what the run wrote. Throws Failure (refused) when the program cannot
  /// have at the point what it had.
  Outcome run(const LeaveRequest &request, const SandboxOptions &sandbox, Launch &launch);

private:
  std::string findPaths(double timeout) const;
  void check(const History &history, const LeavePoint &point) const;
  void checkEnd(const abi::ReplayState &state, const LeavePlan &plan, const History &history) const;

  std::filesystem::path folder_;
  const RecordedLog &log_;
  const RecordedBuild &build_;
  StartState start_;
  NotedPaths paths_;
};

} // namespace culprit
#endif

// The plan by which an altered run leaves its recording (abi/altered_run.h): which files must first
// become what they were, and what the program gets at the point.
//
// Files are as they are now, in the sandbox's overlay; the recorded run itself may have changed
// them, and others since. Where the recording knows better, the overlay is set right: what was not
// there is removed, what was read whole is written anew, what was only added to is cut. Where it
// knows that a file is another now, and not how it was, and the run would use it, there is no plan.
#ifndef CULPRIT_RECORDING_LEAVE_PLAN_H
#define CULPRIT_RECORDING_LEAVE_PLAN_H

#include "recording/history.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

struct MemoryWrite {
  uint64_t address = 0;
  std::string bytes;
};

/// An alteration, and where it is made.
struct LeaveRequest {
  LeavePoint point;
  std::vector<MemoryWrite> writes;
};

struct LeavePlan {
  std::string bytes;              ///< for the runtime
  std::vector<std::string> steps; ///< in words
  std::vector<std::string> notes; ///< for the user
};

/// `recording` is the recording's folder. Throws Failure (refused) when the program had something
/// at the point that cannot be had again; it says what.
LeavePlan makeLeavePlan(const History &history, const LeaveRequest &request, const RecordedLog &log,
                        const std::filesystem::path &recording);

} // namespace culprit
#endif

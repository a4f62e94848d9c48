// How a replay went astray, in words.
#ifndef CULPRIT_REPORT_REPLAY_TEXT_H
#define CULPRIT_REPORT_REPLAY_TEXT_H

#include "abi/recording.h"
#include "compiler/twin/build.h"
#include "recording/leave_plan.h"

#include <string>

namespace culprit {

/// One sentence: the first event that differs, what was expected, what the program did, and where
/// in the source.
std::string describeDivergence(const abi::ReplayState &state, const Build &build);

/// What an altered run cannot have of what the program had where it leaves its recording.
std::string describeLeaveTrouble(const abi::ReplayState &state, const LeavePlan &plan,
                                 const History &history);

} // namespace culprit
#endif

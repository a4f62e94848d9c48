// What happened, in one sentence.
#ifndef CULPRIT_ANALYSIS_FAILURE_MESSAGE_H
#define CULPRIT_ANALYSIS_FAILURE_MESSAGE_H

#include "analysis/failure/failure.h"
#include "analysis/failure/instruction.h"

namespace culprit {

/// Fills in message and label from the other facts of the report.
void describeFailure(FailureReport &report, const FailureContext &context,
                     const std::optional<Instruction> &instruction);

} // namespace culprit
#endif

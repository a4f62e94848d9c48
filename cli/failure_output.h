// What a command says of a program that it ran and that has failed.
#ifndef CULPRIT_CLI_FAILURE_OUTPUT_H
#define CULPRIT_CLI_FAILURE_OUTPUT_H

#include "analysis/failure/failure.h"
#include "cli/command.h"
#include "cli/launch.h"

namespace culprit {

/// Prints what went wrong, if anything did, and writes it as SARIF where that is wanted.
std::optional<FailureReport> reportFailure(const Launch &launch, const Outcome &outcome,
                                           const Program &program, const CommonOptions &common);

} // namespace culprit
#endif

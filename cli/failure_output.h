// What a command says of a program that it ran and that has failed.
#ifndef CULPRIT_CLI_FAILURE_OUTPUT_H
#define CULPRIT_CLI_FAILURE_OUTPUT_H

#include "analysis/failure/failure.h"
#include "cli/command.h"
#include "cli/launch.h"

namespace culprit {

/// What went wrong, if anything did.
std::optional<FailureReport> readFailureOf(const Launch &launch, const Outcome &outcome,
                                           const Program &program);

/// Prints that, and writes it as SARIF where that is wanted.
void printFailureOf(const std::optional<FailureReport> &failure, const Launch &launch,
                    const CommonOptions &common);

/// Both.
std::optional<FailureReport> reportFailure(const Launch &launch, const Outcome &outcome,
                                           const Program &program, const CommonOptions &common);

} // namespace culprit
#endif

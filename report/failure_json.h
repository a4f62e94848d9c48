// A failure for programs: JSON and SARIF, see docs/FORMATS.md.
#ifndef CULPRIT_REPORT_FAILURE_JSON_H
#define CULPRIT_REPORT_FAILURE_JSON_H

#include "analysis/failure/failure.h"

#include <llvm/Support/JSON.h>
#include <string>

namespace culprit {

/// What `culprit run --json` writes; `report` is null when the program did not fail.
std::string runAsJson(int status, const FailureReport *report);

/// A failure, and calls, innermost first, as they are in there.
llvm::json::Object failureAsJson(const FailureReport &report);
llvm::json::Array stackAsJson(const CallStack &stack);

/// Where it failed, and for which time, where that is known; null if nothing is.
llvm::json::Value failureLocation(const FailureReport &report);

/// SARIF 2.1.0 with one result, or none.
std::string failureAsSarif(const FailureReport *report);

} // namespace culprit
#endif

// SARIF 2.1.0 as culprit writes it: the parts that all findings share.
#ifndef CULPRIT_REPORT_SARIF_H
#define CULPRIT_REPORT_SARIF_H

#include "analysis/failure/failure.h"

#include <llvm/Support/JSON.h>
#include <string>

namespace culprit {

/// A place in the source, and what is to be said about it. Line or column 0: not known.
llvm::json::Object sarifLocation(const std::string &file, int64_t line, int64_t column,
                                 const std::string &message);

/// The calls that led to a failure, innermost first, as far as their lines are known.
llvm::json::Object sarifStack(const CallStack &stack);

/// A result of level "error" without a location; `rule` names the kind of finding.
llvm::json::Object sarifResult(const std::string &rule, const std::string &message);

/// A failure as a result, whatever has caused it: its place and its stack.
llvm::json::Object sarifFailure(const FailureReport &report);

/// The whole file. The rules are those that the results name.
std::string sarifText(llvm::json::Array results);

} // namespace culprit
#endif

// Grouped inputs for people.
#ifndef CULPRIT_REPORT_TRIAGE_TEXT_H
#define CULPRIT_REPORT_TRIAGE_TEXT_H

#include "analysis/triage/groups.h"
#include "report/failure_text.h"

#include <string>

namespace culprit {

/// Every group with its cause, how its inputs fail, a representative and the smallest input; then
/// how many there are. Without notes: one line per group.
std::string printTriage(const TriageReport &report, const FailureTextOptions &options);

} // namespace culprit
#endif

// Grouped inputs as SARIF, for editors and code review.
#ifndef CULPRIT_REPORT_TRIAGE_SARIF_H
#define CULPRIT_REPORT_TRIAGE_SARIF_H

#include "analysis/triage/groups.h"

#include <string>

namespace culprit {

/// One result for each group: at its root cause, or at the failure if none was found. What does
/// not fail is no finding.
std::string triageAsSarif(const TriageReport &report);

} // namespace culprit
#endif

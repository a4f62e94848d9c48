// Grouped inputs for programs: JSON, see docs/FORMATS.md.
#ifndef CULPRIT_REPORT_TRIAGE_JSON_H
#define CULPRIT_REPORT_TRIAGE_JSON_H

#include "analysis/triage/groups.h"

#include <string>

namespace culprit {

std::string triageAsJson(const TriageReport &report);

} // namespace culprit
#endif

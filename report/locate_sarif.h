// A located root cause as SARIF, for editors and code review.
#ifndef CULPRIT_REPORT_LOCATE_SARIF_H
#define CULPRIT_REPORT_LOCATE_SARIF_H

#include "analysis/locate/locate.h"

#include <string>

namespace culprit {

/// One result at the root cause, with the failure's stack, the other candidates as related
/// locations, and the way from the cause to the failure as code flow. A failure without a root
/// cause is a result at the failure; no failure, none.
std::string locateAsSarif(const LocateReport &report);

} // namespace culprit
#endif

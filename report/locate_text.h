// A located root cause for people.
#ifndef CULPRIT_REPORT_LOCATE_TEXT_H
#define CULPRIT_REPORT_LOCATE_TEXT_H

#include "analysis/locate/locate.h"
#include "report/failure_text.h"

#include <string>

namespace culprit {

std::string printLocated(const LocateReport &report, const FailureTextOptions &options);

} // namespace culprit
#endif

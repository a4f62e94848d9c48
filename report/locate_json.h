// A located root cause for programs: JSON, see docs/FORMATS.md.
#ifndef CULPRIT_REPORT_LOCATE_JSON_H
#define CULPRIT_REPORT_LOCATE_JSON_H

#include "analysis/locate/locate.h"

#include <string>

namespace culprit {

const char *nameOf(Verdict verdict);
std::string locateAsJson(const LocateReport &report);

} // namespace culprit
#endif

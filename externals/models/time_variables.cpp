// What tzset and its kin set.
#include "externals/models/library_variable.h"

// NOLINTBEGIN(bugprone-reserved-identifier)
namespace {
char g_noZone[] = "GMT";
} // namespace

CULPRIT_VARIABLE char *__tzname[2] = {g_noZone, g_noZone};
CULPRIT_VARIABLE long __timezone = 0;
CULPRIT_VARIABLE int __daylight = 0;
CULPRIT_ALIAS(__tzname) char *tzname[2];
CULPRIT_ALIAS(__timezone) long timezone;
CULPRIT_ALIAS(__daylight) int daylight;
CULPRIT_VARIABLE int getdate_err = 0;
// NOLINTEND(bugprone-reserved-identifier)

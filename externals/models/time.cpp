// Calendar time: the structure and texts that libc keeps, and the names of time zones, which are in
// `tzname` and in each `tm` that libc fills in.
//
// As in glibc, localtime and gmtime share one structure, asctime and ctime one text.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/zone_names.h"

#include <string.h>
#include <time.h>
#include <wchar.h>

namespace culprit {
namespace {

tm g_time;
tm g_date;
char g_text[128];

tm *keepIn(tm &slot, const tm *theirs) {
  keepZoneNames();
  if (!theirs)
    return nullptr;
  slot = *theirs;
  slot.tm_zone = keptText(theirs->tm_zone);
  return &slot;
}

/// In a structure of the program's whose zone was `before`.
void keepZone(tm *time, const char *before) {
  keepZoneNames();
  if (time->tm_zone != before)
    time->tm_zone = keptText(time->tm_zone);
}

} // namespace

void keepZoneNames() {
  for (char *&name : tzname)
    name = keptText(name);
}

CULPRIT_EXTERNAL tm *localtime(const time_t *when) {
  tm *theirs = CULPRIT_NEXT(localtime)(when);
  return CULPRIT_CALLED_BY_PROGRAM ? keepIn(g_time, theirs) : theirs;
}

CULPRIT_EXTERNAL tm *gmtime(const time_t *when) {
  tm *theirs = CULPRIT_NEXT(gmtime)(when);
  return CULPRIT_CALLED_BY_PROGRAM ? keepIn(g_time, theirs) : theirs;
}

CULPRIT_EXTERNAL tm *getdate(const char *text) {
  tm *theirs = CULPRIT_NEXT(getdate)(text);
  return CULPRIT_CALLED_BY_PROGRAM ? keepIn(g_date, theirs) : theirs;
}

CULPRIT_EXTERNAL tm *localtime_r(const time_t *when, tm *time) {
  tm *result = CULPRIT_NEXT(localtime_r)(when, time);
  if (result && CULPRIT_CALLED_BY_PROGRAM)
    keepZone(result, nullptr);
  return result;
}

CULPRIT_EXTERNAL tm *gmtime_r(const time_t *when, tm *time) {
  tm *result = CULPRIT_NEXT(gmtime_r)(when, time);
  if (result && CULPRIT_CALLED_BY_PROGRAM)
    keepZone(result, nullptr);
  return result;
}

CULPRIT_EXTERNAL time_t mktime(tm *time) {
  const char *before = time->tm_zone;
  time_t when = CULPRIT_NEXT(mktime)(time);
  if (CULPRIT_CALLED_BY_PROGRAM)
    keepZone(time, before);
  return when;
}

CULPRIT_EXTERNAL time_t timelocal(tm *time) __attribute__((alias("mktime")));

CULPRIT_EXTERNAL time_t timegm(tm *time) {
  const char *before = time->tm_zone;
  time_t when = CULPRIT_NEXT(timegm)(time);
  if (CULPRIT_CALLED_BY_PROGRAM)
    keepZone(time, before);
  return when;
}

CULPRIT_EXTERNAL char *strptime(const char *text, const char *format, tm *time) {
  const char *before = time->tm_zone;
  char *end = CULPRIT_NEXT(strptime)(text, format, time);
  if (CULPRIT_CALLED_BY_PROGRAM)
    keepZone(time, before);
  return end;
}

CULPRIT_EXTERNAL size_t strftime(char *text, size_t size, const char *format, const tm *time) {
  size_t length = CULPRIT_NEXT(strftime)(text, size, format, time);
  keepZoneNames();
  return length;
}

CULPRIT_EXTERNAL size_t wcsftime(wchar_t *text, size_t size, const wchar_t *format,
                                 const tm *time) {
  size_t length = CULPRIT_NEXT(wcsftime)(text, size, format, time);
  keepZoneNames();
  return length;
}

CULPRIT_EXTERNAL void tzset() {
  CULPRIT_NEXT(tzset)();
  keepZoneNames();
}

CULPRIT_EXTERNAL char *asctime(const tm *time) {
  char *text = CULPRIT_NEXT(asctime)(time); // NOLINT(bugprone-unsafe-functions)
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_text, text) : text;
}

CULPRIT_EXTERNAL char *ctime(const time_t *when) {
  char *text = CULPRIT_NEXT(ctime)(when);
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return text;
  keepIn(g_time, CULPRIT_NEXT(localtime)(when));
  return copyInto(g_text, text);
}

} // namespace culprit

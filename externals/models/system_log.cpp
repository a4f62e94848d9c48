// syslog: libc writes the message for errno where the format says %m, and is to see the program's.
#include "externals/external.h"
#include "externals/models/error_cells.h"
#include "externals/models/zone_names.h"

#include <stdarg.h>
#include <syslog.h>

// What headers call with checks of the format.
extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier)
void __syslog_chk(int priority, int flag, const char *format, ...);
void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace culprit {

CULPRIT_EXTERNAL void vsyslog(int priority, const char *format, va_list arguments) {
  showErrorToLibc();
  CULPRIT_NEXT(vsyslog)(priority, format, arguments);
  keepZoneNames(); // of the time stamp
}

CULPRIT_EXTERNAL void __vsyslog_chk(int priority, int flag, const char *format, va_list arguments) {
  showErrorToLibc();
  CULPRIT_NEXT(__vsyslog_chk)(priority, flag, format, arguments);
  keepZoneNames(); // of the time stamp
}

CULPRIT_EXTERNAL void syslog(int priority, const char *format, ...) {
  showErrorToLibc();
  va_list arguments;
  va_start(arguments, format);
  CULPRIT_NEXT(vsyslog)(priority, format, arguments);
  keepZoneNames(); // of the time stamp
  va_end(arguments);
}

CULPRIT_EXTERNAL void __syslog_chk(int priority, int flag, const char *format, ...) {
  showErrorToLibc();
  va_list arguments;
  va_start(arguments, format);
  CULPRIT_NEXT(__vsyslog_chk)(priority, flag, format, arguments);
  keepZoneNames(); // of the time stamp
  va_end(arguments);
}

} // namespace culprit

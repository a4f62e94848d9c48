// printf to streams.
#ifndef CULPRIT_EXTERNALS_SHIMS_STREAM_PRINT_H
#define CULPRIT_EXTERNALS_SHIMS_STREAM_PRINT_H

#include <stdarg.h>
#include <stdio.h>

namespace culprit {

/// vfprintf, and __vfprintf_chk if `flag` is not 0. Also for files of libc's.
int printTo(FILE *file, int flag, const char *format, va_list arguments);

/// fprintf for what stdio itself has to say.
__attribute__((format(printf, 2, 3))) int printText(FILE *file, const char *format, ...);

} // namespace culprit
#endif

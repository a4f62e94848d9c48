// What formatting and scanning ask libc: facts of the locale, the digits of floating-point numbers
// and the ends of programs that are fortified. All of it is pure: numbers and texts of libc's own
// go in and out, no memory of the program.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_LIBC_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_LIBC_H

#include <langinfo.h>
#include <stddef.h>

namespace culprit {

/// A text of the current locale. It is libc's: it must not be kept.
const char *localeText(nl_item item);

/// A wide character of the current locale.
wchar_t localeCharacter(nl_item item);

/// snprintf and swprintf of one number; `format` has two stars and a conversion of `Float`.
template <typename Float>
int formatNumber(char *buffer, size_t size, const char *format, int width, int precision,
                 Float value);
template <typename Float>
int formatNumber(wchar_t *buffer, size_t size, const char *format, int width, int precision,
                 Float value);

/// Ends the program as glibc does when a format that can be written to has "%n".
[[noreturn]] void dieOfWritableFormat();

/// Ends the program as glibc does when a format names "%2$d" and no "%1$d".
[[noreturn]] void dieOfMissingPosition();

} // namespace culprit
#endif

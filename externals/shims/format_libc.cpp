// See format_libc.h. Functions that are interposed are called by way of what they stand in for.
#include "externals/shims/format_libc.h"

#include "externals/external.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" int __snprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format,
                              ...);

namespace culprit {

const char *localeText(nl_item item) {
  return CULPRIT_NEXT(nl_langinfo)(item);
}

wchar_t localeCharacter(nl_item item) {
  // Such an item is the low half of what is otherwise a pointer.
  return static_cast<wchar_t>(reinterpret_cast<unsigned long>(CULPRIT_NEXT(nl_langinfo)(item)));
}

template <typename Float>
int formatNumber(char *buffer, size_t size, const char *format, int width, int precision,
                 Float value) {
  return CULPRIT_NEXT(snprintf)(buffer, size, format, width, precision, value);
}

template <typename Float>
int formatNumber(wchar_t *buffer, size_t size, const char *format, int width, int precision,
                 Float value) {
  constexpr size_t kLongestFormat = 16;
  wchar_t wide[kLongestFormat] = {};
  for (size_t i = 0; i + 1 < kLongestFormat && format[i]; ++i)
    wide[i] = format[i];
  return CULPRIT_NEXT(swprintf)(buffer, size, wide, width, precision, value);
}

template int formatNumber(char *, size_t, const char *, int, int, double);
template int formatNumber(char *, size_t, const char *, int, int, long double);
template int formatNumber(wchar_t *, size_t, const char *, int, int, double);
template int formatNumber(wchar_t *, size_t, const char *, int, int, long double);

// libc is made to say its own words: it keeps them for whoever looks at the abort.

void dieOfWritableFormat() {
  char buffer[2];
  char format[] = "%n";
  int count = 0;
  CULPRIT_NEXT(__snprintf_chk)(buffer, sizeof buffer, 1, sizeof buffer, format, &count);
  abort();
}

void dieOfMissingPosition() {
  char buffer[2];
  CULPRIT_NEXT(__snprintf_chk)(buffer, sizeof buffer, 1, sizeof buffer, "%2$d", 0, 0);
  abort();
}

} // namespace culprit

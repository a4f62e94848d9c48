// Functions that are given a locale: see locale_objects.cpp.
//
// All of them are linked as soon as the program makes locales: foreign code may be handed one.
#define __NO_CTYPE // NOLINT(bugprone-reserved-identifier)
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/locale_objects.h"
#include "externals/models/thread_cells.h"

#include <ctype.h>
#include <monetary.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

namespace culprit {

locale_t libcLocale(locale_t locale) {
  if (!isProgramLocale(locale))
    return locale;
  TokenEntry *entry = entryOf(TokenKind::Locale, localeToken(locale));
  return entry ? static_cast<locale_t>(entry->theirs) : nullptr;
}

// NOLINTBEGIN(bugprone-macro-parentheses): types and lists of parameters
/// `name` and its second name `__name`, which older headers and libstdc++ use.
#define CULPRIT_LOCALE_CALL(result, name, parameters, ...)                                         \
  CULPRIT_EXTERNAL result name parameters {                                                        \
    return CULPRIT_NEXT(name)(__VA_ARGS__, libcLocale(locale));                                    \
  }                                                                                                \
  CULPRIT_EXTERNAL result __##name parameters __attribute__((alias(#name)));
#define CULPRIT_CLASS_CALL(name) CULPRIT_LOCALE_CALL(int, name, (int c, locale_t locale), c)
#define CULPRIT_WIDE_CALL(result, name)                                                            \
  CULPRIT_LOCALE_CALL(result, name, (wint_t c, locale_t locale), c)
#define CULPRIT_NUMBER_CALL(result, name, character)                                               \
  CULPRIT_LOCALE_CALL(result, name, (const character *text, character **end, locale_t locale),     \
                      text, end)
#define CULPRIT_INTEGER_CALL(result, name, character)                                              \
  CULPRIT_LOCALE_CALL(result, name,                                                                \
                      (const character *text, character **end, int base, locale_t locale), text,   \
                      end, base)

CULPRIT_CLASS_CALL(isalnum_l)
CULPRIT_CLASS_CALL(isalpha_l)
CULPRIT_CLASS_CALL(isblank_l)
CULPRIT_CLASS_CALL(iscntrl_l)
CULPRIT_CLASS_CALL(isdigit_l)
CULPRIT_CLASS_CALL(isgraph_l)
CULPRIT_CLASS_CALL(islower_l)
CULPRIT_CLASS_CALL(isprint_l)
CULPRIT_CLASS_CALL(ispunct_l)
CULPRIT_CLASS_CALL(isspace_l)
CULPRIT_CLASS_CALL(isupper_l)
CULPRIT_CLASS_CALL(isxdigit_l)
CULPRIT_CLASS_CALL(tolower_l)
CULPRIT_CLASS_CALL(toupper_l)

CULPRIT_WIDE_CALL(int, iswalnum_l)
CULPRIT_WIDE_CALL(int, iswalpha_l)
CULPRIT_WIDE_CALL(int, iswblank_l)
CULPRIT_WIDE_CALL(int, iswcntrl_l)
CULPRIT_WIDE_CALL(int, iswdigit_l)
CULPRIT_WIDE_CALL(int, iswgraph_l)
CULPRIT_WIDE_CALL(int, iswlower_l)
CULPRIT_WIDE_CALL(int, iswprint_l)
CULPRIT_WIDE_CALL(int, iswpunct_l)
CULPRIT_WIDE_CALL(int, iswspace_l)
CULPRIT_WIDE_CALL(int, iswupper_l)
CULPRIT_WIDE_CALL(int, iswxdigit_l)
CULPRIT_WIDE_CALL(wint_t, towlower_l)
CULPRIT_WIDE_CALL(wint_t, towupper_l)

CULPRIT_NUMBER_CALL(float, strtof_l, char)
CULPRIT_NUMBER_CALL(double, strtod_l, char)
CULPRIT_NUMBER_CALL(long double, strtold_l, char)
CULPRIT_INTEGER_CALL(long, strtol_l, char)
CULPRIT_INTEGER_CALL(unsigned long, strtoul_l, char)
CULPRIT_INTEGER_CALL(long long, strtoll_l, char)
CULPRIT_INTEGER_CALL(unsigned long long, strtoull_l, char)
CULPRIT_NUMBER_CALL(float, wcstof_l, wchar_t)
CULPRIT_NUMBER_CALL(double, wcstod_l, wchar_t)
CULPRIT_NUMBER_CALL(long double, wcstold_l, wchar_t)
CULPRIT_INTEGER_CALL(long, wcstol_l, wchar_t)
CULPRIT_INTEGER_CALL(unsigned long, wcstoul_l, wchar_t)
CULPRIT_INTEGER_CALL(long long, wcstoll_l, wchar_t)
CULPRIT_INTEGER_CALL(unsigned long long, wcstoull_l, wchar_t)

#define CULPRIT_TEXT_CALLS(prefix, character)                                                      \
  CULPRIT_LOCALE_CALL(int, prefix##casecmp_l,                                                      \
                      (const character *a, const character *b, locale_t locale), a, b)             \
  CULPRIT_LOCALE_CALL(int, prefix##ncasecmp_l,                                                     \
                      (const character *a, const character *b, size_t most, locale_t locale), a,   \
                      b, most)                                                                     \
  CULPRIT_LOCALE_CALL(int, prefix##coll_l,                                                         \
                      (const character *a, const character *b, locale_t locale), a, b)             \
  CULPRIT_LOCALE_CALL(size_t, prefix##xfrm_l,                                                      \
                      (character * to, const character *from, size_t size, locale_t locale), to,   \
                      from, size)                                                                  \
  CULPRIT_LOCALE_CALL(                                                                             \
      size_t, prefix##ftime_l,                                                                     \
      (character * to, size_t size, const character *format, const tm *time, locale_t locale), to, \
      size, format, time)
// NOLINTEND(bugprone-macro-parentheses)
CULPRIT_TEXT_CALLS(str, char)
CULPRIT_TEXT_CALLS(wcs, wchar_t)

CULPRIT_EXTERNAL char *strerror_l(int error, locale_t locale) {
  char *text = CULPRIT_NEXT(strerror_l)(error, libcLocale(locale));
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return text;
  return CULPRIT_NEXT(strerrordesc_np)(error) ? keptText(text)
                                              : copyInto(ownCells().unknownError, text);
}

} // namespace culprit

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

// Types that have two names share a function.

#define CULPRIT_SAME_CALL(result, name, other, character)                                          \
  CULPRIT_EXTERNAL result name(const character *text, character **end, locale_t locale)            \
      __attribute__((alias(#other)));

CULPRIT_SAME_CALL(float, strtof32_l, strtof_l, char)
CULPRIT_SAME_CALL(double, strtof64_l, strtod_l, char)
CULPRIT_SAME_CALL(double, strtof32x_l, strtod_l, char)
CULPRIT_SAME_CALL(long double, strtof64x_l, strtold_l, char)
CULPRIT_SAME_CALL(float, wcstof32_l, wcstof_l, wchar_t)
CULPRIT_SAME_CALL(double, wcstof64_l, wcstod_l, wchar_t)
CULPRIT_SAME_CALL(double, wcstof32x_l, wcstod_l, wchar_t)
CULPRIT_SAME_CALL(long double, wcstof64x_l, wcstold_l, wchar_t)

CULPRIT_EXTERNAL __float128 strtof128_l(const char *text, char **end, locale_t locale) {
  CULPRIT_OUTSIDE static __float128 (*next)(const char *, char **, locale_t);
  return nextFunction(next, "strtof128_l")(text, end, libcLocale(locale));
}

CULPRIT_EXTERNAL __float128 wcstof128_l(const wchar_t *text, wchar_t **end, locale_t locale) {
  CULPRIT_OUTSIDE static __float128 (*next)(const wchar_t *, wchar_t **, locale_t);
  return nextFunction(next, "wcstof128_l")(text, end, libcLocale(locale));
}

CULPRIT_EXTERNAL char *strptime_l(const char *text, const char *format, tm *time, locale_t locale) {
  return CULPRIT_NEXT(strptime_l)(text, format, time, libcLocale(locale));
}

namespace {

/// What strfmon_l goes on with.
struct MoneyCall {
  locale_t locale;
  decltype(&::strfmon_l) next;
};

extern "C" __attribute__((used)) MoneyCall __culprit_money_call(locale_t locale) {
  return {libcLocale(locale), CULPRIT_NEXT(strfmon_l)};
}

} // namespace

/// libc has no form of it with a va_list: the arguments stay where they are, but for the locale.
CULPRIT_EXTERNAL __attribute__((naked)) ssize_t strfmon_l(char *, size_t, locale_t, const char *,
                                                          ...) {
  __asm__("pushq %rbp\n\t"
          "movq %rsp, %rbp\n\t"
          "subq $176, %rsp\n\t"
          "movq %rdi, -8(%rbp)\n\t"
          "movq %rsi, -16(%rbp)\n\t"
          "movq %rcx, -24(%rbp)\n\t"
          "movq %r8, -32(%rbp)\n\t"
          "movq %r9, -40(%rbp)\n\t"
          "movq %rax, -48(%rbp)\n\t"
          "movups %xmm0, -64(%rbp)\n\t"
          "movups %xmm1, -80(%rbp)\n\t"
          "movups %xmm2, -96(%rbp)\n\t"
          "movups %xmm3, -112(%rbp)\n\t"
          "movups %xmm4, -128(%rbp)\n\t"
          "movups %xmm5, -144(%rbp)\n\t"
          "movups %xmm6, -160(%rbp)\n\t"
          "movups %xmm7, -176(%rbp)\n\t"
          "movq %rdx, %rdi\n\t"
          "call __culprit_money_call\n\t"
          "movq %rdx, %r11\n\t"
          "movq %rax, %rdx\n\t"
          "movq -8(%rbp), %rdi\n\t"
          "movq -16(%rbp), %rsi\n\t"
          "movq -24(%rbp), %rcx\n\t"
          "movq -32(%rbp), %r8\n\t"
          "movq -40(%rbp), %r9\n\t"
          "movq -48(%rbp), %rax\n\t"
          "movups -64(%rbp), %xmm0\n\t"
          "movups -80(%rbp), %xmm1\n\t"
          "movups -96(%rbp), %xmm2\n\t"
          "movups -112(%rbp), %xmm3\n\t"
          "movups -128(%rbp), %xmm4\n\t"
          "movups -144(%rbp), %xmm5\n\t"
          "movups -160(%rbp), %xmm6\n\t"
          "movups -176(%rbp), %xmm7\n\t"
          "leave\n\t"
          "jmpq *%r11");
}

CULPRIT_EXTERNAL ssize_t __strfmon_l(char *, size_t, locale_t, const char *, ...)
    __attribute__((alias("strfmon_l")));

CULPRIT_EXTERNAL char *strerror_l(int error, locale_t locale) {
  char *text = CULPRIT_NEXT(strerror_l)(error, libcLocale(locale));
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return text;
  return CULPRIT_NEXT(strerrordesc_np)(error) ? keptText(text)
                                              : copyInto(ownCells().unknownError, text);
}

} // namespace culprit

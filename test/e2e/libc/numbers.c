// Numbers from texts, under all the names that C, its extensions and glibc's headers have for it.
#include "libc.h"
#include <inttypes.h>
#include <monetary.h>

extern double __strtod_l(const char *, char **, locale_t), __wcstod_l(const wchar_t *, wchar_t **, locale_t);
extern float __strtof_l(const char *, char **, locale_t), __wcstof_l(const wchar_t *, wchar_t **, locale_t);
extern long double __strtold_l(const char *, char **, locale_t), __wcstold_l(const wchar_t *, wchar_t **, locale_t);
extern long __strtol_l(const char *, char **, int, locale_t), __wcstol_l(const wchar_t *, wchar_t **, int, locale_t);
extern unsigned long __strtoul_l(const char *, char **, int, locale_t), __wcstoul_l(const wchar_t *, wchar_t **, int, locale_t);
extern long long __strtoll_l(const char *, char **, int, locale_t), __wcstoll_l(const wchar_t *, wchar_t **, int, locale_t);
extern unsigned long long __strtoull_l(const char *, char **, int, locale_t), __wcstoull_l(const wchar_t *, wchar_t **, int, locale_t);
/* clang has no types for these; where the number is kept is the same. */
extern float strtof32(const char *, char **), wcstof32(const wchar_t *, wchar_t **);
extern float strtof32_l(const char *, char **, locale_t), wcstof32_l(const wchar_t *, wchar_t **, locale_t);
extern double strtof64(const char *, char **), wcstof64(const wchar_t *, wchar_t **), strtof32x(const char *, char **), wcstof32x(const wchar_t *, wchar_t **);
extern double strtof64_l(const char *, char **, locale_t), wcstof64_l(const wchar_t *, wchar_t **, locale_t);
extern double strtof32x_l(const char *, char **, locale_t), wcstof32x_l(const wchar_t *, wchar_t **, locale_t);
extern long double strtof64x(const char *, char **), wcstof64x(const wchar_t *, wchar_t **);
extern long double strtof64x_l(const char *, char **, locale_t), wcstof64x_l(const wchar_t *, wchar_t **, locale_t);
extern __float128 strtof128(const char *, char **), wcstof128(const wchar_t *, wchar_t **);
extern __float128 strtof128_l(const char *, char **, locale_t), wcstof128_l(const wchar_t *, wchar_t **, locale_t);

extern ssize_t __strfmon_l(char *, size_t, locale_t, const char *, ...);

static locale_t locale;
static char *end;
static wchar_t *wide_end;
static const char *const texts[] = {"12.5e3tail", " -0x1.8p-1z", "inf", "-NaN(12)x", "1e999", "1e-999", "", "  +", "0x", "1,5", "123456789012345678901234567890", "4.9e-324"};
static const wchar_t *const wides[] = {L"12.5e3tail", L" -0x1.8p-1z", L"inf", L"-NaN(12)x", L"1e999", L"1e-999", L"", L"  +", L"0x", L"1,5", L"123456789012345678901234567890", L"4.9e-324"};
static const struct { const char *text; const wchar_t *wide; int base; } integers[] = {
  {" -42x", L" -42x", 10}, {"0x1f", L"0x1f", 0}, {"077", L"077", 0}, {"zz", L"zz", 36}, {"99999999999999999999", L"99999999999999999999", 10},
  {"-99999999999999999999", L"-99999999999999999999", 10}, {"1", L"1", 99}, {"1", L"1", 1}, {"", L"", 10}, {"0x", L"0x", 16}, {"-1", L"-1", 10}, {"12 3", L"12 3", 2}};

#define EACH(function, ...) \
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) { REAL(CALL(function)(texts[i], &end __VA_OPT__(,) __VA_ARGS__)); NUMBER(end - texts[i]); }
#define EACH_WIDE(function, ...) \
  for (size_t i = 0; i < sizeof wides / sizeof *wides; ++i) { REAL(CALL(function)(wides[i], &wide_end __VA_OPT__(,) __VA_ARGS__)); NUMBER(wide_end - wides[i]); }
#define WHOLE(function, ...) \
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) { end = NULL; NUMBER(CALL(function)(integers[i].text, &end, integers[i].base __VA_OPT__(,) __VA_ARGS__)); NUMBER(end ? end - integers[i].text : -1); }
#define WHOLE_WIDE(function, ...) \
  for (size_t i = 0; i < sizeof integers / sizeof *integers; ++i) { wide_end = NULL; NUMBER(CALL(function)(integers[i].wide, &wide_end, integers[i].base __VA_OPT__(,) __VA_ARGS__)); NUMBER(wide_end ? wide_end - integers[i].wide : -1); }

static void reals(void) {
  EACH(strtod) EACH(strtof) EACH(strtold) EACH(strtof32) EACH(strtof64) EACH(strtof32x) EACH(strtof64x) EACH(strtof128)
  EACH(strtod_l, locale) EACH(strtof_l, locale) EACH(strtold_l, locale)
  EACH(__strtod_l, locale) EACH(__strtof_l, locale) EACH(__strtold_l, locale)
  EACH(strtof32_l, locale) EACH(strtof64_l, locale) EACH(strtof32x_l, locale) EACH(strtof64x_l, locale) EACH(strtof128_l, locale)
  EACH_WIDE(wcstod) EACH_WIDE(wcstof) EACH_WIDE(wcstold) EACH_WIDE(wcstof32) EACH_WIDE(wcstof64) EACH_WIDE(wcstof32x) EACH_WIDE(wcstof64x) EACH_WIDE(wcstof128)
  EACH_WIDE(wcstod_l, locale) EACH_WIDE(wcstof_l, locale) EACH_WIDE(wcstold_l, locale)
  EACH_WIDE(__wcstod_l, locale) EACH_WIDE(__wcstof_l, locale) EACH_WIDE(__wcstold_l, locale)
  EACH_WIDE(wcstof32_l, locale) EACH_WIDE(wcstof64_l, locale) EACH_WIDE(wcstof32x_l, locale) EACH_WIDE(wcstof64x_l, locale) EACH_WIDE(wcstof128_l, locale)
}

static void wholes(void) {
  WHOLE(strtol) WHOLE(strtoul) WHOLE(strtoll) WHOLE(strtoull) WHOLE(strtoq) WHOLE(strtouq) WHOLE(strtoimax) WHOLE(strtoumax)
  WHOLE(strtol_l, locale) WHOLE(strtoul_l, locale) WHOLE(strtoll_l, locale) WHOLE(strtoull_l, locale)
  WHOLE(__strtol_l, locale) WHOLE(__strtoul_l, locale) WHOLE(__strtoll_l, locale) WHOLE(__strtoull_l, locale)
  WHOLE_WIDE(wcstol) WHOLE_WIDE(wcstoul) WHOLE_WIDE(wcstoll) WHOLE_WIDE(wcstoull) WHOLE_WIDE(wcstoq) WHOLE_WIDE(wcstouq) WHOLE_WIDE(wcstoimax) WHOLE_WIDE(wcstoumax)
  WHOLE_WIDE(wcstol_l, locale) WHOLE_WIDE(wcstoul_l, locale) WHOLE_WIDE(wcstoll_l, locale) WHOLE_WIDE(wcstoull_l, locale)
  WHOLE_WIDE(__wcstol_l, locale) WHOLE_WIDE(__wcstoul_l, locale) WHOLE_WIDE(__wcstoll_l, locale) WHOLE_WIDE(__wcstoull_l, locale)
}

static void to_text(void) {
  int point, sign;
  char buffer[50];
  TEXT(CALL(ecvt)(1234.5678, 6, &point, &sign)); NUMBER(point); TEXT(CALL(fcvt)(-0.001, 5, &point, &sign)); NUMBER(sign);
  TEXT(CALL(qecvt)(1e100L, 8, &point, &sign)); NUMBER(point); TEXT(CALL(qfcvt)(2.5L, 0, &point, &sign)); NUMBER(point);
  TEXT(CALL(gcvt)(1e-10, 5, buffer)); TEXT(CALL(qgcvt)(0.1L, 18, buffer));
  TEXT(CALL(l64a)(123456)); NUMBER(CALL(a64l)("./0z"));
  NUMBER(CALL(strfmon_l)(buffer, sizeof buffer, locale, "%n %i %!n %%", 12.5, -3.25, 1e6)); TEXT(buffer);
  NUMBER(CALL(__strfmon_l)(buffer, sizeof buffer, locale, "%.3Ln|%10.1i|%(n", 7.0L, 2.0, -1.0)); TEXT(buffer);
  NUMBER(CALL(strfmon)(buffer, sizeof buffer, "%n", 12.5)); TEXT(buffer);
}

int main(void) {
  locale = CALL(newlocale)(LC_ALL_MASK, "C", NULL);
  wholes();
  reals();
  to_text();
  return 0;
}

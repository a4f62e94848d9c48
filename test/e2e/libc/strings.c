// Strings under the names that fortified programs, old ones and libstdc++ use.
#include "libc.h"
#include <ctype.h>
#include <strings.h>
#include <time.h>

#define ROOM ((size_t)64)
extern void *__memcpy_chk(void *, const void *, size_t, size_t), *__memmove_chk(void *, const void *, size_t, size_t),
    *__mempcpy_chk(void *, const void *, size_t, size_t), *__memset_chk(void *, int, size_t, size_t),
    *__mempcpy(void *, const void *, size_t), *__rawmemchr(const void *, int);
extern void __explicit_bzero_chk(void *, size_t, size_t), __bzero(void *, size_t);
extern int __memcmpeq(const void *, const void *, size_t);
extern char *__stpcpy(char *, const char *), *__stpncpy(char *, const char *, size_t), *__stpcpy_chk(char *, const char *, size_t),
    *__stpncpy_chk(char *, const char *, size_t, size_t), *__strcpy_chk(char *, const char *, size_t), *__strcat_chk(char *, const char *, size_t),
    *__strncat_chk(char *, const char *, size_t, size_t), *__strncpy_chk(char *, const char *, size_t, size_t), *__strdup(const char *),
    *__strndup(const char *, size_t), *__strsep_g(char **, const char *), *__strtok_r(char *, const char *, char **), *__strcasestr(const char *, const char *);
extern int __strcasecmp(const char *, const char *), __strcasecmp_l(const char *, const char *, locale_t), __strncasecmp_l(const char *, const char *, size_t, locale_t),
    __strcoll_l(const char *, const char *, locale_t), __strverscmp(const char *, const char *);
extern size_t __strxfrm_l(char *, const char *, size_t, locale_t), __strftime_l(char *, size_t, const char *, const struct tm *, locale_t);
extern wchar_t *__wcpcpy_chk(wchar_t *, const wchar_t *, size_t), *__wcpncpy_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wcscat_chk(wchar_t *, const wchar_t *, size_t),
    *__wcscpy_chk(wchar_t *, const wchar_t *, size_t), *__wcsncat_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wcsncpy_chk(wchar_t *, const wchar_t *, size_t, size_t),
    *__wmemcpy_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wmemmove_chk(wchar_t *, const wchar_t *, size_t, size_t),
    *__wmempcpy_chk(wchar_t *, const wchar_t *, size_t, size_t), *__wmemset_chk(wchar_t *, wchar_t, size_t, size_t), *wcswcs(const wchar_t *, const wchar_t *);
extern int __wcscasecmp_l(const wchar_t *, const wchar_t *, locale_t), __wcsncasecmp_l(const wchar_t *, const wchar_t *, size_t, locale_t), __wcscoll_l(const wchar_t *, const wchar_t *, locale_t);
extern size_t __wcsxfrm_l(wchar_t *, const wchar_t *, size_t, locale_t), __wcsftime_l(wchar_t *, size_t, const wchar_t *, const struct tm *, locale_t);
extern size_t __mbrlen(const char *, size_t, mbstate_t *), __mbrtowc(wchar_t *, const char *, size_t, mbstate_t *), __mbstowcs_chk(wchar_t *, const char *, size_t, size_t),
    __mbsrtowcs_chk(wchar_t *, const char **, size_t, mbstate_t *, size_t), __mbsnrtowcs_chk(wchar_t *, const char **, size_t, size_t, mbstate_t *, size_t),
    __wcstombs_chk(char *, const wchar_t *, size_t, size_t), __wcsrtombs_chk(char *, const wchar_t **, size_t, mbstate_t *, size_t),
    __wcsnrtombs_chk(char *, const wchar_t **, size_t, size_t, mbstate_t *, size_t), __wcrtomb_chk(char *, wchar_t, mbstate_t *, size_t);
extern int __wctomb_chk(char *, wchar_t, size_t);

static locale_t locale;
static const struct tm moment = {.tm_year = 99, .tm_mon = 11, .tm_mday = 31, .tm_hour = 23, .tm_min = 5, .tm_wday = 5, .tm_yday = 364};

static void narrow(void) {
  char b[ROOM] = "", *rest, *cursor;
  TEXT(CALL(__memcpy_chk)(b, "abcdef", 7, ROOM)); TEXT(CALL(__memmove_chk)(b + 1, b, 6, ROOM - 1)); TEXT(b);
  NUMBER((char *)CALL(__mempcpy_chk)(b, "xyz", 4, ROOM) - b); NUMBER((char *)CALL(__mempcpy)(b, "xyz", 2) - b);
  TEXT(CALL(__memset_chk)(b, 'q', 3, ROOM)); NUMBER((char *)CALL(__rawmemchr)(b, 0) - b);
  CALL(__explicit_bzero_chk)(b, 2, ROOM); NUMBER(b[0] + b[2]); CALL(__bzero)(b, 4); NUMBER(b[2]);
  NUMBER(CALL(__memcmpeq)("ab", "ab", 2)); NUMBER(CALL(__memcmpeq)("ab", "ac", 2) != 0);
  NUMBER(CALL(__stpcpy)(b, "12345") - b); NUMBER(CALL(__stpncpy)(b, "ab", 4) - b); NUMBER(CALL(__stpcpy_chk)(b, "1234", ROOM) - b);
  NUMBER(CALL(__stpncpy_chk)(b, "abc", 9, ROOM) - b); TEXT(CALL(__strcpy_chk)(b, "copy", ROOM)); TEXT(CALL(__strcat_chk)(b, "+cat", ROOM));
  TEXT(CALL(__strncat_chk)(b, "+more", 3, ROOM)); TEXT(CALL(__strncpy_chk)(b, "n", 5, ROOM));
  free((cursor = CALL(__strdup)("twice"), TEXT(cursor), cursor)); free((cursor = CALL(__strndup)("twice", 2), TEXT(cursor), cursor));
  strcpy(b, "a,b;;c"); cursor = b;
  TEXT(CALL(__strsep_g)(&cursor, ",;")); TEXT(CALL(__strsep_g)(&cursor, ",;")); TEXT(CALL(__strsep_g)(&cursor, ",;")); TEXT(cursor);
  strcpy(b, " one two "); TEXT(CALL(__strtok_r)(b, " ", &rest)); TEXT(CALL(__strtok_r)(NULL, " ", &rest)); TEXT(CALL(__strtok_r)(NULL, " ", &rest));
  TEXT(CALL(__strcasestr)("The HAYSTACK", "hay")); NUMBER(CALL(__strcasecmp)("ABC", "abd")); NUMBER(CALL(__strverscmp)("file10", "file9") > 0);
  NUMBER(CALL(strcasecmp_l)("ABC", "abc", locale)); NUMBER(CALL(__strcasecmp_l)("a", "B", locale)); NUMBER(CALL(strncasecmp_l)("ABx", "aby", 2, locale));
  NUMBER(CALL(__strncasecmp_l)("ABx", "aby", 3, locale)); NUMBER(CALL(strcoll_l)("a", "b", locale) < 0); NUMBER(CALL(__strcoll_l)("b", "a", locale) > 0);
  NUMBER(CALL(strxfrm_l)(b, "abc", ROOM, locale)); TEXT(b); NUMBER(CALL(__strxfrm_l)(b, "abcdef", 3, locale));
  NUMBER(CALL(strftime_l)(b, ROOM, "%A %d %B %Y %H:%M", &moment, locale)); TEXT(b); NUMBER(CALL(__strftime_l)(b, 3, "%Y", &moment, locale));
}

static void wides(void) {
  wchar_t b[ROOM] = L"";
  NUMBER(CALL(__wcpcpy_chk)(b, L"1234", ROOM) - b); NUMBER(CALL(__wcpncpy_chk)(b, L"ab", 4, ROOM) - b); WIDE(CALL(__wcscpy_chk)(b, L"copy", ROOM));
  WIDE(CALL(__wcscat_chk)(b, L"+cat", ROOM)); WIDE(CALL(__wcsncat_chk)(b, L"+more", 2, ROOM)); WIDE(CALL(__wcsncpy_chk)(b, L"n", 4, ROOM));
  WIDE(CALL(__wmemcpy_chk)(b, L"memory", 7, ROOM)); WIDE(CALL(__wmemmove_chk)(b + 1, b, 6, ROOM - 1)); NUMBER(CALL(__wmempcpy_chk)(b, L"xy", 2, ROOM) - b);
  WIDE(CALL(__wmemset_chk)(b, L'w', 3, ROOM)); WIDE(CALL(wcswcs)(L"find the word", L"the"));
  NUMBER(CALL(wcscasecmp_l)(L"ABC", L"abc", locale)); NUMBER(CALL(__wcscasecmp_l)(L"a", L"B", locale) < 0); NUMBER(CALL(wcsncasecmp_l)(L"ABx", L"aby", 2, locale));
  NUMBER(CALL(__wcsncasecmp_l)(L"ABx", L"aby", 3, locale) < 0); NUMBER(CALL(wcscoll_l)(L"a", L"b", locale) < 0); NUMBER(CALL(__wcscoll_l)(L"b", L"a", locale) > 0);
  NUMBER(CALL(wcsxfrm_l)(b, L"abc", ROOM, locale)); WIDE(b); NUMBER(CALL(__wcsxfrm_l)(b, L"abcdef", 3, locale));
  NUMBER(CALL(wcsftime)(b, ROOM, L"%A %d %B %Y", &moment)); WIDE(b); NUMBER(CALL(wcsftime_l)(b, ROOM, L"%x %X", &moment, locale)); WIDE(b);
  NUMBER(CALL(__wcsftime_l)(b, 2, L"%Y", &moment, locale));
}

static void multibyte(void) {
  mbstate_t state = {0};
  wchar_t b[ROOM], one;
  char c[ROOM];
  NUMBER(CALL(__mbrlen)("\xe2\x82\xac", 3, &state)); NUMBER(CALL(__mbrlen)("\xe2\x82", 2, &state)); state = (mbstate_t){0};
  NUMBER(CALL(__mbrlen)("\xff", 1, &state)); state = (mbstate_t){0};
  NUMBER(CALL(__mbrtowc)(&one, "\xc3\xa9", 2, &state)); NUMBER(one); NUMBER(CALL(__mbrtowc)(&one, "", 1, &state)); NUMBER(CALL(__mbrtowc)(&one, "\xc3(", 2, &state)); state = (mbstate_t){0};
  NUMBER(CALL(__mbstowcs_chk)(b, "a\xc3\xa9", ROOM, ROOM)); WIDE(b); NUMBER(CALL(__mbstowcs_chk)(b, "a\xc3", ROOM, ROOM));
  const char *from = "x\xe2\x82\xacy"; NUMBER(CALL(__mbsrtowcs_chk)(b, &from, ROOM, &state, ROOM)); NUMBER(from == NULL);
  from = "x\xe2\x82\xacy"; NUMBER(CALL(__mbsnrtowcs_chk)(b, &from, 2, ROOM, &state, ROOM)); state = (mbstate_t){0};
  const wchar_t *wide_from = L"\x20ac!"; NUMBER(CALL(__wcsrtombs_chk)(c, &wide_from, ROOM, &state, ROOM)); TEXT(c);
  wide_from = L"\x20ac!"; NUMBER(CALL(__wcsnrtombs_chk)(c, &wide_from, 1, ROOM, &state, ROOM)); NUMBER(CALL(__wcstombs_chk)(c, L"\xe9!", ROOM, ROOM)); TEXT(c);
  NUMBER(CALL(__wcstombs_chk)(c, (wchar_t[]){0x7fffffff, 0}, ROOM, ROOM)); NUMBER(CALL(__wcrtomb_chk)(c, 0x20ac, &state, ROOM)); NUMBER(CALL(__wctomb_chk)(c, L'a', ROOM));
}

int main(void) {
  CALL(setlocale)(LC_ALL, "C.UTF-8");
  locale = CALL(newlocale)(LC_ALL_MASK, "C.UTF-8", NULL);
  narrow();
  wides();
  multibyte();
  return 0;
}

// Calls most memory, string, sort, search and option functions of libc and prints what came of it.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

char *__xpg_basename(char *);
char *dirname(char *);

/* Calls through pointers: the compiler must not know what they do. */
#define CALL(function) (*(__typeof__(function) *volatile[]){function}[0])

static void number(const char *name, long value) { printf("%s: %ld errno %d\n", name, value, errno); errno = 0; }
static void text(const char *name, const char *value) { printf("%s: \"%s\"\n", name, value ? value : "(null)"); }
#define NUMBER(call) number(#call, (long)(call))
#define TEXT(call) text(#call, call)

static void memory(void) {
  char a[64] = "the quick brown fox", b[64] = "";
  CALL(memcpy)(b, a, 20); TEXT(b);
  CALL(memmove)(b + 2, b, 18); TEXT(b);
  CALL(memset)(b, 'x', 3); TEXT(b);
  NUMBER(CALL(memcmp)("abc", "abd", 3)); NUMBER(CALL(memcmp)("\xff", "a", 1));
  NUMBER(CALL(bcmp)("abc", "abc", 3));
  NUMBER((char *)CALL(memchr)(a, 'q', 20) - a); NUMBER(CALL(memchr)(a, '!', 20) == 0);
  NUMBER((char *)CALL(memrchr)(a, 'o', 20) - a);
  NUMBER((char *)CALL(rawmemchr)(a, 'b') - a);
  NUMBER((char *)CALL(memmem)(a, 20, "brown", 5) - a);
  NUMBER((char *)CALL(mempcpy)(b, "hello", 6) - b); TEXT(b);
  NUMBER((char *)CALL(memccpy)(b, "a:b", ':', 3) - b); TEXT(b);
  CALL(bcopy)("copied", b, 7); TEXT(b);
  CALL(bzero)(b, 3); NUMBER(b[0] + b[2] + b[3]);
  CALL(explicit_bzero)(b, 5); NUMBER(b[4]);
  CALL(memfrob)(memset(b, 'a', 4), 4); NUMBER(b[0]);
  CALL(swab)("abcdef", memset(b, 0, 8), 6); TEXT(b);
}

static void strings(void) {
  char b[64], *save, *s;
  NUMBER(CALL(strlen)("12345")); NUMBER(CALL(strnlen)("12345", 3));
  TEXT(CALL(strcpy)(b, "copy")); NUMBER(CALL(stpcpy)(b, "copy") - b);
  TEXT(CALL(strncpy)(memset(b, '#', 10), "ab", 5)); NUMBER(b[4] + b[5]);
  NUMBER(CALL(stpncpy)(b, "abc", 10) - b);
  TEXT(CALL(strcat)(strcpy(b, "a"), "bc")); TEXT(CALL(strncat)(b, "defg", 2));
  NUMBER(CALL(strcmp)("a", "b")); NUMBER(CALL(strncmp)("abX", "abY", 2));
  NUMBER(CALL(strcasecmp)("HELLO", "help")); NUMBER(CALL(strncasecmp)("HELLO", "help", 3));
  NUMBER(CALL(strcoll)("b", "a")); NUMBER(CALL(strxfrm)(b, "abc", 10)); TEXT(b);
  TEXT(CALL(strchr)("a=b=c", '=')); TEXT(CALL(strrchr)("a=b=c", '=')); TEXT(CALL(strchr)("abc", 'z'));
  TEXT(CALL(index)("a=b=c", 'b')); TEXT(CALL(rindex)("a=b=c", 'b')); TEXT(CALL(strchrnul)("abc", 'z'));
  NUMBER(CALL(strspn)("aabbc", "ab")); NUMBER(CALL(strcspn)("aabbc", "c"));
  TEXT(CALL(strpbrk)("aabbc", "cb")); TEXT(CALL(strstr)("haystack", "st")); TEXT(CALL(strcasestr)("HayStack", "ST"));
  strcpy(b, " a  b "); TEXT(CALL(strtok)(b, " ")); TEXT(CALL(strtok)(0, " ")); TEXT(CALL(strtok)(0, " "));
  strcpy(b, ",x,y"); TEXT(CALL(strtok_r)(b, ",", &save)); TEXT(CALL(strtok_r)(0, ",", &save)); TEXT(CALL(strtok_r)(0, ",", &save));
  s = strcpy(b, ",x"); TEXT(CALL(strsep)(&s, ",")); TEXT(CALL(strsep)(&s, ",")); TEXT(CALL(strsep)(&s, ","));
  TEXT(s = CALL(strdup)("dup")); free(s); TEXT(s = CALL(strndup)("duplicate", 5)); free(s);
  NUMBER(CALL(strverscmp)("a9", "a10")); NUMBER(CALL(strverscmp)("a09", "a1"));
  TEXT(CALL(basename)("/usr/lib/")); TEXT(CALL(__xpg_basename)(strcpy(b, "/usr/lib/"))); TEXT(CALL(dirname)(strcpy(b, "/usr/lib/")));
  TEXT(CALL(dirname)(strcpy(b, "x")));
  NUMBER(CALL(ffs)(8)); NUMBER(CALL(ffsl)(0)); NUMBER(CALL(a64l)("./zZ")); TEXT(CALL(l64a)(123456));
  char *tokens[] = {"ro", "size", 0}, *value;
  s = strcpy(b, "size=3,ro,bad");
  NUMBER(CALL(getsubopt)(&s, tokens, &value)); TEXT(value);
  NUMBER(CALL(getsubopt)(&s, tokens, &value)); NUMBER(CALL(getsubopt)(&s, tokens, &value)); TEXT(value);
}

static void wide(void) {
  wchar_t b[32], *save;
  char c[64];
#define WIDE(call) (CALL(wcstombs)(c, call, 64), text(#call, c))
  NUMBER(CALL(wcslen)(L"abc")); NUMBER(CALL(wcsnlen)(L"abc", 2));
  WIDE(CALL(wcscpy)(b, L"copy")); NUMBER(CALL(wcpcpy)(b, L"copy") - b);
  WIDE(CALL(wcsncpy)(b, L"ab", 5)); NUMBER(CALL(wcpncpy)(b, L"ab", 5) - b);
  WIDE(CALL(wcscat)(b, L"cd")); WIDE(CALL(wcsncat)(b, L"efgh", 2));
  NUMBER(CALL(wcscmp)(L"a", L"b") < 0); NUMBER(CALL(wcsncmp)(L"ab", L"ac", 1)); NUMBER(CALL(wcscasecmp)(L"AB", L"ab"));
  NUMBER(CALL(wcsncasecmp)(L"ABx", L"aby", 2)); NUMBER(CALL(wcscoll)(L"b", L"a") > 0); NUMBER(CALL(wcsxfrm)(b, L"xy", 5));
  WIDE(CALL(wcschr)(L"a=b=c", L'=')); WIDE(CALL(wcsrchr)(L"a=b=c", L'=')); WIDE(CALL(wcschrnul)(L"abc", L'c'));
  NUMBER(CALL(wcsspn)(L"aab", L"a")); NUMBER(CALL(wcscspn)(L"aab", L"b")); WIDE(CALL(wcspbrk)(L"aab", L"b"));
  WIDE(CALL(wcsstr)(L"haystack", L"st"));
  wcscpy(b, L"a b"); WIDE(CALL(wcstok)(b, L" ", &save)); WIDE(CALL(wcstok)(0, L" ", &save)); NUMBER(CALL(wcstok)(0, L" ", &save) == 0);
  wchar_t *d = CALL(wcsdup)(L"dup"); WIDE(d); free(d);
  CALL(wmemcpy)(b, L"wmem", 5); WIDE(b); CALL(wmemmove)(b + 1, b, 4); b[5] = 0; WIDE(b);
  CALL(wmemset)(b, L'z', 2); WIDE(b); NUMBER(CALL(wmemcmp)(L"a", L"b", 1)); NUMBER(CALL(wmemchr)(b, L'm', 5) - b);
  NUMBER(CALL(wmempcpy)(b, L"x", 2) - b);
  NUMBER(CALL(wcstol)(L" -12x", &save, 10)); WIDE(save); NUMBER(CALL(wcstoul)(L"0x1F", 0, 0)); NUMBER(CALL(wcstoll)(L"99999999999999999999", 0, 10));
  NUMBER(CALL(wcstoull)(L"-1", 0, 10)); NUMBER(1000 * CALL(wcstod)(L"1.5e1", 0));
  NUMBER(CALL(iswalpha)(L'a') != 0); NUMBER(CALL(towupper)(L'a')); NUMBER(CALL(wcwidth)(L'a')); NUMBER(CALL(wcswidth)(L"abc", 3));
}

static void multibyte(void) {
  wchar_t w[16]; char c[32]; mbstate_t state = {0};
  const char *from = "a\xc3\xa9\xe2\x82\xac!"; const wchar_t *wfrom;
  NUMBER(CALL(mbstowcs)(w, from, 16)); NUMBER(w[1]); NUMBER(w[2]);
  NUMBER(CALL(mbstowcs)(0, "\xff", 0)); NUMBER(CALL(wcstombs)(c, w, 32)); TEXT(c);
  NUMBER(CALL(mblen)("\xc3\xa9", 2)); NUMBER(CALL(mbtowc)(w, "\xc3\xa9", 2)); NUMBER(CALL(wctomb)(c, 0x20ac));
  NUMBER(CALL(mbrtowc)(w, "\xe2\x82", 2, &state)); NUMBER(CALL(mbrtowc)(w, "\xac", 1, &state)); NUMBER(w[0]);
  NUMBER(CALL(mbrlen)("\xc3\xa9", 2, &state)); NUMBER(CALL(wcrtomb)(c, 0xe9, &state)); NUMBER(CALL(mbsinit)(&state) != 0);
  const char *rest = from; NUMBER(CALL(mbsrtowcs)(w, &rest, 2, &state)); TEXT(rest);
  rest = from; NUMBER(CALL(mbsnrtowcs)(w, &rest, 2, 16, &state)); state = (mbstate_t){0};
  wfrom = L"\x20ac!"; NUMBER(CALL(wcsrtombs)(c, &wfrom, 32, &state)); TEXT(c);
  wfrom = L"\x20ac!"; NUMBER(CALL(wcsnrtombs)(c, &wfrom, 1, 32, &state)); NUMBER(CALL(btowc)('a')); NUMBER(CALL(wctob)(L'a'));
}

static void numbers(void) {
  char *end;
  NUMBER(CALL(strtol)(" -0x1fz", &end, 0)); TEXT(end); NUMBER(CALL(strtol)("99999999999999999999", &end, 10)); NUMBER(CALL(strtol)("1", &end, 99));
  NUMBER(CALL(strtoul)("-1", &end, 10)); NUMBER(CALL(strtoll)("0777", &end, 0)); NUMBER(CALL(strtoull)("zz", &end, 36));
  NUMBER(CALL(strtoimax)("-5", &end, 0)); NUMBER(CALL(strtoumax)("5", &end, 0)); NUMBER(CALL(strtoq)("7", &end, 0));
  NUMBER(CALL(atoi)(" 42x")); NUMBER(CALL(atol)("-42")); NUMBER(CALL(atoll)("12345678901"));
  printf("%a %a %La %a\n", CALL(strtod)("0x1.8p3rest", &end), (double)CALL(strtof)("1e-40", 0), CALL(strtold)("0.1", 0), CALL(atof)("-inf")); TEXT(end);
  NUMBER(CALL(strtod)("1e999", &end) > 1); NUMBER(CALL(abs)(-3)); NUMBER(CALL(labs)(-3)); NUMBER(CALL(llabs)(-3));
  NUMBER(CALL(div)(-7, 2).rem); NUMBER(CALL(ldiv)(-7, 2).quot); NUMBER(CALL(lldiv)(7, -2).quot); NUMBER(CALL(imaxdiv)(7, 2).rem);
}

static void letters(void) {
  int (*volatile classes[])(int) = {isalpha, isupper, islower, isdigit, isxdigit, isspace, isprint, isgraph, isblank, iscntrl, ispunct, isalnum, tolower, toupper};
  for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++) {
    unsigned long sum = 0;
    for (int c = -128; c < 256; c++) sum = sum * 31 + classes[i](c);
    number("class", sum);
  }
  unsigned long sum = 0;
  for (int c = 0; c < 256; c++) sum = sum * 3 + (isalpha(c) != 0) + 2 * (isspace(c) != 0) + toupper(c);
  NUMBER(sum);
}

static unsigned long history;
static int order(const void *a, const void *b) { history = history * 31 + *(const int *)a * 7 + *(const int *)b; return *(const int *)a - *(const int *)b; }
static int wild(const void *a, const void *b) { order(a, b); return (int)(history >> 7) % 3 - 1; }
static int order_with(const void *a, const void *b, void *context) { ++*(int *)context; return order(a, b); }
static void visit(const void *node, VISIT when, int depth) { history = history * 31 + **(int **)node * 100 + when * 10 + depth; }
static void released(void *key) { history = history * 31 + *(int *)key; }
struct wide_element { int key, rest[15]; };

static void sorting(void) {
  static int keys[500], more[500];
  static struct wide_element elements[200];
  for (int i = 0; i < 500; i++) keys[i] = more[i] = i * 7919 % 503;
  CALL(qsort)(keys, 500, sizeof *keys, order); NUMBER(history); NUMBER(keys[17]);
  CALL(qsort)(more, 500, sizeof *more, wild); NUMBER(history); NUMBER(more[17]);
  for (int i = 0; i < 200; i++) elements[i].key = i * 31 % 97, elements[i].rest[3] = i;
  CALL(qsort)(elements, 200, sizeof *elements, order); NUMBER(history); NUMBER(elements[100].rest[3]);
  int calls = 0; CALL(qsort_r)(more, 500, sizeof *more, order_with, &calls); NUMBER(calls);
  int key = 250; NUMBER((int *)CALL(bsearch)(&key, keys, 500, sizeof *keys, order) - keys);
  size_t count = 10; NUMBER(CALL(lfind)(&key, keys, &count, sizeof *keys, order) == 0);
  NUMBER((int *)CALL(lsearch)(&key, keys, &count, sizeof *keys, order) - keys); NUMBER(count);
  void *root = 0;
  for (int i = 0; i < 300; i++) CALL(tsearch)(&more[i * 17 % 500], &root, order);
  for (int i = 0; i < 300; i += 3) CALL(tdelete)(&more[i], &root, order);
  NUMBER(CALL(tfind)(&more[1], &root, order) != 0);
  CALL(twalk)(root, visit); NUMBER(history); CALL(tdestroy)(root, released); NUMBER(history);
  NUMBER(CALL(hcreate)(20)); static char names[30][8];
  for (int i = 0; i < 30; i++) { sprintf(names[i], "k%d", i); ENTRY *e = CALL(hsearch)((ENTRY){names[i], names[i]}, ENTER); NUMBER(e != 0); }
  NUMBER(CALL(hsearch)((ENTRY){"k7", 0}, FIND) != 0); NUMBER(CALL(hsearch)((ENTRY){"none", 0}, FIND) != 0); CALL(hdestroy)();
  struct { void *next, *previous; } links[3] = {{0}};
  CALL(insque)(&links[0], 0); CALL(insque)(&links[1], &links[0]); CALL(insque)(&links[2], &links[0]); CALL(remque)(&links[2]);
  NUMBER(links[0].next == &links[1]);
}

static void options(void) {
  static const struct option longs[] = {{"verbose", 0, 0, 'v'}, {"version", 0, 0, 'V'}, {"output", 1, 0, 'o'}, {0}};
  char *words[] = {"prog", "x", "-ab", "--ver", "-c", "arg", "y", "--output=f", "-z", "--", "-a", 0};
  int c, at;
  for (optind = 1; (c = CALL(getopt_long)(11, words, "abc:", longs, &at)) != -1;) printf("%d %d %s\n", c, optind, optarg ? optarg : "-");
  for (int i = optind; i < 11; i++) puts(words[i]);
  for (optind = 0; (c = CALL(getopt)(11, words, "+abc:v")) != -1;) printf("%d %d %c\n", c, optind, optopt);
  char *only[] = {"prog", "-output", "f", "-v", 0};
  for (optind = 0; (c = CALL(getopt_long_only)(4, only, "v", longs, &at)) != -1;) printf("%d %d\n", c, optind);
}

int main(void) {
  setlocale(LC_ALL, "C.UTF-8");
  errno = 0;
  memory(); strings(); wide(); multibyte(); numbers(); letters(); sorting(); options();
  return 0;
}

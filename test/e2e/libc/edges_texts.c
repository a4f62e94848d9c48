// Texts, numbers, times and searches at the edges of what they are defined for.
#include "libc.h"
#include <ctype.h>
#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <iconv.h>
#include <inttypes.h>
#include <langinfo.h>
#include <math.h>
#include <regex.h>
#include <search.h>
#include <sys/stat.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wctype.h>
#include <wordexp.h>

static void numbers(void) {
  static const char *const texts[] = {"",
                                      " ",
                                      "+",
                                      "-0",
                                      "0x",
                                      "0x1.8p1x",
                                      "1e400",
                                      "-1e400",
                                      "1e-400",
                                      "4.9e-324",
                                      "nan",
                                      "NAN(abc)",
                                      "nan(",
                                      "-nan(0x123)z",
                                      "infinityx",
                                      "infinit",
                                      ".5.",
                                      ".",
                                      "1e+",
                                      "0x.p1",
                                      "  \t\n12abc",
                                      "0b101",
                                      "9223372036854775808",
                                      "-9223372036854775809",
                                      "1_000",
                                      "0777",
                                      "08",
                                      "zz"};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char *end;
    errno = 0;
    long double wide = CALL(strtold)(texts[i], &end);
    printf("%s: strtold %La %ld errno %d\n", texts[i], wide, (long)(end - texts[i]), errno);
    errno = 0;
    double real = CALL(strtod)(texts[i], &end);
    printf("strtod %a %ld errno %d\n", real, (long)(end - texts[i]), errno);
    errno = 0;
    float small = CALL(strtof)(texts[i], &end);
    printf("strtof %a %ld errno %d\n", small, (long)(end - texts[i]), errno);
    errno = 0;
    for (int base = 0; base <= 37; base += base < 2 ? 1 : 7) {
      long value = CALL(strtol)(texts[i], &end, base);
      printf("%ld %ld errno %d; ", value, base == 1 || base > 36 ? 0 : (long)(end - texts[i]),
             errno);
      errno = 0;
    }
    printf("%llu errno %d\n", CALL(strtoull)(texts[i], &end, 0), errno);
    errno = 0;
    printf("%jd %ju %d\n", CALL(strtoimax)(texts[i], &end, 36), CALL(strtoumax)(texts[i], NULL, 16),
           CALL(atoi)(texts[i]));
    errno = 0;
  }
  char digits[60];
  TEXT(CALL(gcvt)(1e30, 5, digits));
  int sign, point;
  TEXT(CALL(ecvt)(-0.00123, 4, &point, &sign));
  NUMBER(point);
  NUMBER(sign);
  TEXT(CALL(fcvt)(1e5, 2, &point, &sign));
  NUMBER(CALL(strfromd)(digits, 5, "%.10f", 1.5));
  TEXT(digits);
  int exponent;
  double whole;
  REAL(CALL(frexp)(-0.0, &exponent));
  REAL(CALL(modf)(-INFINITY, &whole));
  REAL(CALL(nextafter)(0, -1));
  REAL(CALL(fma)(1e308, 10, -INFINITY));
  REAL(CALL(remquo)(5, -3, &exponent));
  REAL(CALL(scalbn)(1, -2000));
  REAL(CALL(lgamma)(-2));
  REAL(CALL(fmod)(1, 0));
  NUMBER(CALL(lrint)(2.5));
  NUMBER(CALL(ilogb)(0));
  REAL(CALL(nan)("12"));
  div_t parts = CALL(div)(-7, 2);
  NUMBER(parts.quot);
  NUMBER(parts.rem);
}

static void multibyte(void) {
  mbstate_t state = {0};
  wchar_t wides[20];
  char bytes[20];
  const char *from;
  const wchar_t *wide_from;
  char16_t unit;
  char32_t point;
  NUMBER(CALL(mbrtowc)(wides, "\xe2", 1, &state));
  NUMBER(CALL(mbsinit)(&state));
  NUMBER(CALL(mbrtowc)(wides, "\x82\xac", 2, &state));
  NUMBER(wides[0]);
  NUMBER(CALL(mbrtowc)(wides, "\xff", 1, &state));
  memset(&state, 0, sizeof state);
  NUMBER(CALL(mbrtowc)(wides, "\xc0\x80", 2, &state));
  memset(&state, 0, sizeof state);
  NUMBER(CALL(mbrlen)("\xf0\x9f\x98\x80", 4, &state));
  NUMBER(CALL(mbrtowc)(NULL, NULL, 0, &state));
  NUMBER(CALL(mbrtowc)(wides, "", 1, &state));
  from = "a\xc3\xa4\xff"
         "b";
  NUMBER(CALL(mbsrtowcs)(wides, &from, 20, &state));
  NUMBER(from != NULL);
  memset(&state, 0, sizeof state);
  from = "a\xc3\xa4z";
  NUMBER(CALL(mbsrtowcs)(NULL, &from, 0, &state));
  NUMBER(CALL(mbsnrtowcs)(wides, &from, 2, 20, &state));
  NUMBER(from == NULL);
  memset(&state, 0, sizeof state);
  static const wchar_t units[] = L"a\u20acb", bad[] = {L'x', 0xd800, 0};
  wide_from = units;
  NUMBER(CALL(wcsrtombs)(bytes, &wide_from, 3, &state));
  NUMBER(wide_from - units);
  NUMBER(CALL(wcsrtombs)(bytes, &wide_from, 20, &state));
  NUMBER(wide_from == NULL);
  wide_from = bad;
  NUMBER(CALL(wcsrtombs)(bytes, &wide_from, 20, &state));
  wide_from = bad;
  NUMBER(CALL(wcsnrtombs)(bytes, &wide_from, 1, 20, &state));
  NUMBER(CALL(wcrtomb)(bytes, 0x7fffffff, &state));
  NUMBER(CALL(wcrtomb)(NULL, L'x', &state));
  NUMBER(CALL(mblen)(NULL, 0));
  NUMBER(CALL(mblen)("\xe2\x82", 2));
  NUMBER(CALL(mbtowc)(wides, "\xe2\x82\xac", 3));
  NUMBER(CALL(wctomb)(bytes, L'\u20ac'));
  NUMBER(CALL(mbstowcs)(NULL, "\xe2\x82\xac!", 0));
  NUMBER(CALL(mbstowcs)(wides, "ab\xe2", 10));
  NUMBER(CALL(wcstombs)(bytes, units, 2));
  NUMBER(CALL(wcstombs)(NULL, bad, 0));
  NUMBER(CALL(btowc)(0xe4));
  NUMBER(CALL(btowc)(EOF));
  NUMBER(CALL(wctob)(L'\u00e4'));
  NUMBER(CALL(wctob)(WEOF));
  memset(&state, 0, sizeof state);
  NUMBER(CALL(mbrtoc16)(&unit, "\xf0\x9f\x98\x80", 4, &state));
  NUMBER(unit);
  NUMBER(CALL(mbrtoc16)(&unit, "", 0, &state));
  NUMBER(unit);
  NUMBER(CALL(mbrtoc32)(&point, "\xc3\xa4", 2, &state));
  NUMBER(point);
  NUMBER(CALL(c32rtomb)(bytes, 0x1f600, &state));
  NUMBER(CALL(wcwidth)(0x4e2d));
  NUMBER(CALL(wcswidth)(L"a\x07", 2));
  wchar_t *rest;
  NUMBER(CALL(wcstol)(L"  -0x1fg", &rest, 16));
  WIDE(rest);
  WIDE(CALL(wcstok)(wcscpy(wides, L",,a,b"), L",", &rest));
  REAL(CALL(wcstold)(L"1e5000", &rest));
  NUMBER(CALL(iswctype)(L'\u00e4', CALL(wctype)("alpha")));
  NUMBER(CALL(wctype)("none"));
  NUMBER(CALL(towctrans)(L'\u00e4', CALL(wctrans)("toupper")));
  NUMBER(CALL(swprintf)(wides, 3, L"%d", 12345));
  NUMBER(CALL(swprintf)(wides, 20, L"%s", "\xff"));
  iconv_t conversion = CALL(iconv_open)("UTF-16LE", "UTF-8");
  char in[] = "a\xc3\xa4\xe2\x82\xac\xff!", out[20];
  char *source = in, *target = out;
  size_t left = 9, room = 3;
  NUMBER(CALL(iconv)(conversion, &source, &left, &target, &room));
  NUMBER(left);
  NUMBER(room);
  room = 20;
  target = out;
  NUMBER(CALL(iconv)(conversion, &source, &left, &target, &room));
  NUMBER(left);
  NUMBER(room);
  left = 1;
  source = "\xe2";
  NUMBER(CALL(iconv)(conversion, &source, &left, &target, &room));
  NUMBER(CALL(iconv)(conversion, NULL, NULL, NULL, NULL));
  NUMBER(CALL(iconv_close)(conversion));
  NUMBER((long)CALL(iconv_open)("NONE-SUCH", "UTF-8"));
  conversion = iconv_open("ASCII//TRANSLIT", "UTF-8");
  source = "\xc3\xa4\xe2\x82\xac";
  left = 5;
  target = out;
  room = 20;
  NUMBER(CALL(iconv)(conversion, &source, &left, &target, &room));
  *target = 0;
  TEXT(out);
  iconv_close(conversion);
}

/* Items that are numbers, and such that are wide texts. */
static void conventions(void) {
  static const nl_item numbers[] = {_NL_PAPER_WIDTH, _NL_NUMERIC_DECIMAL_POINT_WC,
                                    _NL_MONETARY_THOUSANDS_SEP_WC, _NL_TIME_WEEK_1STDAY};
  for (int i = 0; i < 4; ++i)
    NUMBER((int)(intptr_t)CALL(nl_langinfo)(numbers[i]));
  static const nl_item wides[] = {_NL_WABDAY_1, _NL_WMON_12, _NL_WD_T_FMT, _NL_WALTMON_1};
  for (int i = 0; i < 4; ++i)
    WIDE((wchar_t *)CALL(nl_langinfo)(wides[i]));
  TEXT(CALL(nl_langinfo)(ALTMON_3));
  TEXT(CALL(nl_langinfo)(-1));
}

static int by_value(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}
static int by_context(const void *a, const void *b, void *context) {
  ++*(int *)context;
  return *(const int *)b - *(const int *)a;
}
static void show_node(const void *node, VISIT which, int depth) {
  if (which == leaf || which == postorder)
    printf("%d at %d\n", **(int *const *)node, depth);
}
static void searches(void) {
  int values[9] = {5, 3, 9, 1, 7, 3, 8, 2, 6}, wanted = 4, calls = 0;
  size_t count = 9;
  NUMBER(CALL(bsearch)(&wanted, values, 0, sizeof *values, by_value) == NULL);
  CALL(qsort_r)(values, 9, sizeof *values, by_context, &calls);
  for (int i = 0; i < 9; ++i)
    NUMBER(values[i]);
  NUMBER(calls > 8);
  CALL(qsort)(values, 0, 4, by_value);
  CALL(qsort)(values, 9, 4, by_value);
  wanted = 9;
  NUMBER((int *)CALL(bsearch)(&wanted, values, 9, 4, by_value) - values);
  NUMBER(CALL(lfind)(&wanted, values, &count, 4, by_value) != NULL);
  count = 8;
  wanted = 77;
  NUMBER((int *)CALL(lsearch)(&wanted, values, &count, 4, by_value) - values);
  NUMBER(count);
  void *root = NULL;
  static int nodes[20];
  for (int i = 0; i < 20; ++i) {
    nodes[i] = i * 7 % 20;
    CALL(tsearch)(&nodes[i], &root, by_value);
  }
  for (int i = 0; i < 20; i += 3)
    NUMBER(CALL(tdelete)(&nodes[i], &root, by_value) != NULL);
  wanted = 100;
  NUMBER(CALL(tdelete)(&wanted, &root, by_value) == NULL);
  NUMBER(CALL(tfind)(&nodes[1], &root, by_value) != NULL);
  CALL(twalk)(root, show_node);
  while (root)
    CALL(tdelete)(*(int **)root, &root, by_value);
  NUMBER(root == NULL);
  NUMBER(CALL(hcreate)(3));
  for (int i = 0; i < 8; ++i) {
    static char keys[8][4];
    snprintf(keys[i], 4, "k%d", i);
    ENTRY entry = {keys[i], keys[i]};
    NUMBER(CALL(hsearch)(entry, ENTER) != NULL);
  }
  ENTRY none = {"none", NULL};
  NUMBER(CALL(hsearch)(none, FIND) != NULL);
  NUMBER(CALL(hcreate)(3));
  CALL(hdestroy)();
  struct hsearch_data table = {0};
  NUMBER(CALL(hcreate_r)(5, &table));
  ENTRY *found;
  NUMBER(CALL(hsearch_r)(none, FIND, &found, &table));
  NUMBER(found == NULL);
  CALL(hdestroy_r)(&table);
}

static void options(void) {
  static struct option longs[] = {{"alpha", no_argument, NULL, 'a'},
                                  {"alpine", required_argument, NULL, 'p'},
                                  {"beta", optional_argument, NULL, 'b'},
                                  {"v", no_argument, NULL, 'v'},
                                  {0}};
  char *arguments[] = {"prog", "-alph", "x",      "-alp",      "--beta=3", "-beta", "--alpi", "val",
                       "-v",   "-z",    "--none", "--alpha=4", "--",       "-a",    NULL};
  int index = -1, found;
  opterr = 0;
  while ((found = CALL(getopt_long_only)(14, arguments, "+-ab::c:", longs, &index)) != -1) {
    printf("%d %d %s %d %d\n", found, index, optarg ? optarg : "-", optopt, optind);
    index = -1;
  }
  NUMBER(optind);
  TEXT(arguments[optind]);
  char *shorts[] = {"prog", "-ab3", "-c", "-b", "rest", "-cx", "-c", NULL};
  optind = 0;
  while ((found = CALL(getopt)(7, shorts, ":ab::c:")) != -1)
    printf("%c %s %c %d\n", found, optarg ? optarg : "-", optopt ? optopt : '-', optind);
  char *rest = strdup("ro,size=5,none,=x"), *value, *all = rest;
  char *const tokens[] = {"ro", "size", NULL};
  while (*rest) {
    NUMBER(CALL(getsubopt)(&rest, tokens, &value));
    TEXT(value);
  }
  free(all);
}

static void times(void) {
  setenv("TZ", "Europe/Berlin", 1);
  CALL(tzset)();
  struct tm parts = {.tm_year = 100,
                     .tm_mon = 14,
                     .tm_mday = -3,
                     .tm_hour = 25,
                     .tm_min = 61,
                     .tm_sec = 3700,
                     .tm_isdst = -1};
  NUMBER(CALL(mktime)(&parts));
  char line[200];
  NUMBER(CALL(strftime)(line, 200,
                        "%Y-%m-%d %H:%M:%S %Z %z %j %U %W %V %G %u %w %C %y %e %k %l %p %P %I %s "
                        "%D %F %T %R %r %c %x %X %h %n%t%% %E %O %Ey %Od %-d %_d %^a %#Z %10Y %+5d",
                        &parts));
  TEXT(line);
  NUMBER(CALL(strftime)(line, 5, "%Y-%m", &parts));
  NUMBER(CALL(strftime)(line, 5, "", &parts));
  parts = (struct tm){
      .tm_year = 121, .tm_mon = 2, .tm_mday = 28, .tm_hour = 2, .tm_min = 30, .tm_isdst = -1};
  NUMBER(CALL(mktime)(&parts));
  NUMBER(parts.tm_hour);
  NUMBER(parts.tm_isdst);
  parts = (struct tm){.tm_year = INT32_MAX, .tm_mon = 11};
  NUMBER(CALL(mktime)(&parts));
  NUMBER(CALL(timegm)(&parts));
  time_t far = INT64_MAX;
  NUMBER(CALL(gmtime)(&far) == NULL);
  far = -1;
  TEXT(CALL(asctime)(CALL(gmtime)(&far)));
  TEXT(CALL(ctime)(&far));
  static const char *const formats[][2] = {{"2024-02-30", "%Y-%m-%d"},
                                           {"12:61", "%H:%M"},
                                           {" Mon  Jan", "%a %b"},
                                           {"99 1", "%y %j"},
                                           {"1700000000", "%s"},
                                           {"+0530", "%z"},
                                           {"PM 11", "%p %I"},
                                           {"2020 53 1", "%G %V %u"},
                                           {"12/31/99", "%D"},
                                           {"x", "%q"},
                                           {"", "%n"},
                                           {"2024 60", "%Y %j"}};
  for (unsigned i = 0; i < 12; ++i) {
    struct tm got = {0};
    char *end = CALL(strptime)(formats[i][0], formats[i][1], &got);
    printf("%s: %s %d %d %d %d %d %d %d %d %ld\n", formats[i][0], end ? end : "(null)", got.tm_year,
           got.tm_mon, got.tm_mday, got.tm_hour, got.tm_min, got.tm_wday, got.tm_yday, got.tm_isdst,
           got.tm_gmtoff);
  }
  REAL(CALL(difftime)(5, 7));
  struct timespec rest = {0, 2000000000};
  NUMBER(CALL(nanosleep)(&rest, NULL));
  NUMBER(CALL(clock_nanosleep)(CLOCK_REALTIME, 0, &(struct timespec){-1, 0}, NULL));
  NUMBER(CALL(clock_gettime)(12345, &rest));
  setenv("TZ", "XYZ-3:30", 1);
  tzset();
  NUMBER(timezone);
  TEXT(tzname[0]);
  far = 86400;
  TEXT(CALL(ctime)(&far));
  CALL(getdate_r)("x", &parts);
}

static void patterns(void) {
  regex_t expression;
  regmatch_t matches[4];
  char message[80];
  static const struct {
    const char *pattern, *text;
    int flags, at;
  } tries[] = {{"a(b*)(c)?d", "xabbd", REG_EXTENDED, 0},
               {"^b", "a\nb", REG_EXTENDED | REG_NEWLINE, 0},
               {"^a", "a", REG_EXTENDED, REG_NOTBOL},
               {"a$", "a", 0, REG_NOTEOL},
               {"[[:alpha:]]+", "12\xc3\xa4z", REG_EXTENDED, 0},
               {"(a)\\1", "aa", 0, 0},
               {"\\(a\\)\\1", "aa", 0, 0},
               {"ABC", "xabc", REG_ICASE, 0},
               {"a|", "", REG_EXTENDED, 0},
               {"x{2,3}", "xxxx", REG_EXTENDED, 0},
               {"[b-a]", "", REG_EXTENDED, 0},
               {"(", "", REG_EXTENDED, 0},
               {"a**", "aa", REG_EXTENDED, 0},
               {"[[:foo:]]", "", 0, 0},
               {"a\\", "", 0, 0},
               {"x{99999}", "", REG_EXTENDED, 0},
               {"*a", "*a", 0, 0},
               {"a", "b", REG_NOSUB, 0}};
  for (unsigned i = 0; i < 18; ++i) {
    int status = CALL(regcomp)(&expression, tries[i].pattern, tries[i].flags);
    printf("%s: %d", tries[i].pattern, status);
    if (status != 0) {
      CALL(regerror)(status, &expression, message, 80);
      printf(" %s\n", message);
      continue;
    }
    status = CALL(regexec)(&expression, tries[i].text, 4, matches, tries[i].at);
    printf(" %d groups %d", status, (int)expression.re_nsub);
    if (!status)
      for (int j = 0; j < 3; ++j)
        printf(" %d-%d", matches[j].rm_so, matches[j].rm_eo);
    printf("\n");
    CALL(regfree)(&expression);
  }
  regcomp(&expression, "b+", REG_EXTENDED);
  matches[0].rm_so = 2;
  matches[0].rm_eo = 5;
  NUMBER(CALL(regexec)(&expression, "bbabbb", 1, matches, REG_STARTEND));
  NUMBER(matches[0].rm_so);
  NUMBER(CALL(regerror)(REG_EPAREN, NULL, message, 3));
  TEXT(message);
  regfree(&expression);
  NUMBER(CALL(fnmatch)("*.[ch]", ".x.c", FNM_PERIOD));
  NUMBER(CALL(fnmatch)("a/*", "a/b/c", FNM_PATHNAME));
  NUMBER(CALL(fnmatch)("A*", "abc", FNM_CASEFOLD));
  NUMBER(CALL(fnmatch)("+(ab|c)d", "abcabd", FNM_EXTMATCH));
  NUMBER(CALL(fnmatch)("[!a", "[!a", 0));
  NUMBER(CALL(fnmatch)("a/b", "a/b/c", FNM_LEADING_DIR));
  NUMBER(CALL(fnmatch)("\\*", "\\*", FNM_NOESCAPE));
  mkdir("globs", 0755);
  mkdir("globs/d", 0755);
  static const char *const files[] = {"globs/b.c", "globs/a.c", "globs/.h", "globs/x{y",
                                      "globs/d/z.c"};
  for (int i = 0; i < 5; ++i)
    fclose(fopen(files[i], "w"));
  glob_t found = {.gl_offs = 2};
  static const struct {
    const char *pattern;
    int flags;
  } globs[] = {{"globs/*.c", 0},
               {"globs/*", GLOB_MARK | GLOB_PERIOD},
               {"globs/{a,b,q}.c", GLOB_BRACE},
               {"globs/none*", GLOB_NOCHECK},
               {"globs/none*", 0},
               {"globs/x{y", GLOB_NOMAGIC},
               {"globs/*/*.c", GLOB_DOOFFS},
               {"globs/*", GLOB_ONLYDIR},
               {"~nonexistentuser/x", GLOB_TILDE_CHECK}};
  for (unsigned i = 0; i < 9; ++i) {
    int status = CALL(glob)(globs[i].pattern, globs[i].flags, NULL, &found);
    printf("%s: %d %zu:", globs[i].pattern, status, status ? 0 : found.gl_pathc);
    size_t skip = globs[i].flags & GLOB_DOOFFS ? 2 : 0;
    for (size_t j = 0; !status && j < found.gl_pathc; ++j)
      printf(" %s", found.gl_pathv[j + skip]);
    printf("\n");
    if (!status)
      CALL(globfree)(&found);
  }
  setenv("WORDS", "one  two", 1);
  wordexp_t words = {0};
  static const struct {
    const char *text;
    int flags;
  } expanded[] = {{"$WORDS \"$WORDS\" 'a b' globs/*.c", 0},
                  {"${NONE:-dflt} $((1+2*3)) $(echo sub)", 0},
                  {"$(echo no)", WRDE_NOCMD},
                  {"$NONE", WRDE_UNDEF},
                  {"a | b", 0},
                  {"'open", 0}};
  for (unsigned i = 0; i < 6; ++i) {
    int status = CALL(wordexp)(expanded[i].text, &words, expanded[i].flags);
    printf("%s: %d:", expanded[i].text, status);
    for (size_t j = 0; !status && j < words.we_wordc; ++j)
      printf(" [%s]", words.we_wordv[j]);
    printf("\n");
    if (!status)
      CALL(wordfree)(&words);
  }
  system("rm -r globs");
}

int main(void) {
  TEXT(setlocale(LC_ALL, "C.UTF-8"));
  numbers();
  multibyte();
  conventions();
  searches();
  options();
  times();
  patterns();
}

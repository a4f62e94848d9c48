// Classes of letters under all their names: with a locale, wide, and as macros call them.
#include "libc.h"
#define __NO_CTYPE
#include <ctype.h>
#include <wctype.h>

static locale_t locale;

static void narrow(const char *name, int (*plain)(int), int (*with)(int, locale_t), int (*under)(int, locale_t)) {
  unsigned long sums[3] = {0};
  for (int c = -128; c < 256; ++c) {
    sums[0] = sums[0] * 31 + plain(c);
    sums[1] = sums[1] * 31 + with(c, locale);
    sums[2] = sums[2] * 31 + under(c, locale);
  }
  printf("%s: %lx %lx %lx\n", name, sums[0], sums[1], sums[2]);
}

/* Only whether a wide character is in a class is said, not by which number. */
static void wide_class(const char *name, int (*plain)(wint_t), int (*with)(wint_t, locale_t), int (*under)(wint_t, locale_t)) {
  unsigned long sums[3] = {0};
  for (wint_t c = 0; c < 0x3000; c += c < 0x200 ? 1 : 7) {
    sums[0] = sums[0] * 31 + (plain(c) != 0);
    sums[1] = sums[1] * 31 + (with(c, locale) != 0);
    sums[2] = sums[2] * 31 + (under(c, locale) != 0);
  }
  printf("%s: %lx %lx %lx %d\n", name, sums[0], sums[1], sums[2], plain(WEOF) != 0);
}

static void wide_map(const char *name, wint_t (*plain)(wint_t), wint_t (*with)(wint_t, locale_t), wint_t (*under)(wint_t, locale_t)) {
  unsigned long sums[3] = {0};
  for (wint_t c = 0; c < 0x3000; c += c < 0x200 ? 1 : 7) {
    sums[0] = sums[0] * 31 + plain(c);
    sums[1] = sums[1] * 31 + with(c, locale);
    sums[2] = sums[2] * 31 + under(c, locale);
  }
  printf("%s: %lx %lx %lx %d\n", name, sums[0], sums[1], sums[2], plain(WEOF) == WEOF);
}

#define NARROW(name) narrow(#name, CALL(name), CALL(name##_l), CALL(__##name##_l))
#define CLASS(name) wide_class(#name, CALL(name), CALL(name##_l), CALL(__##name##_l))

extern int __isalnum_l(int, locale_t), __isalpha_l(int, locale_t), __isblank_l(int, locale_t), __iscntrl_l(int, locale_t), __isdigit_l(int, locale_t), __isgraph_l(int, locale_t), __islower_l(int, locale_t), __isprint_l(int, locale_t), __ispunct_l(int, locale_t), __isspace_l(int, locale_t), __isupper_l(int, locale_t), __isxdigit_l(int, locale_t);
extern int __iswctype_l(wint_t, wctype_t, locale_t), __iswalnum_l(wint_t, locale_t), __iswalpha_l(wint_t, locale_t),
    __iswblank_l(wint_t, locale_t), __iswcntrl_l(wint_t, locale_t), __iswdigit_l(wint_t, locale_t),
    __iswgraph_l(wint_t, locale_t), __iswlower_l(wint_t, locale_t), __iswprint_l(wint_t, locale_t),
    __iswpunct_l(wint_t, locale_t), __iswspace_l(wint_t, locale_t), __iswupper_l(wint_t, locale_t),
    __iswxdigit_l(wint_t, locale_t);
extern wint_t __towctrans_l(wint_t, wctrans_t, locale_t), __towlower_l(wint_t, locale_t), __towupper_l(wint_t, locale_t);
extern wctrans_t __wctrans_l(const char *, locale_t);
extern wctype_t __wctype_l(const char *, locale_t);

int main(void) {
  locale = CALL(newlocale)(LC_ALL_MASK, "C.UTF-8", NULL);
  NARROW(isalnum); NARROW(isalpha); NARROW(isblank); NARROW(iscntrl); NARROW(isdigit); NARROW(isgraph);
  NARROW(islower); NARROW(isprint); NARROW(ispunct); NARROW(isspace); NARROW(isupper); NARROW(isxdigit);
  NARROW(tolower); NARROW(toupper);
  for (int i = 0; i < 2; ++i) {
    CLASS(iswalnum); CLASS(iswalpha); CLASS(iswblank); CLASS(iswcntrl); CLASS(iswdigit); CLASS(iswgraph);
    CLASS(iswlower); CLASS(iswprint); CLASS(iswpunct); CLASS(iswspace); CLASS(iswupper); CLASS(iswxdigit);
    wide_map("towlower", CALL(towlower), CALL(towlower_l), CALL(__towlower_l));
    wide_map("towupper", CALL(towupper), CALL(towupper_l), CALL(__towupper_l));
    CALL(setlocale)(LC_ALL, "C.UTF-8");
  }
  wctype_t kind = CALL(wctype_l)("alpha", locale), same = CALL(__wctype_l)("digit", locale);
  NUMBER(kind != 0); NUMBER(same != 0); NUMBER(CALL(wctype_l)("none", locale) == 0); NUMBER(CALL(wctype)("") == 0);
  NUMBER(CALL(iswctype)(L'a', kind) != 0); NUMBER(CALL(iswctype_l)(L'1', kind, locale) != 0);
  NUMBER(CALL(__iswctype_l)(L'1', same, locale) != 0); NUMBER(CALL(iswctype)(WEOF, kind) != 0);
  wctrans_t map = CALL(wctrans_l)("toupper", locale), other = CALL(__wctrans_l)("tolower", locale);
  NUMBER(map != NULL); NUMBER(CALL(wctrans)("none") == NULL);
  NUMBER(CALL(towctrans)(0xe9, map)); NUMBER(CALL(towctrans_l)(L'q', map, locale)); NUMBER(CALL(__towctrans_l)(L'Q', other, locale));
  CALL(freelocale)(locale);
  return 0;
}

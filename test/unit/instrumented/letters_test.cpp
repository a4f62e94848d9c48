// is*, to* and the tables behind them, in several locales.
#include "test/unit/instrumented/both.h"

#include <clocale>
#include <ctype.h>

namespace culprit::test {

#define CULPRIT_CLASS(name)                                                                        \
  CULPRIT_BOTH(int, is##name, int)                                                                 \
  CULPRIT_BOTH(int, is##name##_l, int, locale_t)
CULPRIT_CLASS(alpha)
CULPRIT_CLASS(upper)
CULPRIT_CLASS(lower)
CULPRIT_CLASS(digit)
CULPRIT_CLASS(xdigit)
CULPRIT_CLASS(space)
CULPRIT_CLASS(print)
CULPRIT_CLASS(graph)
CULPRIT_CLASS(blank)
CULPRIT_CLASS(cntrl)
CULPRIT_CLASS(punct)
CULPRIT_CLASS(alnum)
CULPRIT_BOTH(int, tolower, int)
CULPRIT_BOTH(int, toupper, int)
CULPRIT_BOTH(int, tolower_l, int, locale_t)
CULPRIT_BOTH(int, toupper_l, int, locale_t)

namespace {

void checkAll() {
  static const Both<int(int)> kAll[] = {isalpha_, isupper_, islower_, isdigit_, isxdigit_,
                                        isspace_, isprint_, isgraph_, isblank_, iscntrl_,
                                        ispunct_, isalnum_, tolower_, toupper_};
  for (const Both<int(int)> &each : kAll)
    for (int character = -128; character < 256; ++character)
      ASSERT_EQ(each.ours(character), each.libc(character)) << each.name << " of " << character;
  for (int character : {-129, 256, 100000, -100000}) {
    ASSERT_EQ(our_tolower(character), character);
    ASSERT_EQ(our_toupper(character), character);
  }
  static const Both<int(int, locale_t)> kOfLocale[] = {
      isalpha_l_, isupper_l_, islower_l_, isdigit_l_, isxdigit_l_, isspace_l_, isprint_l_,
      isgraph_l_, isblank_l_, iscntrl_l_, ispunct_l_, isalnum_l_,  tolower_l_, toupper_l_};
  locale_t locale = duplocale(LC_GLOBAL_LOCALE);
  for (const Both<int(int, locale_t)> &each : kOfLocale)
    for (int character = -128; character < 256; ++character)
      ASSERT_EQ(each.ours(character, locale), each.libc(character, locale))
          << each.name << " of " << character;
  freelocale(locale);
}

TEST(Letters, Classes) {
  checkAll();
  for (const char *name : {"C.UTF-8", "en_US.ISO-8859-1", "en_US.UTF-8", "C"})
    if (setlocale(LC_ALL, name))
      checkAll();
}

} // namespace
} // namespace culprit::test

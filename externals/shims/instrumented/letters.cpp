// isalpha, tolower and their relatives, as functions.
//
// As in libc, an argument that is no character reads whatever is beside the tables.
#include "externals/shims/instrumented/letters.h"

#include "externals/shims/instrumented/instrumented.h"

namespace culprit {
namespace {

bool hasEntry(int character) {
  return character >= -128 && character < 256;
}

} // namespace

#define CULPRIT_CLASS(name, bit)                                                                   \
  CULPRIT_INSTRUMENTED int is##name(int character) {                                               \
    return CurrentLocale().classes()[character] & (bit);                                           \
  }                                                                                                \
  CULPRIT_INSTRUMENTED int is##name##_l(int character, locale_t locale) {                          \
    return GivenLocale{locale}.classes()[character] & (bit);                                       \
  }                                                                                                \
  CULPRIT_INSTRUMENTED int __is##name##_l(int character, locale_t locale) {                        \
    return GivenLocale{locale}.classes()[character] & (bit);                                       \
  }

CULPRIT_CLASS(upper, kUpper)
CULPRIT_CLASS(lower, kLower)
CULPRIT_CLASS(alpha, kAlpha)
CULPRIT_CLASS(digit, kDigit)
CULPRIT_CLASS(xdigit, kXdigit)
CULPRIT_CLASS(space, kSpace)
CULPRIT_CLASS(print, kPrint)
CULPRIT_CLASS(graph, kGraph)
CULPRIT_CLASS(blank, kBlank)
CULPRIT_CLASS(cntrl, kCntrl)
CULPRIT_CLASS(punct, kPunct)
CULPRIT_CLASS(alnum, kAlnum)
#undef CULPRIT_CLASS

CULPRIT_INSTRUMENTED int tolower(int character) {
  return hasEntry(character) ? (*__ctype_tolower_loc())[character] : character;
}

CULPRIT_INSTRUMENTED int toupper(int character) {
  return hasEntry(character) ? (*__ctype_toupper_loc())[character] : character;
}

#define CULPRIT_CASE_IN_LOCALE(name, table)                                                        \
  CULPRIT_INSTRUMENTED int name(int character, locale_t locale) {                                  \
    return hasEntry(character) ? locale->table[character] : character;                             \
  }

CULPRIT_CASE_IN_LOCALE(tolower_l, __ctype_tolower)
CULPRIT_CASE_IN_LOCALE(__tolower_l, __ctype_tolower)
CULPRIT_CASE_IN_LOCALE(toupper_l, __ctype_toupper)
CULPRIT_CASE_IN_LOCALE(__toupper_l, __ctype_toupper)
#undef CULPRIT_CASE_IN_LOCALE

} // namespace culprit

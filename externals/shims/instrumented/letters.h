// What characters are, by the tables of the locale.
//
// Tables for narrow characters are memory of the program (externals/shims/ctype_tables.cpp); what
// wide characters are is a matter of values, which libc is asked.
#ifndef CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_LETTERS_H
#define CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_LETTERS_H

#include <bits/types/locale_t.h>
#include <bits/types/wint_t.h>

extern "C" {
const unsigned short **__ctype_b_loc();
const int **__ctype_tolower_loc();
const int **__ctype_toupper_loc();
int iswspace(wint_t character);
int iswspace_l(wint_t character, locale_t locale);
wint_t towlower(wint_t character);
wint_t towlower_l(wint_t character, locale_t locale);
}

namespace culprit {

/// The bits of the tables that `__ctype_b_loc` hands out.
enum CharClass : unsigned short {
  kUpper = 0x100,
  kLower = 0x200,
  kAlpha = 0x400,
  kDigit = 0x800,
  kXdigit = 0x1000,
  kSpace = 0x2000,
  kPrint = 0x4000,
  kGraph = 0x8000,
  kBlank = 0x1,
  kCntrl = 0x2,
  kPunct = 0x4,
  kAlnum = 0x8,
};

/// The current locale, where a function has none as an argument.
struct CurrentLocale {
  const unsigned short *classes() const { return *__ctype_b_loc(); }
  const int *lowers() const { return *__ctype_tolower_loc(); }
  bool isSpace(char character) const {
    return (classes()[static_cast<unsigned char>(character)] & kSpace) != 0;
  }
  bool isSpace(wchar_t character) const { return iswspace(static_cast<wint_t>(character)) != 0; }
  int lower(char character) const { return lowers()[static_cast<unsigned char>(character)]; }
  int lower(wchar_t character) const {
    return static_cast<int>(towlower(static_cast<wint_t>(character)));
  }
};

struct GivenLocale {
  locale_t locale;
  const unsigned short *classes() const { return locale->__ctype_b; }
  const int *lowers() const { return locale->__ctype_tolower; }
  bool isSpace(char character) const {
    return (classes()[static_cast<unsigned char>(character)] & kSpace) != 0;
  }
  bool isSpace(wchar_t character) const {
    return iswspace_l(static_cast<wint_t>(character), locale) != 0;
  }
  int lower(char character) const { return lowers()[static_cast<unsigned char>(character)]; }
  int lower(wchar_t character) const {
    return static_cast<int>(towlower_l(static_cast<wint_t>(character), locale));
  }
};

} // namespace culprit
#endif

// How far a text may be a floating-point number: what has to be copied for libc to read it.
//
// The extent is that of libc's look ahead ("1e+" is three characters, though the number is one),
// and not a character more is read than libc would.
#ifndef CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_FLOAT_EXTENT_H
#define CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_FLOAT_EXTENT_H

#include "externals/external.h"
#include "externals/shims/instrumented/letters.h"
#include "externals/shims/instrumented/libc_locale.h"

#include <langinfo.h>
#include <stddef.h>
#include <stdint.h>

namespace culprit {

/// The decimal point, as text.
inline const char *pointOf(const CurrentLocale &, char) {
  return CULPRIT_NEXT(nl_langinfo)(RADIXCHAR);
}

inline const char *pointOf(const GivenLocale &given, char) {
  return CULPRIT_NEXT(nl_langinfo_l)(RADIXCHAR, __culprit_libc_locale(given.locale));
}

/// langinfo hands out a wide character in the place of a pointer.
inline wchar_t pointOf(const CurrentLocale &, wchar_t) {
  const char *word = CULPRIT_NEXT(nl_langinfo)(_NL_NUMERIC_DECIMAL_POINT_WC);
  return static_cast<wchar_t>(reinterpret_cast<uintptr_t>(word));
}

inline wchar_t pointOf(const GivenLocale &given, wchar_t) {
  const char *word = CULPRIT_NEXT(nl_langinfo_l)(_NL_NUMERIC_DECIMAL_POINT_WC,
                                                 __culprit_libc_locale(given.locale));
  return static_cast<wchar_t>(reinterpret_cast<uintptr_t>(word));
}

template <typename Char, typename Locale> class FloatExtent {
public:
  FloatExtent(const Char *text, const Locale &locale) : at_(text), locale_(locale) {}

  /// The end of what may be the number, white space in front included.
  const Char *end() {
    while (locale_.isSpace(*at_))
      ++at_;
    if (*at_ == '-' || *at_ == '+')
      ++at_;
    if (takeWord("nan"))
      takePayload();
    else if (takeWord("infinity") || isInWord_)
      ;
    else
      takeNumber();
    return at_;
  }

private:
  static bool isBasic(Char character, char wanted) {
    return character == wanted ||
           (wanted >= 'a' && wanted <= 'z' && character == wanted - 'a' + 'A');
  }

  /// Goes on as far as the text agrees with the word.
  bool takeWord(const char *word) {
    const char *first = word;
    while (*word != 0 && isBasic(*at_, *word)) {
      ++at_;
      ++word;
    }
    isInWord_ = word != first;
    return *word == 0;
  }

  static bool isAlphanumeric(Char character) {
    return (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
           (character >= 'A' && character <= 'Z') || character == '_';
  }

  void takePayload() {
    if (*at_ != '(')
      return;
    ++at_;
    while (isAlphanumeric(*at_))
      ++at_;
    if (*at_ == ')')
      ++at_;
  }

  void takeDigits(bool isHexadecimal) {
    while ((*at_ >= '0' && *at_ <= '9') ||
           (isHexadecimal && ((*at_ >= 'a' && *at_ <= 'f') || (*at_ >= 'A' && *at_ <= 'F'))))
      ++at_;
  }

  bool takePoint(const char *point) {
    size_t length = 0;
    while (point[length] != 0 && at_[length] == point[length])
      ++length;
    if (point[length] != 0)
      return false;
    at_ += length;
    return true;
  }

  bool takePoint(wchar_t point) {
    if (*at_ != point)
      return false;
    ++at_;
    return true;
  }

  void takeNumber() {
    bool isHexadecimal = false;
    const Char *begin = at_;
    if (*at_ == '0' && isBasic(at_[1], 'x')) {
      isHexadecimal = true;
      at_ += 2;
      begin = at_;
    }
    takeDigits(isHexadecimal);
    if (takePoint(pointOf(locale_, Char{0})))
      takeDigits(isHexadecimal);
    if (at_ == begin || !isBasic(*at_, isHexadecimal ? 'p' : 'e'))
      return;
    ++at_;
    if (*at_ == '-' || *at_ == '+')
      ++at_;
    takeDigits(false);
  }

  const Char *at_;
  const Locale &locale_;
  bool isInWord_ = false; ///< the text agrees with the beginning of a word
};

} // namespace culprit
#endif

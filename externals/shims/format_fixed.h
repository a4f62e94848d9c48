// "%.2f" of usual numbers, without libc.
//
// A double is an integer times a power of two, so a number that is not too large or small, times a
// power of ten, can be rounded exactly in 128 bits. What that is not true of is left to libc: very
// large and very small numbers, many digits, other directions of rounding, flags for locales.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_FIXED_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_FIXED_H

#include "externals/shims/format_libc.h"
#include "externals/shims/format_spec.h"

#include <stdint.h>
#include <string.h>

namespace culprit {

inline constexpr uint64_t kPowersOfTen[] = {1,      10,      100,      1000,      10000,
                                            100000, 1000000, 10000000, 100000000, 1000000000};
inline constexpr int kMostFixedPlaces = 9;
inline constexpr int kLongestFixed = 32; ///< units without padding

/// Of four directions only this one has neither sum differ from 1.
inline bool roundsToNearest() {
  volatile double tiny = 0x1p-60;
  return 1 + tiny == 1 && 1 - tiny == 1;
}

/// The magnitude of `value` times ten to the `places`, rounded; false where that is libc's to know.
inline bool roundFixed(double value, int places, uint64_t &rounded) {
  constexpr int kMantissaBits = 52, kMostShift = 126;
  constexpr uint64_t kLimit = 10'000'000'000'000'000'000u;
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  int exponent = static_cast<int>(bits >> kMantissaBits & 0x7ff);
  int shift = 1023 + kMantissaBits - exponent;
  rounded = 0;
  if (bits << 1 == 0)
    return true;
  if (exponent == 0 || shift < 0 || shift > kMostShift)
    return false;
  uint64_t mantissa = (bits & ((uint64_t{1} << kMantissaBits) - 1)) | uint64_t{1} << kMantissaBits;
  using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(mantissa) * kPowersOfTen[places];
  Wide whole = product >> shift;
  Wide rest = product - (whole << shift);
  if (whole >= kLimit || (rest != 0 && !roundsToNearest()))
    return false;
  rounded = static_cast<uint64_t>(whole);
  Wide twice = rest << 1, one = static_cast<Wide>(1) << shift;
  if (twice > one || (twice == one && rounded % 2 == 1))
    ++rounded;
  return true;
}

/// The locale's decimal point; 0: it is longer than one unit.
inline char decimalPoint(const char *) {
  const char *point = localeText(RADIXCHAR);
  return point[0] != 0 && point[1] == 0 ? point[0] : '\0';
}
inline wchar_t decimalPoint(const wchar_t *) {
  return localeCharacter(_NL_NUMERIC_DECIMAL_POINT_WC);
}

/// A number with its sign and its padding.
template <typename Unit, int kWidest> class FixedText {
public:
  FixedText(const FormatSpec &spec, double value) {
    int places = spec.precision < 0 ? 6 : spec.precision;
    bool isUsual = (spec.letter | 0x20) == 'f' && !spec.isAlternate && !spec.isGrouped &&
                   !spec.usesLocaleDigits && places <= kMostFixedPlaces && spec.width <= kWidest;
    uint64_t rounded = 0;
    Unit point = 0;
    isMade_ = isUsual && roundFixed(value, places, rounded) &&
              (places == 0 || (point = decimalPoint(units_)) != 0);
    if (!isMade_)
      return;
    writeDigits(rounded, places, point);
    bool isNegative = __builtin_signbit(value);
    writePadding(spec, isNegative ? '-' : spec.hasPlus ? '+' : spec.hasSpace ? ' ' : '\0');
  }

  bool isMade() const { return isMade_; }
  const Unit *units() const { return begin_; }
  size_t length() const { return end_ - begin_; }

private:
  void writeDigits(uint64_t rounded, int places, Unit point) {
    for (int i = 0; i < places; ++i, rounded /= 10)
      *--begin_ = static_cast<Unit>('0' + rounded % 10);
    if (places > 0)
      *--begin_ = point;
    do
      *--begin_ = static_cast<Unit>('0' + rounded % 10);
    while ((rounded /= 10) != 0);
  }

  void writePadding(const FormatSpec &spec, char sign) {
    long missing = spec.width - (end_ - begin_) - (sign ? 1 : 0);
    bool hasZeros = !spec.isLeft && spec.padding == '0';
    for (; hasZeros && missing > 0; --missing)
      *--begin_ = '0';
    if (sign)
      *--begin_ = static_cast<Unit>(sign);
    for (; missing > 0; --missing)
      *(spec.isLeft ? end_++ : --begin_) = ' ';
  }

  Unit units_[2 * (kWidest + kLongestFixed)];
  Unit *begin_ = units_ + kWidest + kLongestFixed, *end_ = begin_;
  bool isMade_;
};

} // namespace culprit
#endif

// Integers for printf: digits are made from the end of a buffer to its front.
#include "externals/shims/format_convert.h"
#include "externals/shims/format_libc.h"

#include <wctype.h>

namespace culprit {
namespace {

/// Room for 64 binary digits, each with a separator, and for decimal digits of the locale.
constexpr size_t kRoom = 1000;
constexpr size_t kMostDigits = 64;
constexpr size_t kLongestUnit = MB_LEN_MAX + 1;

constexpr char kPairs[] = "0001020304050607080910111213141516171819"
                          "2021222324252627282930313233343536373839"
                          "4041424344454647484950515253545556575859"
                          "6061626364656667686970717273747576777879"
                          "8081828384858687888990919293949596979899";

template <typename Unit> Unit *decimalBefore(Unit *end, uint64_t value) {
  for (; value >= 100; value /= 100) {
    const char *pair = kPairs + value % 100 * 2;
    *--end = pair[1];
    *--end = pair[0];
  }
  if (value >= 10) {
    *--end = kPairs[value * 2 + 1];
    *--end = kPairs[value * 2];
  } else {
    *--end = static_cast<Unit>('0' + value);
  }
  return end;
}

template <typename Unit>
Unit *digitsBefore(Unit *end, uint64_t value, unsigned base, bool isUpper) {
  if (base == 10)
    return decimalBefore(end, value);
  const char *digits = isUpper ? "0123456789ABCDEF" : "0123456789abcdef";
  unsigned shift = base == 16 ? 4 : base == 8 ? 3 : 1;
  do {
    *--end = digits[value & (base - 1)];
    value >>= shift;
  } while (value != 0);
  return end;
}

char *bytesBefore(char *end, const char *bytes, size_t length) {
  memcpy(end - length, bytes, length);
  return end - length;
}

/// What separates groups of digits in the locale: bytes, or one wide character.
struct Separator {
  explicit Separator(const char *) : bytes(localeText(THOUSEP)), length(strlen(bytes)) {}
  explicit Separator(const wchar_t *)
      : character(localeCharacter(_NL_NUMERIC_THOUSANDS_SEP_WC)), length(character ? 1 : 0) {}

  char *putBefore(char *end) const { return bytesBefore(end, bytes, length); }
  wchar_t *putBefore(wchar_t *end) const {
    *--end = character;
    return end;
  }

  const char *bytes = nullptr;
  wchar_t character = 0;
  size_t length;
};

/// Sizes of groups, the last one of which repeats. A size that is none, or negative, ends grouping.
bool isGroupSize(char size) {
  return size > 0 && size != CHAR_MAX;
}

/// Puts separators between the digits in [digits, end); gives the new start.
template <typename Unit> Unit *groupDigits(Unit *digits, Unit *end) {
  const char *sizes = localeText(__GROUPING);
  Separator separator(digits);
  if (!isGroupSize(*sizes) || separator.length == 0)
    return digits;
  Unit copy[kMostDigits];
  size_t left = end - digits;
  memcpy(copy, digits, left * sizeof(Unit));
  unsigned room = static_cast<unsigned char>(*sizes++);
  bool isGrouping = true;
  while (left > 0) {
    *--end = copy[--left];
    if (!isGrouping || --room > 0 || left == 0)
      continue;
    end = separator.putBefore(end);
    if (*sizes == CHAR_MAX || *sizes < 0)
      isGrouping = false;
    else
      room = static_cast<unsigned char>(*sizes != 0 ? *sizes++ : sizes[-1]);
  }
  return end;
}

char *localeDigitBefore(char *end, unsigned digit) {
  const char *bytes = localeText(static_cast<nl_item>(_NL_CTYPE_OUTDIGIT0_MB + digit));
  return bytesBefore(end, bytes, strlen(bytes));
}

wchar_t *localeDigitBefore(wchar_t *end, unsigned digit) {
  *--end = localeCharacter(static_cast<nl_item>(_NL_CTYPE_OUTDIGIT0_WC + digit));
  return end;
}

/// The locale's own form of '.' or ','; the same when it has none in its encoding.
char *localePunctuationBefore(char *end, char plain, wctrans_t map) {
  char bytes[kLongestUnit];
  mbstate_t state{};
  size_t length = wcrtomb(bytes, static_cast<wchar_t>(towctrans(plain, map)), &state);
  if (length == static_cast<size_t>(-1)) {
    *--end = plain;
    return end;
  }
  return bytesBefore(end, bytes, length);
}

wchar_t *localePunctuationBefore(wchar_t *end, wchar_t plain, wctrans_t map) {
  *--end = static_cast<wchar_t>(towctrans(plain, map));
  return end;
}

/// Writes the number in [digits, end) in the locale's digits; gives the new start.
template <typename Unit> Unit *useLocaleDigits(Unit *digits, Unit *end) {
  Unit copy[kRoom];
  size_t left = end - digits;
  memcpy(copy, digits, left * sizeof(Unit));
  wctrans_t map = wctrans("to_outpunct");
  while (left > 0) {
    Unit unit = copy[--left];
    if (unit >= '0' && unit <= '9')
      end = localeDigitBefore(end, unit - '0');
    else if (map && (unit == '.' || unit == ','))
      end = localePunctuationBefore(end, unit, map);
    else
      *--end = unit;
  }
  return end;
}

/// Digits without sign and width, from the end of the buffer to its front.
template <typename Unit>
Unit *makeDigits(Unit *end, const FormatSpec &spec, FormatInteger number, int precision) {
  Unit *digits = end;
  bool isOctalWithMark = spec.isAlternate && number.base == 8;
  if (precision == 0 && number.magnitude == 0) {
    if (isOctalWithMark)
      *--digits = '0';
    return digits;
  }
  digits = digitsBefore(end, number.magnitude, number.base, spec.letter == 'X');
  if (spec.isGrouped)
    digits = groupDigits(digits, end);
  if (spec.usesLocaleDigits && number.base == 10)
    digits = useLocaleDigits(digits, end);
  if (isOctalWithMark && number.magnitude != 0 && precision <= end - digits)
    *--digits = '0';
  return digits;
}

char signOf(const FormatSpec &spec, bool isNegative) {
  if (isNegative)
    return '-';
  return spec.hasPlus ? '+' : spec.hasSpace ? ' ' : '\0';
}

/// A sign, "0x" and the like.
template <typename Unit>
bool putPrefix(Output<Unit> &out, char sign, bool hasMark, const FormatSpec &spec) {
  return (!sign || out.putOne(sign)) &&
         (!hasMark || (out.putOne('0') && out.putOne(static_cast<Unit>(spec.letter))));
}

} // namespace

template <typename Unit>
bool putDigits(Output<Unit> &out, const FormatSpec &spec, FormatInteger number) {
  Unit buffer[kRoom];
  Unit *end = buffer + kRoom;
  int precision = spec.precision < 0 ? 1 : spec.precision;
  Unit *digits = makeDigits(end, spec, number, precision);
  size_t length = end - digits;
  char sign = signOf(spec, number.isNegative);
  bool hasMark =
      number.magnitude != 0 && spec.isAlternate && (number.base == 16 || number.base == 2);
  int zeros = static_cast<int64_t>(length) < precision ? precision - static_cast<int>(length) : 0;
  size_t used = length + zeros + (hasMark ? 2 : 0) + (sign ? 1 : 0);
  int width = wrappedMinus(spec.width, used);
  if (spec.isLeft)
    return putPrefix(out, sign, hasMark, spec) && out.pad('0', zeros) && out.put(digits, length) &&
           out.pad(' ', width);
  bool hasZeros = spec.padding == '0' && spec.precision < 0;
  if (hasZeros)
    zeros = width;
  return (hasZeros || out.pad(' ', width)) && putPrefix(out, sign, hasMark, spec) &&
         out.pad('0', zeros) && out.put(digits, length);
}

template <typename Unit>
bool putInteger(Output<Unit> &out, const FormatSpec &spec, const FormatArgument &argument) {
  if (spec.letter == 'd' || spec.letter == 'i') {
    int64_t value = spec.isLong    ? argument.asLong
                    : spec.isChar  ? static_cast<signed char>(argument.asInt)
                    : spec.isShort ? static_cast<short>(argument.asInt)
                                   : argument.asInt;
    uint64_t magnitude = static_cast<uint64_t>(value);
    return putDigits(out, spec, {value < 0 ? 0 - magnitude : magnitude, value < 0, 10});
  }
  uint64_t value = spec.isLong    ? static_cast<unsigned long>(argument.asLong)
                   : spec.isChar  ? static_cast<unsigned char>(argument.asInt)
                   : spec.isShort ? static_cast<unsigned short>(argument.asInt)
                                  : static_cast<unsigned>(argument.asInt);
  FormatSpec signless = spec;
  signless.hasPlus = signless.hasSpace = false;
  unsigned base = spec.letter == 'u'            ? 10
                  : spec.letter == 'o'          ? 8
                  : (spec.letter | 0x20) == 'x' ? 16
                                                : 2;
  return putDigits(out, signless, {value, false, base});
}

template <typename Unit>
bool putPointer(Output<Unit> &out, const FormatSpec &spec, const void *pointer) {
  FormatSpec changed = spec;
  if (!pointer) {
    const Unit kNil[] = {'(', 'n', 'i', 'l', ')'};
    return putAligned(out, spec, kNil, sizeof kNil / sizeof(Unit));
  }
  changed.letter = 'x';
  changed.isAlternate = true;
  changed.isGrouped = false;
  return putDigits(out, changed, {reinterpret_cast<uint64_t>(pointer), false, 16});
}

template bool putDigits(Output<char> &, const FormatSpec &, FormatInteger);
template bool putDigits(Output<wchar_t> &, const FormatSpec &, FormatInteger);
template bool putInteger(Output<char> &, const FormatSpec &, const FormatArgument &);
template bool putInteger(Output<wchar_t> &, const FormatSpec &, const FormatArgument &);
template bool putPointer(Output<char> &, const FormatSpec &, const void *);
template bool putPointer(Output<wchar_t> &, const FormatSpec &, const void *);

} // namespace culprit

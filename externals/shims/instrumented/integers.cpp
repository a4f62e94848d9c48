// strtol and its relatives, for narrow and wide strings; a64l.
//
// As in glibc 2.36: binary prefixes are not known, a bad base leaves the end pointer alone, and
// "0x" without digits ends behind the zero.
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/letters.h"

#include <errno.h>
#include <limits.h>

namespace culprit {
namespace {

/// Of the digits and letters that every base has; 36: neither.
template <typename Char> unsigned digitValue(Char character) {
  if (character >= '0' && character <= '9')
    return static_cast<unsigned>(character - '0');
  if (character >= 'a' && character <= 'z')
    return static_cast<unsigned>(character - 'a') + 10;
  if (character >= 'A' && character <= 'Z')
    return static_cast<unsigned>(character - 'A') + 10;
  return 36;
}

template <typename Char> struct Digits {
  const Char *end; ///< null: there is no number
  uint64_t value = 0;
  bool isTooLarge = false;
};

template <typename Char> bool isX(Char character) {
  return character == 'x' || character == 'X';
}

/// The base that the text speaks of, if none is given, and its prefix skipped.
template <typename Char> unsigned takeBase(const Char *&text, unsigned base) {
  if (text[0] == '0' && (base == 0 || base == 16) && isX(text[1])) {
    text += 2;
    return 16;
  }
  if (base == 0)
    return text[0] == '0' ? 8 : 10;
  return base;
}

template <typename Char> Digits<Char> readDigits(const Char *text, unsigned base) {
  const Char *begin = text;
  base = takeBase(text, base);
  Digits<Char> result{nullptr};
  const Char *at = text;
  for (unsigned digit = digitValue(*at); digit < base; digit = digitValue(*++at)) {
    result.isTooLarge |= __builtin_mul_overflow(result.value, base, &result.value);
    result.isTooLarge |= __builtin_add_overflow(result.value, digit, &result.value);
  }
  if (at != text)
    result.end = at;
  else if (text != begin)
    result.end = begin + 1;
  return result;
}

long asSigned(uint64_t value, bool isNegative, bool isTooLarge) {
  uint64_t most = static_cast<uint64_t>(LONG_MAX) + isNegative;
  if (isTooLarge || value > most) {
    errno = ERANGE;
    return isNegative ? LONG_MIN : LONG_MAX;
  }
  return static_cast<long>(isNegative ? 0 - value : value);
}

unsigned long asUnsigned(uint64_t value, bool isNegative, bool isTooLarge) {
  if (isTooLarge) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  return isNegative ? 0 - value : value;
}

template <bool IsSigned, typename Char, typename Locale>
unsigned long readInteger(const Char *text, Char **end, int base, const Locale &locale) {
  if (base < 0 || base == 1 || base > 36) {
    errno = EINVAL;
    return 0;
  }
  const Char *at = text;
  while (locale.isSpace(*at))
    ++at;
  bool isNegative = *at == '-';
  if (isNegative || *at == '+')
    ++at;
  Digits<Char> digits = readDigits(at, static_cast<unsigned>(base));
  if (end)
    *end = const_cast<Char *>(digits.end ? digits.end : text);
  if (!digits.end)
    return 0;
  if (IsSigned)
    return static_cast<unsigned long>(asSigned(digits.value, isNegative, digits.isTooLarge));
  return asUnsigned(digits.value, isNegative, digits.isTooLarge);
}

} // namespace

#define CULPRIT_READ(name, Result, isSigned, Char)                                                 \
  CULPRIT_INSTRUMENTED Result name(const Char *text, Char **end, int base) {                       \
    return static_cast<Result>(readInteger<isSigned>(text, end, base, CurrentLocale()));           \
  }
#define CULPRIT_READ_IN(name, Result, isSigned, Char)                                              \
  CULPRIT_INSTRUMENTED Result name(const Char *text, Char **end, int base, locale_t locale) {      \
    return static_cast<Result>(readInteger<isSigned>(text, end, base, GivenLocale{locale}));       \
  }
#define CULPRIT_READ_ALL(name, Result, isSigned, Char)                                             \
  CULPRIT_READ(name, Result, isSigned, Char)                                                       \
  CULPRIT_READ_IN(name##_l, Result, isSigned, Char)                                                \
  CULPRIT_READ_IN(__##name##_l, Result, isSigned, Char)

CULPRIT_READ_ALL(strtol, long, true, char)
CULPRIT_READ_ALL(strtoll, long long, true, char)
CULPRIT_READ_ALL(strtoul, unsigned long, false, char)
CULPRIT_READ_ALL(strtoull, unsigned long long, false, char)
CULPRIT_READ_ALL(wcstol, long, true, wchar_t)
CULPRIT_READ_ALL(wcstoll, long long, true, wchar_t)
CULPRIT_READ_ALL(wcstoul, unsigned long, false, wchar_t)
CULPRIT_READ_ALL(wcstoull, unsigned long long, false, wchar_t)
CULPRIT_READ(strtoq, long long, true, char)
CULPRIT_READ(strtouq, unsigned long long, false, char)
CULPRIT_READ(strtoimax, intmax_t, true, char)
CULPRIT_READ(strtoumax, uintmax_t, false, char)
CULPRIT_READ(wcstoq, long long, true, wchar_t)
CULPRIT_READ(wcstouq, unsigned long long, false, wchar_t)
CULPRIT_READ(wcstoimax, intmax_t, true, wchar_t)
CULPRIT_READ(wcstoumax, uintmax_t, false, wchar_t)
#undef CULPRIT_READ_ALL
#undef CULPRIT_READ_IN
#undef CULPRIT_READ

namespace {

long readDecimal(const char *text) {
  return static_cast<long>(readInteger<true, char>(text, nullptr, 10, CurrentLocale()));
}

} // namespace

CULPRIT_INSTRUMENTED int atoi(const char *text) {
  return static_cast<int>(readDecimal(text));
}

CULPRIT_INSTRUMENTED long atol(const char *text) {
  return readDecimal(text);
}

CULPRIT_INSTRUMENTED long long atoll(const char *text) {
  return readDecimal(text);
}

/// Up to six digits of 64, the least one first; what is beyond 32 bits is lost.
CULPRIT_INSTRUMENTED long a64l(const char *text) {
  uint32_t value = 0;
  for (unsigned i = 0; i < 6; ++i) {
    char digit = text[i];
    uint32_t bits = 0;
    if (digit >= '.' && digit <= '9')
      bits = static_cast<uint32_t>(digit - '.');
    else if (digit >= 'A' && digit <= 'Z')
      bits = static_cast<uint32_t>(digit - 'A') + 12;
    else if (digit >= 'a' && digit <= 'z')
      bits = static_cast<uint32_t>(digit - 'a') + 38;
    else
      break;
    value |= bits << (6 * i);
  }
  return static_cast<long>(value);
}

} // namespace culprit

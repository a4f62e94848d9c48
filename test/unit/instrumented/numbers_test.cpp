// strto*, ato*, a64l: values, ends and errno.
#include "test/unit/instrumented/both.h"

#include <clocale>
#include <cmath>

namespace culprit::test {

CULPRIT_BOTH(long, strtol, const char *, char **, int)
CULPRIT_BOTH(unsigned long, strtoul, const char *, char **, int)
CULPRIT_BOTH(long long, strtoll, const char *, char **, int)
CULPRIT_BOTH(unsigned long long, strtoull, const char *, char **, int)
CULPRIT_BOTH(long long, strtoq, const char *, char **, int)
CULPRIT_BOTH(intmax_t, strtoimax, const char *, char **, int)
CULPRIT_BOTH(uintmax_t, strtoumax, const char *, char **, int)
CULPRIT_BOTH(long, wcstol, const wchar_t *, wchar_t **, int)
CULPRIT_BOTH(unsigned long, wcstoul, const wchar_t *, wchar_t **, int)
CULPRIT_BOTH(long long, wcstoll, const wchar_t *, wchar_t **, int)
CULPRIT_BOTH(unsigned long long, wcstoull, const wchar_t *, wchar_t **, int)
CULPRIT_BOTH(intmax_t, wcstoimax, const wchar_t *, wchar_t **, int)
CULPRIT_BOTH(uintmax_t, wcstoumax, const wchar_t *, wchar_t **, int)
CULPRIT_BOTH(long, strtol_l, const char *, char **, int, locale_t)
CULPRIT_BOTH(int, atoi, const char *)
CULPRIT_BOTH(long, atol, const char *)
CULPRIT_BOTH(long long, atoll, const char *)
CULPRIT_BOTH(double, atof, const char *)
CULPRIT_BOTH(double, strtod, const char *, char **)
CULPRIT_BOTH(float, strtof, const char *, char **)
CULPRIT_BOTH(long double, strtold, const char *, char **)
CULPRIT_BOTH(double, wcstod, const wchar_t *, wchar_t **)
CULPRIT_BOTH(float, wcstof, const wchar_t *, wchar_t **)
CULPRIT_BOTH(long double, wcstold, const wchar_t *, wchar_t **)
CULPRIT_BOTH(double, strtod_l, const char *, char **, locale_t)
CULPRIT_BOTH(long, a64l, const char *)

namespace {

template <typename Char> std::basic_string<Char> wide(const std::string &text) {
  return {text.begin(), text.end()};
}

std::string integerIn(Field &field) {
  static const char *const kEdges[] = {"9223372036854775807",
                                       "9223372036854775808",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "2147483648",
                                       "0x7fffffffffffffff",
                                       "0xffffffffffffffff",
                                       "0x10000000000000000",
                                       "0777777777777777777777",
                                       "0x",
                                       "0xg",
                                       "0b11",
                                       "08",
                                       "zz",
                                       "",
                                       "0x1x",
                                       "1777777777777777777777"};
  std::string text = field.text(2, std::string(" \t"));
  static const char *const kSigns[] = {"", "", "+", "-", "--", "- "};
  text += kSigns[below(field.random, 6)];
  if (field.random() % 2 != 0)
    text += kEdges[below(field.random, std::size(kEdges))];
  else
    text += field.text(25, std::string("01789afxXzZ-"));
  return text + field.text(2, std::string("9 x"));
}

template <typename Char> auto readingInteger() {
  return [](auto *function, Field &field) {
    auto *text = field.a.placeText(wide<Char>(integerIn(field)));
    static const int kBases[] = {0, 10, 16, 8, 2, 36, 1, -1, 37, 7};
    int base = kBases[below(field.random, std::size(kBases))];
    auto *end = reinterpret_cast<Char *>(field.b.begin());
    auto value = function(text, &end, base);
    EXPECT_EQ(function(text, nullptr, base), value);
    return static_cast<unsigned long>(value) * 31 + static_cast<unsigned long>(field.offset(end));
  };
}

/// Digits may be the last thing in memory, if something else follows at once.
TEST(Numbers, Integers) {
  compare(strtol_, readingInteger<char>(), 20000);
  compare(strtoul_, readingInteger<char>(), 5000);
  compare(strtoll_, readingInteger<char>(), 5000);
  compare(strtoull_, readingInteger<char>(), 5000);
  compare(strtoq_, readingInteger<char>());
  compare(strtoimax_, readingInteger<char>());
  compare(strtoumax_, readingInteger<char>());
  compare(wcstol_, readingInteger<wchar_t>(), 5000);
  compare(wcstoul_, readingInteger<wchar_t>(), 5000);
  compare(wcstoll_, readingInteger<wchar_t>());
  compare(wcstoull_, readingInteger<wchar_t>());
  compare(wcstoimax_, readingInteger<wchar_t>());
  compare(wcstoumax_, readingInteger<wchar_t>());
}

TEST(Numbers, IntegersOfALocale) {
  locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  compare(strtol_l_, [=](auto *function, Field &field) {
    char *text = field.a.placeText(integerIn(field));
    return function(text, nullptr, 0, locale);
  });
  freelocale(locale);
}

TEST(Numbers, IntegersWithoutEnd) {
  auto reading = [](auto *function, Field &field) {
    return function(field.a.placeText(integerIn(field)));
  };
  compare(atoi_, reading, 3000);
  compare(atol_, reading, 3000);
  compare(atoll_, reading, 3000);
}

std::string floatIn(Field &field) {
  static const char *const kEdges[] = {"inf",
                                       "infinity",
                                       "INFINIT",
                                       "nan",
                                       "nan(12_a)",
                                       "nan(12",
                                       "nan(1-)",
                                       "0x1.8p3",
                                       "0x.8p-3x",
                                       "0x",
                                       "0x.",
                                       "0x.p1",
                                       "0xg",
                                       "1e",
                                       "1e+",
                                       "1e+5",
                                       ".5",
                                       ".",
                                       "..5",
                                       "5.",
                                       "1e400",
                                       "-1e-400",
                                       "4.9e-324",
                                       "2.2250738585072011e-308",
                                       "1.7976931348623159e308",
                                       "0e99999999999",
                                       "0x1p-1080",
                                       "1,5",
                                       "in",
                                       "na",
                                       "i",
                                       "1.5.5",
                                       ".e1",
                                       "+.5e1",
                                       "0x1p",
                                       "0x1p+",
                                       "1e-",
                                       "infinityx",
                                       "-",
                                       "0.1e1e1"};
  std::string text = field.text(2, std::string(" \n"));
  static const char *const kSigns[] = {"", "", "+", "-"};
  text += kSigns[below(field.random, 4)];
  if (field.random() % 2 != 0)
    text += kEdges[below(field.random, std::size(kEdges))];
  else
    text += field.text(12, std::string("0123456789.e-+xpf"));
  if (field.random() % 50 == 0)
    text.insert(text.size() / 2, std::string(600, '1'));
  return text;
}

template <typename Float> unsigned long bitsOf(Float value) {
  if (std::isnan(value))
    return std::signbit(value) ? 1 : 2;
  double rest = static_cast<double>(value - static_cast<Float>(static_cast<double>(value)));
  auto asDouble = static_cast<double>(value);
  unsigned long bits, restBits;
  memcpy(&bits, &asDouble, 8);
  memcpy(&restBits, &rest, 8);
  return bits * 31 + (std::isnan(rest) ? 0 : restBits);
}

template <typename Char> auto readingFloat() {
  return [](auto *function, Field &field) {
    // Half the texts end with the page, not with a terminator: with a character that ends numbers.
    std::string text = floatIn(field);
    auto *at = field.random() % 2 != 0 ? field.a.placeText(wide<Char>(text))
                                       : field.a.place(wide<Char>(text + "$"));
    Char *end = nullptr;
    auto value = function(at, &end);
    return bitsOf(value) * 31 + static_cast<unsigned long>(field.offset(end));
  };
}

TEST(Numbers, Floats) {
  compare(strtod_, readingFloat<char>(), 10000);
  compare(strtof_, readingFloat<char>(), 5000);
  compare(strtold_, readingFloat<char>(), 5000);
  compare(wcstod_, readingFloat<wchar_t>(), 5000);
  compare(wcstof_, readingFloat<wchar_t>(), 2000);
  compare(wcstold_, readingFloat<wchar_t>(), 2000);
  compare(atof_, [](auto *function, Field &field) {
    return bitsOf(function(field.a.placeText(floatIn(field))));
  });
}

TEST(Numbers, FloatsOfALocale) {
  locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
  compare(strtod_l_, [=](auto *function, Field &field) {
    char *text = field.a.placeText(floatIn(field));
    char *end;
    return bitsOf(function(text, &end, locale)) + static_cast<unsigned long>(field.offset(end));
  });
  freelocale(locale);
}

} // namespace
} // namespace culprit::test

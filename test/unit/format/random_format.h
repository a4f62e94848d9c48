// Random printf formats with arguments.
//
// Half of them are formats as a program could have them, with arguments to match, in order or by
// position. The others have been mutated: each of their arguments is an address in the pool that is
// a string, a wide string, a place for %n and a small number.
#ifndef CULPRIT_TEST_RANDOM_FORMAT_H
#define CULPRIT_TEST_RANDOM_FORMAT_H

#include "random_case.h"

#include <cmath>
#include <string_view>

namespace random_case {

struct FormatCase {
  std::string format;
  Arguments arguments;
  size_t room;
  int error;
};

class FormatMaker {
public:
  explicit FormatMaker(uint64_t seed) : random_(seed) {}

  /// Fills the pool anew, as before each call that is compared.
  static void fillPool() {
    char *pool = Pool::memory();
    memset(pool, 0, Pool::kSize);
    for (const Text &each : kTexts)
      std::string_view(each.narrow).copy(pool + each.place, std::string_view::npos);
    for (const WideText &each : kWideTexts)
      std::wstring_view(each.wide).copy(reinterpret_cast<wchar_t *>(pool + each.place),
                                        std::wstring_view::npos);
  }

  FormatCase make() {
    FormatCase made;
    types_.clear();
    isPositional_ = random_.oneIn(4);
    for (uint64_t left = random_.below(5) + 1; left > 0; --left)
      made.format += text() + conversion();
    made.format += text();
    for (Type type : types_)
      addArgument(made.arguments, type);
    if (random_.oneIn(2)) {
      mutate(made.format);
      made.arguments = wildArguments();
    }
    made.room = random_.oneIn(4) ? random_.below(40) : 8000;
    made.error = static_cast<int>(random_.oneIn(8) ? random_.below(300) - 100 : random_.below(134));
    return made;
  }

private:
  enum class Type { kInt, kStar, kLong, kDouble, kLongDouble, kString, kWideString, kCount };
  struct Text {
    size_t place;
    const char *narrow;
  };
  struct WideText {
    size_t place;
    const wchar_t *wide;
  };
  static constexpr Text kTexts[] = {{0x40, "plain"},
                                    {0x60, ""},
                                    {0x80, "gr\xc3\xbc\xc3\x9f Gott"},
                                    {0xc0, "bad\xff\xfe"},
                                    {0x100, "cut\xe2\x82"},
                                    {0x140, "a longer text, with spaces, that goes on for more "
                                            "than a hundred bytes so that pieces are not all "
                                            "short ones, \xe2\x82\xac 12,50"}};
  static constexpr WideText kWideTexts[] = {{0x200, L"wide"},
                                            {0x240, L"\x20ac\x1f600 9\xe9"},
                                            {0x280, L"ok \xd800 bad"},
                                            {0x300, L""},
                                            {0x340, L"long \x444\x443 long long long long long "
                                                    L"long long long long long long long long "
                                                    L"long long long long long \x20ac"}};
  static constexpr uint64_t kCounts = 0x700;

  std::string text() {
    static const char *const kPieces[] = {"",   "",      "",         "x",    " ",
                                          "%%", "text ", "\xc3\xbc", "\xff", ", "};
    return kPieces[random_.below(10)];
  }

  /// The position of an argument of that type, as text with '$', or nothing when in order.
  std::string place(Type type) {
    if (!isPositional_) {
      types_.push_back(type);
      return "";
    }
    for (size_t i = 0; i < types_.size(); ++i)
      if (types_[i] == type && random_.oneIn(2))
        return std::to_string(i + 1) + "$";
    types_.push_back(type);
    return std::to_string(types_.size()) + "$";
  }

  std::string number() {
    uint64_t kind = random_.below(16);
    if (kind == 0)
      return std::to_string(random_.below(1000));
    return std::to_string(random_.below(kind < 12 ? 12 : 40));
  }

  std::string conversion() {
    std::string flags;
    while (random_.oneIn(2))
      flags += random_.oneOf("-+ #0'I-+ #0");
    std::string width;
    if (random_.oneIn(3))
      width = std::to_string(random_.below(40) + 1);
    else if (random_.oneIn(6))
      width = "*" + place(Type::kStar);
    if (random_.oneIn(3))
      width += "." + (random_.oneIn(4)   ? ""
                      : random_.oneIn(4) ? "*" + place(Type::kStar)
                                         : number());
    auto [type, letters] = typeAndLetters();
    std::string argument = letters == "m" || letters == "%" ? "" : place(type);
    return "%" + argument + flags + width + letters;
  }

  std::pair<Type, std::string> typeAndLetters() {
    static const char *const kSmall[] = {"", "", "", "h", "hh"};
    static const char *const kLarge[] = {"l", "ll", "z", "j", "t", "Z", "l"};
    switch (random_.below(16)) {
    case 0:
    case 1:
    case 2:
      return {Type::kInt, kSmall[random_.below(5)] + std::string(1, random_.oneOf("diuoxXbBdi"))};
    case 3:
    case 4:
      return {Type::kLong, kLarge[random_.below(7)] + std::string(1, random_.oneOf("diuoxXbBdi"))};
    case 5:
    case 6:
    case 7:
      return {Type::kDouble,
              (random_.oneIn(8) ? "l" : "") + std::string(1, random_.oneOf("eEfFgGaA"))};
    case 8:
      return {Type::kLongDouble, "L" + std::string(1, random_.oneOf("eEfFgGaA"))};
    case 9:
    case 10:
      return {Type::kString, "s"};
    case 11:
      return {Type::kWideString, random_.oneIn(2) ? "ls" : "S"};
    case 12:
      return {Type::kInt, random_.oneIn(2) ? "c" : random_.oneIn(2) ? "lc" : "C"};
    case 13:
      return {Type::kLong, "p"};
    case 14:
      return {Type::kCount, random_.oneIn(2) ? "n" : "hhn"};
    default:
      return {Type::kInt, random_.oneIn(2) ? "m" : "%"};
    }
  }

  uint64_t wholeNumber() {
    switch (random_.below(6)) {
    case 0:
      return random_.below(10);
    case 1:
      return random_.below(200) - 100;
    case 2:
      return random_.next();
    case 3:
      return uint64_t{1} << random_.below(64);
    case 4:
      return 0;
    default:
      return random_.next() >> random_.below(64);
    }
  }

  double realNumber() {
    constexpr double kNone = __builtin_nan("");
    constexpr double kMost = __builtin_inf();
    static const double kSpecial[] = {0.0,     -0.0,     1.0,      kNone, -kNone, kMost,
                                      -kMost,  5e-324,   2.2e-308, 9.5,   0.0001, 0.00001,
                                      99999.5, 999999.5, 1e15,     0.5};
    double value;
    uint64_t bits = random_.next();
    switch (random_.below(6)) {
    case 0:
      return kSpecial[random_.below(16)];
    case 1:
      memcpy(&value, &bits, sizeof value);
      return value;
    case 2:
      return static_cast<double>(random_.below(100000)) / 100;
    case 3:
      return std::pow(10, static_cast<double>(random_.below(40)) - 20);
    case 4:
      bits >>= 12; // a number that is not normal
      memcpy(&value, &bits, sizeof value);
      return value;
    default:
      return static_cast<double>(static_cast<int64_t>(wholeNumber())) / 8;
    }
  }

  void addArgument(Arguments &arguments, Type type) {
    switch (type) {
    case Type::kInt:
    case Type::kLong:
      return arguments.add(wholeNumber());
    case Type::kStar:
      return arguments.add(random_.below(60) - 20);
    case Type::kDouble:
      return arguments.add(realNumber());
    case Type::kLongDouble:
      return arguments.add(random_.oneIn(2) ? static_cast<long double>(realNumber())
                                            : static_cast<long double>(realNumber()) / 3);
    case Type::kString:
      return arguments.add(random_.oneIn(12) ? 0 : Pool::kAddress + kTexts[random_.below(6)].place);
    case Type::kWideString:
      return arguments.add(random_.oneIn(12) ? 0
                                             : Pool::kAddress + kWideTexts[random_.below(5)].place);
    case Type::kCount:
      return arguments.add(Pool::kAddress + kCounts + 8 * random_.below(16));
    }
  }

  Arguments wildArguments() {
    Arguments arguments;
    for (int i = 0; i < 1100; ++i)
      arguments.add(Pool::kAddress + (random_.oneIn(2) ? kTexts[random_.below(6)].place
                                                       : kWideTexts[random_.below(5)].place));
    return arguments;
  }

  void mutate(std::string &format) {
    static const char kLetters[] =
        "%%%$$**..0123456789-+ #'IhhlllqjzZtLLdiouxXeEfFgGaAcsCSpnmbBwky";
    std::string before = format;
    for (uint64_t left = random_.below(4) + 1; left > 0; --left) {
      size_t place = random_.below(format.size() + 1);
      uint64_t kind = random_.below(8);
      if (kind == 0)
        format = format.substr(0, place);
      else if (kind == 1 && place < format.size())
        format.erase(place, 1);
      else if (kind == 2)
        format.insert(place, "99999999999");
      else if (kind < 5 && place < format.size())
        format[place] = random_.oneOf(kLetters);
      else
        format.insert(place, 1, random_.oneOf(kLetters));
    }
    format = hasLargeNumber(format) ? before : withOwnPositions(format);
  }

  static bool isDigit(char each) { return each >= '0' && each <= '9'; }

  /// The format with another position for each one: where two conversions take the same argument
  /// for different types, glibc can use memory that nothing was stored to.
  static std::string withOwnPositions(const std::string &format) {
    std::string result;
    int following = 100;
    for (char each : format) {
      size_t digits = 0;
      while (digits < result.size() && isDigit(result[result.size() - 1 - digits]))
        ++digits;
      if (each == '$' && digits > 0 && digits < 11 &&
          strtol(&result[result.size() - digits], nullptr, 10) > 0)
        result = result.substr(0, result.size() - digits) + std::to_string(following++);
      result += each;
    }
    return result;
  }

  /// Numbers of more than three digits that are still ints would only take time.
  static bool hasLargeNumber(const std::string &format) {
    size_t digits = 0;
    for (char each : format + "x") {
      if (isDigit(each)) {
        ++digits;
        continue;
      }
      if (digits > 3 && digits < 11)
        return true;
      digits = 0;
    }
    return false;
  }

  Random random_;
  std::vector<Type> types_;
  bool isPositional_ = false;
};

/// The same format in wide characters, a byte each.
inline std::wstring widened(const std::string &text) {
  std::wstring wide;
  for (char each : text)
    wide += static_cast<wchar_t>(static_cast<unsigned char>(each));
  return wide;
}

} // namespace random_case
#endif

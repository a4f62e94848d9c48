// Random scanf formats with input.
//
// The input is made to match, more or less. Half of the cases are mutated, format or input or both.
// Each argument is an area of the pool, so that any conversion may store to any of them.
#ifndef CULPRIT_TEST_RANDOM_SCAN_H
#define CULPRIT_TEST_RANDOM_SCAN_H

#include "random_case.h"

namespace random_case {

struct ScanCase {
  std::string format;
  std::string input;
  Arguments arguments;
  /// Areas that get the address of a string in the heap, and whether that is a wide one.
  std::vector<std::pair<size_t, bool>> allocated;
  int error;
};

class ScanMaker {
public:
  static constexpr size_t kAreas = 24;
  static constexpr size_t kAreaSize = 1024;
  static constexpr char kUntouched = 0x5a;

  explicit ScanMaker(uint64_t seed) : random_(seed) {}

  static void fillPool() { memset(Pool::memory(), kUntouched, Pool::kSize); }
  static char *area(size_t number) { return Pool::memory() + number * kAreaSize; }

  ScanCase make() {
    ScanCase made;
    isPositional_ = random_.oneIn(8);
    bool isMutated = random_.oneIn(2);
    bool isAllocating = !isMutated && random_.oneIn(4);
    used_ = 0;
    for (uint64_t left = random_.below(5) + 1; left > 0; --left) {
      addText(made);
      addConversion(made, isAllocating);
    }
    addText(made);
    if (random_.oneIn(2))
      made.format += isPositional_ ? "%" + std::to_string(++used_) + "$n" : "%n";
    if (isMutated) {
      if (!random_.oneIn(4))
        mutate(made.input, "0123456789+-.,eExXpPinfaty()l \n\t%ab\xc3\xbc\xff\xe2\x80\xaf'");
      if (!random_.oneIn(3))
        mutateFormat(made.format);
    }
    for (size_t i = 0; i < 100; ++i)
      made.arguments.add(Pool::kAddress + i % kAreas * kAreaSize);
    made.error = static_cast<int>(random_.below(134));
    return made;
  }

private:
  std::string spaces() {
    std::string made;
    while (random_.oneIn(3))
      made += random_.oneOf(" \n\t ");
    return made;
  }

  void addText(ScanCase &made) {
    static const char *const kPieces[] = {"",   " ", "x",  ",",        "\n",
                                          "%%", "-", "ab", "\xc3\xbc", "\xff"};
    if (!random_.oneIn(2))
      return;
    std::string piece = kPieces[random_.below(10)];
    made.format += piece;
    if (piece == "%%")
      piece = "%";
    made.input += random_.oneIn(8) ? spaces() : random_.oneIn(2) ? spaces() + piece : piece;
  }

  void addConversion(ScanCase &made, bool isAllocating) {
    bool isSuppressed = random_.oneIn(6);
    std::string letters;
    std::string text;
    bool isString = random_.oneIn(3);
    if (isString)
      stringConversion(letters, text);
    else if (random_.oneIn(2))
      integerConversion(letters, text);
    else
      floatConversion(letters, text);
    std::string width = random_.oneIn(3) ? std::to_string(random_.below(12) + 1) : "";
    // Wide sets leave holes for what is no character: in a new block they are whatever was there.
    if (isString && isAllocating && letters.compare(0, 2, "l[") != 0) {
      bool isCharacter =
          letters.find('c') != std::string::npos || letters.find('C') != std::string::npos;
      width = isCharacter ? "" : width;
      letters = "m" + letters;
      bool isWide = letters[1] == 'l' || letters[1] == 'S' || letters[1] == 'C';
      if (!isSuppressed)
        made.allocated.emplace_back(used_, isWide);
    }
    std::string flags;
    while (random_.oneIn(6))
      flags += random_.oneOf("'I");
    flags += isSuppressed ? "*" : "";
    std::string position = isPositional_ && !isSuppressed ? std::to_string(used_ + 1) + "$" : "";
    used_ += isSuppressed ? 0 : 1;
    made.format += "%" + position + flags + width + letters;
    made.input += spaces() + text;
  }

  void stringConversion(std::string &letters, std::string &text) {
    static const char *const kLetters[] = {
        "s",     "ls",    "S",    "c",       "lc",    "C",    "[a-z]", "l[a-z\xc3\xbc]",
        "[^ ,]", "[]x-]", "[^]]", "[0-9-+]", "l[^x]", "[z-a]"};
    static const char *const kTexts[] = {"word",
                                         "x",
                                         "gr\xc3\xbc\xc3\x9f",
                                         "\xe2\x82\xac",
                                         "bad\xff",
                                         "cut\xe2\x82",
                                         "a-long-word-that-goes-on-and-on-and-on",
                                         "]x-",
                                         "12+3-4",
                                         ""};
    letters = kLetters[random_.below(14)];
    text = kTexts[random_.below(10)];
  }

  void integerConversion(std::string &letters, std::string &text) {
    static const char *const kModifiers[] = {"",   "",  "",  "h", "hh", "l",
                                             "ll", "z", "j", "t", "q",  "L"};
    static const char *const kPrefixes[] = {"", "", "", "-", "+", "0x", "0X", "0", "-0x", "+0"};
    letters = kModifiers[random_.below(12)] + std::string(1, random_.oneOf("diouxXpdi"));
    text = kPrefixes[random_.below(10)];
    for (uint64_t left = random_.oneIn(8) ? random_.below(40) : random_.below(7); left > 0; --left)
      text += random_.oneOf(random_.oneIn(4) ? "0123456789abcdefABCDEF" : "0123456789");
    if (random_.oneIn(12))
      text = random_.oneIn(2) ? "(nil)" : "(NIl";
    if (random_.oneIn(8))
      text = "1,234,567";
    if (random_.oneIn(16))
      text = "1\xe2\x80\xaf\x32\x33\x34";
  }

  void floatConversion(std::string &letters, std::string &text) {
    static const char *const kModifiers[] = {"", "", "l", "L", "ll", "q", "h"};
    static const char *const kTexts[] = {"inf",
                                         "-INFINITY",
                                         "infinite",
                                         "nan",
                                         "NAN(12)",
                                         "0x1.8p3",
                                         "-0X.8P-1",
                                         "0x",
                                         "1e",
                                         "1e+",
                                         ".5",
                                         ".",
                                         "-.",
                                         "1e400",
                                         "1.5e-330",
                                         "0x1p99999",
                                         "1,5",
                                         "1.234.567,8",
                                         "0e0",
                                         "1.e5",
                                         "1,234,567.8",
                                         "12\xd9\xab\x35",
                                         "1\xe2\x80\xaf\x32,5"};
    letters = kModifiers[random_.below(7)] + std::string(1, random_.oneOf("eEfFgGaA"));
    if (random_.oneIn(2)) {
      text = kTexts[random_.below(23)];
      return;
    }
    char buffer[64];
    snprintf(buffer, sizeof buffer, random_.oneIn(2) ? "%.*g" : "%.*e",
             static_cast<int>(random_.below(20)),
             static_cast<double>(static_cast<int64_t>(random_.next())) / 65536);
    text = buffer;
  }

  void mutate(std::string &text, const std::string &letters) {
    for (uint64_t left = random_.below(4) + 1; left > 0; --left) {
      size_t place = random_.below(text.size() + 1);
      char letter = letters[random_.below(letters.size())];
      uint64_t kind = random_.below(6);
      if (kind == 0)
        text = text.substr(0, place);
      else if (kind == 1 && place < text.size())
        text.erase(place, 1);
      else if (kind < 4 && place < text.size())
        text[place] = letter;
      else
        text.insert(place, 1, letter);
    }
  }

  void mutateFormat(std::string &format) {
    std::string before = format;
    mutate(format, "%%%$*'I0123456789hhlqLjztadiouxXeEfFgGaAcsCS[[]^-np \nxy\xc3\xbc\xff");
    // Allocations are only made where they are expected, and positions are those of arguments.
    size_t digits = 0;
    for (char each : format) {
      bool isDigit = each >= '0' && each <= '9';
      if (each == 'm' || (each == '$' && digits > 1) || digits > 3)
        format = before;
      digits = isDigit ? digits + 1 : 0;
    }
    for (const char *old : {"as", "aS", "a["})
      if (format.find(old) != std::string::npos)
        format = before;
  }

  Random random_;
  bool isPositional_ = false;
  size_t used_ = 0;
};

} // namespace random_case
#endif

// Floating-point numbers for scanf: characters that can belong to one are collected; libc converts.
#include "externals/shims/format_libc.h"
#include "externals/shims/scan_convert.h"
#include "externals/shims/scan_match.h"
#include "externals/shims/scan_text.h"

#include <string.h>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
float __strtof_internal(const char *text, char **end, int isGrouped);
double __strtod_internal(const char *text, char **end, int isGrouped);
long double __strtold_internal(const char *text, char **end, int isGrouped);
float __wcstof_internal(const wchar_t *text, wchar_t **end, int isGrouped);
double __wcstod_internal(const wchar_t *text, wchar_t **end, int isGrouped);
long double __wcstold_internal(const wchar_t *text, wchar_t **end, int isGrouped);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {
namespace {

void convert(const char *text, char **end, bool isGrouped, float &value) {
  value = __strtof_internal(text, end, isGrouped);
}
void convert(const char *text, char **end, bool isGrouped, double &value) {
  value = __strtod_internal(text, end, isGrouped);
}
void convert(const char *text, char **end, bool isGrouped, long double &value) {
  value = __strtold_internal(text, end, isGrouped);
}
void convert(const wchar_t *text, wchar_t **end, bool isGrouped, float &value) {
  value = __wcstof_internal(text, end, isGrouped);
}
void convert(const wchar_t *text, wchar_t **end, bool isGrouped, double &value) {
  value = __wcstod_internal(text, end, isGrouped);
}
void convert(const wchar_t *text, wchar_t **end, bool isGrouped, long double &value) {
  value = __wcstold_internal(text, end, isGrouped);
}

template <typename Unit> class FloatScan {
public:
  FloatScan(ScanInput<Unit> &input, const ScanSpec &spec)
      : input_(input), width_(spec.width), isGrouped_(spec.isGrouped && hasSeparator<Unit>()),
        usesLocaleDigits_(spec.usesLocaleDigits) {}

  ScanStep run();

  /// Stores the number, unless `place` is null. False when the text is none.
  template <typename Float> bool store(void *place) {
    Float value;
    Unit *end;
    convert(text_.units(), &end, isGrouped_, value);
    if (end == text_.units())
      return false;
    if (place)
      *static_cast<Float *>(place) = value;
    return true;
  }

private:
  void add() { text_.add(static_cast<Unit>(input_.current())); }
  void addAll(const char *bytes) {
    for (; *bytes; ++bytes)
      text_.add(static_cast<Unit>(*bytes));
  }
  void narrow() {
    if (width_ > 0)
      --width_;
  }
  size_t signs() const { return hasSign_ ? 1 : 0; }

  ScanStep takeSign();
  bool takeWord(const char *rest);
  ScanStep takeInfinity();
  void takeHexMark();
  bool takePlain();
  bool takePunctuation();
  void takeDigits();
  bool canBeLocaleNumber() const;
  void takeLocaleNumber();
  bool isStartOfLocaleNumber(wctrans_t map);
  bool takeExponent();
  bool takeLocaleUnit(wctrans_t map);
  bool addLocaleUnit(int which);

  ScanInput<Unit> &input_;
  ScanText<Unit> text_;
  int width_;
  bool isGrouped_;
  bool usesLocaleDigits_;
  bool hasSign_ = false;
  bool isHex_ = false;
  bool hasDigit_ = false;
  bool hasPoint_ = false;
  bool hasExponent_ = false;
};

template <typename Unit> ScanStep FloatScan<Unit>::takeSign() {
  input_.next();
  narrow();
  if (input_.isAtEnd())
    return ScanStep::kInputEnded;
  if (!input_.is('-') && !input_.is('+'))
    return ScanStep::kDone;
  hasSign_ = true;
  add();
  if (width_ == 0 || input_.next() == input_.kEnd)
    return ScanStep::kMismatch;
  narrow();
  return ScanStep::kDone;
}

/// Takes the letters that follow. What does not match has been taken, too, as in glibc.
template <typename Unit> bool FloatScan<Unit>::takeWord(const char *rest) {
  for (; *rest; ++rest) {
    if (width_ == 0 || input_.next() == input_.kEnd || !input_.isLetter(*rest))
      return false;
    narrow();
    add();
  }
  return true;
}

/// "inf", or "infinity" when there is a second i.
template <typename Unit> ScanStep FloatScan<Unit>::takeInfinity() {
  add();
  if (!takeWord("nf"))
    return ScanStep::kMismatch;
  if (width_ == 0 || input_.next() == input_.kEnd)
    return ScanStep::kDone;
  if (!input_.isLetter('i')) {
    input_.giveBack();
    return ScanStep::kDone;
  }
  narrow();
  add();
  return takeWord("nity") ? ScanStep::kDone : ScanStep::kMismatch;
}

template <typename Unit> void FloatScan<Unit>::takeHexMark() {
  if (width_ == 0 || !input_.is('0'))
    return;
  add();
  input_.next();
  narrow();
  if (width_ == 0 || !input_.isLetter('x')) {
    hasDigit_ = true;
    return;
  }
  add();
  isHex_ = true;
  isGrouped_ = false;
  input_.next();
  narrow();
}

/// Digits, and an exponent's letter and sign.
template <typename Unit> bool FloatScan<Unit>::takePlain() {
  char exponent = isHex_ ? 'p' : 'e';
  if (input_.isDigit() || (!hasExponent_ && isHex_ && input_.isHexDigit())) {
    hasDigit_ = true;
    add();
    return true;
  }
  if (hasExponent_ && text_.last() == exponent && (input_.is('-') || input_.is('+'))) {
    add();
    return true;
  }
  if (!hasDigit_ || hasExponent_ || !input_.isLetter(exponent))
    return false;
  text_.add(exponent);
  hasExponent_ = hasPoint_ = true;
  return true;
}

/// The locale's decimal point or separator. Bytes of a point that turns out to be none are compared
/// with the separator; those of neither are lost, as in glibc.
template <> bool FloatScan<char>::takePunctuation() {
  if (hasPoint_)
    return false;
  const char *point = localeText(RADIXCHAR);
  ScanMatch asPoint(input_, point, width_);
  if (asPoint.isComplete()) {
    addAll(point);
    width_ = width_ > 0 ? asPoint.left() : width_;
    hasPoint_ = true;
    return true;
  }
  const char *separator = localeText(THOUSEP);
  if (!isGrouped_ || strncmp(point, separator, asPoint.length()) != 0)
    return false;
  ScanMatch asSeparator(asPoint, separator);
  if (!asSeparator.isComplete())
    return false;
  addAll(separator);
  width_ = width_ > 0 ? asSeparator.left() : width_;
  return true;
}

template <> bool FloatScan<wchar_t>::takePunctuation() {
  wchar_t point = localeCharacter(_NL_NUMERIC_DECIMAL_POINT_WC);
  wchar_t separator = localeCharacter(_NL_NUMERIC_THOUSANDS_SEP_WC);
  bool isPoint = !hasPoint_ && input_.current() == input_.toNumber(point);
  bool isSeparator = isGrouped_ && !hasPoint_ && input_.current() == input_.toNumber(separator);
  if (!isPoint && !isSeparator)
    return false;
  hasPoint_ |= isPoint;
  add();
  return true;
}

template <typename Unit> void FloatScan<Unit>::takeDigits() {
  while (takePlain() || takePunctuation()) {
    if (width_ == 0 || input_.next() == input_.kEnd)
      return;
    narrow();
  }
  input_.giveBack();
}

// The locale's own digits. Ten of them, the separator and the point are numbered 0 to 11.

constexpr int kSeparator = 10;
constexpr int kPoint = 11;
constexpr int kUnits = 12;

wint_t localeUnit(int which, wctrans_t map) {
  return towctrans(which == kSeparator ? L',' : which == kPoint ? L'.' : L'0' + which, map);
}

/// Bytes of a locale's character; those of `otherwise` when its encoding has none.
class LocaleBytes {
public:
  LocaleBytes(wint_t character, const char *otherwise) {
    mbstate_t state{};
    size_t length = wcrtomb(bytes_, static_cast<wchar_t>(character), &state);
    isMade_ = length != static_cast<size_t>(-1);
    if (!isMade_) {
      length = strnlen(otherwise, MB_LEN_MAX);
      memcpy(bytes_, otherwise, length);
    }
    bytes_[length] = 0;
  }

  bool isMade() const { return isMade_; }
  const char *bytes() const { return bytes_; }

private:
  char bytes_[MB_LEN_MAX + 1];
  bool isMade_;
};

template <typename Unit> bool FloatScan<Unit>::canBeLocaleNumber() const {
  return usesLocaleDigits_ && !isHex_ && (text_.size() == signs() || hasPoint_);
}

/// Whether nothing was taken yet, or a point that is that of the locale's own numbers.
template <> bool FloatScan<char>::isStartOfLocaleNumber(wctrans_t map) {
  for (int digit = 0; digit < 10; ++digit)
    if (!LocaleBytes(localeUnit(digit, map), "").isMade())
      return false;
  const char *point = localeText(RADIXCHAR);
  LocaleBytes ownPoint(localeUnit(kPoint, map), point);
  return text_.size() == signs() ||
         (text_.size() == strlen(point) + signs() && strcmp(point, ownPoint.bytes()) == 0);
}

template <> bool FloatScan<wchar_t>::isStartOfLocaleNumber(wctrans_t map) {
  wchar_t point = localeCharacter(_NL_NUMERIC_DECIMAL_POINT_WC);
  return text_.size() == signs() ||
         (text_.size() == signs() + 1 && point == static_cast<wchar_t>(localeUnit(kPoint, map)));
}

template <typename Unit> bool FloatScan<Unit>::takeExponent() {
  if (hasExponent_ && text_.last() == 'e' && (input_.is('-') || input_.is('+'))) {
    add();
    return true;
  }
  if (text_.size() <= signs() || hasExponent_ || !input_.isLetter('e'))
    return false;
  text_.add('e');
  hasExponent_ = hasPoint_ = true;
  return true;
}

template <> bool FloatScan<char>::addLocaleUnit(int which) {
  if (which < 10) {
    text_.add(static_cast<char>('0' + which));
    return true;
  }
  if (hasPoint_ || (which == kSeparator && !isGrouped_))
    return false;
  addAll(localeText(which == kPoint ? RADIXCHAR : THOUSEP));
  hasPoint_ = which == kPoint;
  return true;
}

template <> bool FloatScan<wchar_t>::addLocaleUnit(int which) {
  if (which < 10) {
    text_.add(L'0' + which);
    return true;
  }
  if (hasPoint_ || (which == kSeparator && !isGrouped_))
    return false;
  text_.add(localeCharacter(which == kPoint ? _NL_NUMERIC_DECIMAL_POINT_WC
                                            : _NL_NUMERIC_THOUSANDS_SEP_WC));
  hasPoint_ = which == kPoint;
  return true;
}

template <> bool FloatScan<char>::takeLocaleUnit(wctrans_t map) {
  for (int which = 0; which < kUnits; ++which) {
    LocaleBytes bytes(localeUnit(which, map), localeText(which == kPoint ? RADIXCHAR : THOUSEP));
    ScanMatch match(input_, bytes.bytes(), width_);
    if (match.isComplete()) {
      width_ = width_ > 0 ? match.left() : width_;
      return addLocaleUnit(which);
    }
    match.giveBack();
  }
  return false;
}

template <> bool FloatScan<wchar_t>::takeLocaleUnit(wctrans_t map) {
  for (int which = 0; which < kUnits; ++which)
    if (input_.current() == static_cast<int64_t>(localeUnit(which, map)))
      return addLocaleUnit(which);
  return false;
}

template <typename Unit> void FloatScan<Unit>::takeLocaleNumber() {
  wctrans_t map = wctrans("to_inpunct");
  if (!map)
    return;
  input_.next(); // lost when no number of the locale starts here, as in glibc
  if (!isStartOfLocaleNumber(map))
    return;
  while (takeExponent() || takeLocaleUnit(map)) {
    if (width_ == 0 || input_.next() == input_.kEnd)
      return;
    narrow();
  }
  input_.giveBack();
}

template <typename Unit> ScanStep FloatScan<Unit>::run() {
  if (ScanStep step = takeSign(); step != ScanStep::kDone)
    return step;
  if (input_.isLetter('n')) {
    add();
    if (!takeWord("an"))
      return ScanStep::kMismatch;
  } else if (input_.isLetter('i')) {
    if (ScanStep step = takeInfinity(); step != ScanStep::kDone)
      return step;
  } else {
    takeHexMark();
    takeDigits();
    if (canBeLocaleNumber())
      takeLocaleNumber();
    if (text_.size() == signs() || (isHex_ && text_.size() == 2 + signs()))
      return ScanStep::kMismatch;
  }
  text_.add(0);
  if (!text_.isBroken())
    return ScanStep::kDone;
  errno = ENOMEM;
  return ScanStep::kNoMemory;
}

} // namespace

template <typename Unit>
ScanStep scanFloat(ScanInput<Unit> &input, ScanSpec spec, ScanArguments &arguments) {
  FloatScan<Unit> scan(input, spec);
  if (ScanStep step = scan.run(); step != ScanStep::kDone)
    return step;
  void *place = spec.isSuppressed ? nullptr : arguments.take(spec);
  bool isNumber = spec.isLongDouble ? scan.template store<long double>(place)
                  : spec.isLong     ? scan.template store<double>(place)
                                    : scan.template store<float>(place);
  return isNumber ? ScanStep::kDone : ScanStep::kMismatch;
}

template ScanStep scanFloat(ScanInput<char> &, ScanSpec, ScanArguments &);
template ScanStep scanFloat(ScanInput<wchar_t> &, ScanSpec, ScanArguments &);

} // namespace culprit

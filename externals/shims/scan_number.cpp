// Integers for scanf: characters that can belong to one are collected, then converted.
#include "externals/shims/format_libc.h"
#include "externals/shims/scan_convert.h"
#include "externals/shims/scan_match.h"
#include "externals/shims/scan_text.h"

// libc's conversions of numbers with separators.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
long __strtol_internal(const char *text, char **end, int base, int isGrouped);
unsigned long __strtoul_internal(const char *text, char **end, int base, int isGrouped);
long __wcstol_internal(const wchar_t *text, wchar_t **end, int base, int isGrouped);
unsigned long __wcstoul_internal(const wchar_t *text, wchar_t **end, int base, int isGrouped);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {
namespace {

uint64_t convertGrouped(const char *text, char **end, bool isSigned) {
  return isSigned ? static_cast<uint64_t>(__strtol_internal(text, end, 10, 1))
                  : __strtoul_internal(text, end, 10, 1);
}

uint64_t convertGrouped(const wchar_t *text, wchar_t **end, bool isSigned) {
  return isSigned ? static_cast<uint64_t>(__wcstol_internal(text, end, 10, 1))
                  : __wcstoul_internal(text, end, 10, 1);
}

template <typename Unit> class IntegerScan {
public:
  IntegerScan(ScanInput<Unit> &input, const ScanSpec &spec)
      : input_(input), width_(spec.width), isPointer_(spec.letter == 'p'),
        isSigned_(spec.letter == 'd' || spec.letter == 'i'),
        isGrouped_(spec.isGrouped && hasSeparator<Unit>()),
        usesLocaleDigits_(spec.usesLocaleDigits) {
    switch (spec.letter) {
    case 'i':
      base_ = 0;
      break;
    case 'o':
      base_ = 8;
      break;
    case 'd':
    case 'u':
      base_ = 10;
      break;
    default:
      base_ = 16;
    }
  }

  ScanStep run();
  uint64_t value() const { return value_; }

private:
  /// Puts the current character into the text and takes the next one.
  void take() {
    text_.add(static_cast<Unit>(input_.current()));
    pass();
  }
  void pass() {
    if (width_ > 0)
      --width_;
    input_.next();
  }

  void takeBase();
  void takeDigits();
  void takeLocaleDigits();
  bool takeSeparator();
  bool takeNil();
  bool isEmpty() const {
    return text_.size() == 0 || (text_.size() == 1 && (text_[0] == '+' || text_[0] == '-'));
  }
  bool isDigit() const {
    if (base_ == 16)
      return input_.isHexDigit();
    return input_.isDigit() && input_.current() - '0' < base_;
  }
  ScanStep convert();
  uint64_t magnitude(bool &isTooLarge) const;

  ScanInput<Unit> &input_;
  ScanText<Unit> text_;
  int width_;
  int base_;
  bool isPointer_;
  bool isSigned_;
  bool isGrouped_;
  bool usesLocaleDigits_;
  uint64_t value_ = 0;
};

/// A leading zero, and the x behind it, which is not kept.
template <typename Unit> void IntegerScan<Unit>::takeBase() {
  if (width_ != 0 && input_.is('0')) {
    take();
    if (width_ != 0 && input_.isLetter('x')) {
      base_ = base_ == 0 ? 16 : base_;
      if (base_ == 16)
        pass();
    } else if (base_ == 0) {
      base_ = 8;
    }
  }
  base_ = base_ == 0 ? 10 : base_;
}

/// True when the locale's separator is there: all of it is in the text but for the last character,
/// which is the current one.
template <> bool IntegerScan<char>::takeSeparator() {
  const char *separator = localeText(THOUSEP);
  ScanMatch match(input_, separator, width_);
  if (!match.isComplete()) {
    match.giveBack();
    return false;
  }
  for (size_t i = 0; i + 1 < match.length(); ++i)
    text_.add(separator[i]);
  width_ = width_ > 0 ? match.left() : width_;
  return true;
}

template <> bool IntegerScan<wchar_t>::takeSeparator() {
  return input_.current() == input_.toNumber(localeCharacter(_NL_NUMERIC_THOUSANDS_SEP_WC));
}

template <typename Unit> void IntegerScan<Unit>::takeDigits() {
  while (!input_.isAtEnd() && width_ != 0) {
    if (!isDigit() && (base_ != 10 || !isGrouped_ || !takeSeparator()))
      break;
    take();
  }
}

template <typename Unit> void IntegerScan<Unit>::takeLocaleDigits() {
  LocaleDigits<Unit> digits;
  while (!input_.isAtEnd() && width_ != 0) {
    int digit = digits.match(input_, width_);
    if (digit >= 0)
      input_.setCurrent(static_cast<Unit>('0' + digit));
    else if (!isGrouped_ || !takeSeparator())
      break;
    take();
  }
}

/// "(nil)", as printf writes it.
template <typename Unit> bool IntegerScan<Unit>::takeNil() {
  if (text_.size() != 0 || !isPointer_ || (width_ >= 0 && width_ < 5) || !input_.is('('))
    return false;
  for (const char *letter = "nil"; *letter; ++letter) {
    input_.next();
    if (!input_.isLetter(*letter))
      return false;
  }
  input_.next();
  return input_.is(')');
}

template <typename Unit> uint64_t IntegerScan<Unit>::magnitude(bool &isTooLarge) const {
  uint64_t number = 0;
  for (size_t i = text_[0] == '-' || text_[0] == '+' ? 1 : 0; i < text_.size(); ++i) {
    int64_t unit = input_.toNumber(text_[i]);
    int64_t digit = unit <= '9' ? unit - '0' : (unit | 0x20) - 'a' + 10;
    isTooLarge |= __builtin_mul_overflow(number, static_cast<uint64_t>(base_), &number);
    isTooLarge |= __builtin_add_overflow(number, static_cast<uint64_t>(digit), &number);
  }
  return number;
}

template <typename Unit> ScanStep IntegerScan<Unit>::convert() {
  if (isGrouped_ && base_ == 10) {
    text_.add(0);
    Unit *end;
    value_ = convertGrouped(text_.units(), &end, isSigned_);
    return end == text_.units() ? ScanStep::kMismatch : ScanStep::kDone;
  }
  bool isTooLarge = false;
  bool isNegative = text_[0] == '-';
  uint64_t number = magnitude(isTooLarge);
  uint64_t most = isSigned_ ? INT64_MAX + static_cast<uint64_t>(isNegative) : UINT64_MAX;
  isTooLarge |= number > most;
  if (isTooLarge) {
    errno = ERANGE;
    number = most;
  }
  value_ = isNegative && (isSigned_ || !isTooLarge) ? 0 - number : number;
  return ScanStep::kDone;
}

template <typename Unit> ScanStep IntegerScan<Unit>::run() {
  if (input_.next() == input_.kEnd)
    return ScanStep::kInputEnded;
  if (input_.is('-') || input_.is('+'))
    take();
  takeBase();
  if (base_ == 10 && usesLocaleDigits_)
    takeLocaleDigits();
  else
    takeDigits();
  if (!isEmpty())
    input_.giveBack();
  else if (takeNil())
    text_.add('0');
  else {
    input_.giveBack();
    return ScanStep::kMismatch;
  }
  if (text_.isBroken()) {
    errno = ENOMEM;
    return ScanStep::kNoMemory;
  }
  return convert();
}

void store(void *place, const ScanSpec &spec, uint64_t value) {
  if (spec.isLong || spec.letter == 'p')
    *static_cast<uint64_t *>(place) = value;
  else if (spec.isShort)
    *static_cast<uint16_t *>(place) = static_cast<uint16_t>(value);
  else if (spec.isChar)
    *static_cast<uint8_t *>(place) = static_cast<uint8_t>(value);
  else
    *static_cast<uint32_t *>(place) = static_cast<uint32_t>(value);
}

} // namespace

template <typename Unit>
ScanStep scanInteger(ScanInput<Unit> &input, ScanSpec spec, ScanArguments &arguments) {
  IntegerScan<Unit> scan(input, spec);
  ScanStep step = scan.run();
  if (step == ScanStep::kDone && !spec.isSuppressed)
    store(arguments.take(spec), spec, scan.value());
  return step;
}

template ScanStep scanInteger(ScanInput<char> &, ScanSpec, ScanArguments &);
template ScanStep scanInteger(ScanInput<wchar_t> &, ScanSpec, ScanArguments &);

} // namespace culprit

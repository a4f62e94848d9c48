// What scanning takes from a source: one character at a time, and one back.
//
// Once the end was seen it stays, and errno is again what it was when it was seen, as in glibc.
#ifndef CULPRIT_EXTERNALS_SHIMS_SCAN_INPUT_H
#define CULPRIT_EXTERNALS_SHIMS_SCAN_INPUT_H

#include "externals/shims/scan.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <wctype.h>

namespace culprit {

/// How a conversion ended.
enum class ScanStep {
  kDone,
  kMismatch,    ///< scanning ends with the values so far
  kInputEnded,  ///< the same, or EOF when there are none
  kBadEncoding, ///< the same as a mismatch, with EILSEQ
  kNoMemory,    ///< EOF
};

template <typename Unit> class ScanInput {
public:
  static constexpr int64_t kEnd = -1;

  explicit ScanInput(BasicSource<Unit> &source) : source_(source) {}

  /// The character taken last; it may have been given back since.
  int64_t current() const { return current_; }
  bool isAtEnd() const { return current_ == kEnd; }
  bool is(char letter) const { return current_ == letter; }

  /// How many were taken.
  size_t count() const { return count_; }

  int64_t next() {
    if (isAtEnd())
      errno = errorAtEnd_;
    else if (source_.next == source_.end && !source_.refill(source_)) {
      errorAtEnd_ = errno;
      current_ = kEnd;
    } else {
      current_ = toNumber(*source_.next++);
      ++count_;
    }
    return current_;
  }

  /// Passes white space that the source has ready. Then the next character is none, and there, or
  /// has to be waited for: false.
  bool passReadySpace() {
    const Unit *next = source_.next;
    while (next != source_.end && isSpaceUnit(*next))
      ++next;
    count_ += static_cast<size_t>(next - source_.next);
    source_.next = next;
    return next != source_.end;
  }

  /// Gives the current character back, unless that is the end.
  void giveBack() {
    if (!isAtEnd())
      giveBack(static_cast<Unit>(current_));
  }

  /// Gives a character back that was taken before; the last one comes first. Where glibc gives more
  /// back than was taken, only the count notices.
  void giveBack(Unit unit) {
    --count_;
    if (source_.next > source_.start && source_.next[-1] == unit)
      --source_.next;
    else
      source_.giveBack(source_, unit);
  }

  /// Makes a character that was given back, but not taken again, the current one.
  void setCurrent(Unit unit) { current_ = toNumber(unit); }

  bool isSpace() const { return isSpaceNumber(current_); }
  bool isDigit() const { return current_ >= '0' && current_ <= '9'; }
  bool isHexDigit() const {
    return isDigit() || ((current_ | 0x20) >= 'a' && (current_ | 0x20) <= 'f');
  }
  /// Whether it is that letter, small or large.
  bool isLetter(char small) const { return lower() == small; }

  static bool isSpaceUnit(Unit unit) { return isSpaceNumber(toNumber(unit)); }
  static int64_t toNumber(Unit unit) {
    return sizeof(Unit) == 1 ? static_cast<unsigned char>(unit)
                             : static_cast<int64_t>(static_cast<unsigned>(unit));
  }

private:
  /// In every locale of glibc the same ASCII characters are white space.
  static bool isSpaceNumber(int64_t number) {
    if (number >= 0 && number < 0x80)
      return number == ' ' || (number >= '\t' && number <= '\r');
    if (sizeof(Unit) == 1)
      return isspace(static_cast<int>(number)) != 0;
    return iswspace(static_cast<wint_t>(number)) != 0;
  }
  /// In every locale only letters have a small form that is another character, and the small ones
  /// of ASCII are their own.
  int64_t lower() const {
    if (current_ < 'A' || (current_ > 'Z' && current_ < 0x80))
      return current_;
    if (sizeof(Unit) == 1)
      return tolower(static_cast<unsigned char>(current_));
    return towlower(static_cast<wint_t>(current_));
  }

  BasicSource<Unit> &source_;
  int64_t current_ = 0;
  size_t count_ = 0;
  int errorAtEnd_ = 0;
};

} // namespace culprit
#endif

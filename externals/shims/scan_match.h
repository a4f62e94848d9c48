// Separators and digits of a locale that can be several bytes long, among the characters of a
// number. In wide input each of them is a single character.
#ifndef CULPRIT_EXTERNALS_SHIMS_SCAN_MATCH_H
#define CULPRIT_EXTERNALS_SHIMS_SCAN_MATCH_H

#include "externals/shims/format_libc.h"
#include "externals/shims/scan_input.h"

#include <limits.h>
#include <wchar.h>

namespace culprit {

/// Whether the locale separates groups of digits.
template <typename Unit> bool hasSeparator();
template <> bool hasSeparator<char>();
template <> bool hasSeparator<wchar_t>();

/// Bytes that are compared with the input, from the current character on.
class ScanMatch {
public:
  /// `width` is how many more characters the field has, from the current one; negative for any.
  ScanMatch(ScanInput<char> &input, const char *bytes, int width)
      : input_(input), bytes_(bytes), left_(width > 0 ? width : INT_MAX) {
    compare();
  }

  /// Goes on from another match, whose bytes so far are the first ones of `bytes`, too.
  ScanMatch(const ScanMatch &other, const char *bytes)
      : input_(other.input_), bytes_(bytes), length_(other.length_), left_(other.left_) {
    compare();
  }

  bool isComplete() const { return bytes_[length_] == 0; }
  /// How many bytes were the same; all but the last were taken as well.
  size_t length() const { return length_; }
  /// What is left of the field's width.
  int left() const { return left_; }

  /// Gives back what was taken, but for the first byte, which is the current character again.
  void giveBack() {
    if (length_ == 0)
      return;
    input_.giveBack();
    while (--length_ > 0)
      input_.giveBack(bytes_[length_]);
    input_.setCurrent(bytes_[0]);
  }

private:
  void compare() {
    while (isSame() && left_ >= 0) {
      ++length_;
      if (bytes_[length_] == 0 || left_ == 0 || input_.next() == input_.kEnd)
        break;
      --left_;
    }
  }
  bool isSame() const { return input_.toNumber(bytes_[length_]) == input_.current(); }

  ScanInput<char> &input_;
  const char *bytes_;
  size_t length_ = 0;
  int left_;
};

/// The ten digits of a locale, in several forms; only one of them is used in a number.
template <typename Unit> class LocaleDigits {
public:
  LocaleDigits();

  /// The value of the current character as a digit, or -1. In narrow input it takes the digit's
  /// other bytes, and `width` what they leave.
  int match(ScanInput<Unit> &input, int &width);

private:
  int matchForm(ScanInput<Unit> &input, int form, int &width) const;

  int firstForm_ = 0;
  int lastForm_;
  Unit extra_[10][MB_LEN_MAX + 1]; ///< the last form, where the locale has one in addition
  bool hasExtra_;
};

} // namespace culprit
#endif

// Floating-point numbers for printf: the digits are libc's, except for the usual ones with few
// (format_fixed.h); wide padding is done here.
#include "externals/shims/format_convert.h"
#include "externals/shims/format_fixed.h"
#include "externals/shims/format_libc.h"

#include <stdlib.h>

namespace culprit {
namespace {

/// Up to this width libc pads; a wider field would be as long in memory.
constexpr int kWidest = 128;
constexpr size_t kRoom = 512;
constexpr size_t kLongestFormat = 16;

/// "%", flags, "*.*", "L" and the letter. Alignment is left out when this file pads.
void writeFormat(char (&text)[kLongestFormat], const FormatSpec &spec, bool isPaddedHere) {
  char *end = text;
  *end++ = '%';
  auto flag = [&](bool isSet, char letter) {
    if (isSet)
      *end++ = letter;
  };
  flag(spec.isAlternate, '#');
  flag(spec.hasPlus, '+');
  flag(spec.hasSpace, ' ');
  flag(spec.isGrouped, '\'');
  flag(spec.usesLocaleDigits, 'I');
  flag(spec.isLeft && !isPaddedHere, '-');
  flag(spec.padding == '0' && !isPaddedHere, '0');
  *end++ = '*';
  *end++ = '.';
  *end++ = '*';
  flag(spec.isLongDouble, 'L');
  *end++ = static_cast<char>(spec.letter);
  *end = 0;
}

/// A number that libc has written, in a buffer or, when that is too small, in a heap block.
template <typename Unit, typename Float> class NumberText {
public:
  NumberText(const FormatSpec &spec, Float value, bool isPaddedHere)
      : precision_(spec.precision), value_(value) {
    writeFormat(format_, spec, isPaddedHere);
    write(isPaddedHere ? 0 : spec.width);
  }
  ~NumberText() { free(block_); }
  NumberText(const NumberText &) = delete;
  NumberText &operator=(const NumberText &) = delete;

  bool isMade() const { return length_ >= 0; }
  const Unit *units() const { return block_ ? block_ : buffer_; }
  size_t length() const { return length_; }

  /// How much of a field's width the number takes, which counts characters, not bytes.
  int takenWidth() const;

private:
  int narrowLength(int width) const {
    return formatNumber(static_cast<char *>(nullptr), 0, format_, width, precision_, value_);
  }

  void write(int width) {
    length_ = formatNumber(buffer_, kRoom, format_, width, precision_, value_);
    bool isTooLong = length_ >= static_cast<int>(kRoom) || (sizeof(Unit) > 1 && length_ < 0);
    if (!isTooLong)
      return;
    length_ = narrowLength(width);
    if (length_ < 0)
      return;
    size_t room = static_cast<size_t>(length_) + 1;
    block_ = static_cast<Unit *>(malloc(room * sizeof(Unit)));
    length_ = block_ ? formatNumber(block_, room, format_, width, precision_, value_) : -1;
  }

  char format_[kLongestFormat];
  int precision_;
  Float value_;
  int length_ = -1;
  Unit buffer_[kRoom];
  Unit *block_ = nullptr;
};

template <typename Unit, typename Float> int NumberText<Unit, Float>::takenWidth() const {
  if (sizeof(Unit) > 1)
    return length_;
  // In a field that is wider by some, libc adds so much more the fewer characters there are.
  constexpr int kWider = 8;
  int padded = narrowLength(length_ + kWider);
  return length_ + kWider - (padded - length_);
}

template <typename Unit> bool isSign(Unit unit) {
  return unit == '-' || unit == '+' || unit == ' ';
}

/// glibc's padding. Left-aligned numbers can get zeros behind them: where a format is read by
/// position, a negative width does not take back the flag '0'.
template <typename Unit, typename Float>
bool putPadded(Output<Unit> &out, const FormatSpec &spec, Float value) {
  NumberText<Unit, Float> text(spec, value, true);
  if (!text.isMade())
    return false;
  const Unit *units = text.units();
  size_t length = text.length();
  int padding = spec.width - text.takenWidth();
  size_t sign = isSign(units[0]) ? 1 : 0;
  bool isFinite = (units[sign] | 0x20) != 'i' && (units[sign] | 0x20) != 'n';
  bool isHex = (spec.letter | 0x20) == 'a';
  bool hasZeros = isFinite && spec.padding == '0';
  if (spec.isLeft)
    return out.put(units, length) &&
           ((hasZeros && isHex) || out.pad(hasZeros ? '0' : ' ', padding));
  if (!hasZeros)
    return out.pad(' ', padding) && out.put(units, length);
  size_t front = sign + (isHex ? 2 : 0);
  return out.put(units, front) && out.pad('0', padding) && out.put(units + front, length - front);
}

template <typename Unit, typename Float>
bool putValue(Output<Unit> &out, const FormatSpec &spec, Float value) {
  if (spec.width > kWidest || (spec.isLeft && spec.padding == '0'))
    return putPadded(out, spec, value);
  if constexpr (sizeof(Float) == sizeof(double))
    if (FixedText<Unit, kWidest> fixed(spec, value); fixed.isMade())
      return out.put(fixed.units(), fixed.length());
  NumberText<Unit, Float> text(spec, value, false);
  return text.isMade() && out.put(text.units(), text.length());
}

} // namespace

template <typename Unit>
bool putFloat(Output<Unit> &out, const FormatSpec &spec, const FormatArgument &argument) {
  return spec.isLongDouble ? putValue(out, spec, argument.asLongDouble)
                           : putValue(out, spec, argument.asDouble);
}

template bool putFloat(Output<char> &, const FormatSpec &, const FormatArgument &);
template bool putFloat(Output<wchar_t> &, const FormatSpec &, const FormatArgument &);

} // namespace culprit

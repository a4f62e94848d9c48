// Numbers in formats.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_DIGITS_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_DIGITS_H

#include <limits.h>
#include <stdint.h>

namespace culprit {

template <typename Unit> bool isFormatDigit(Unit unit) {
  return static_cast<unsigned>(unit) - '0' < 10;
}

/// The number at `cursor`, which is at a digit; -1 when it is too large for an int.
template <typename Unit> int readFormatNumber(const Unit *&cursor) {
  int64_t number = 0;
  for (; isFormatDigit(*cursor); ++cursor)
    if (number <= INT_MAX)
      number = number * 10 + (*cursor - '0');
  return number <= INT_MAX ? static_cast<int>(number) : -1;
}

} // namespace culprit
#endif

// The conversions of printf, one function for each kind. All are false when formatting has to end
// with -1.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_CONVERT_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_CONVERT_H

#include "externals/shims/format_output.h"
#include "externals/shims/format_spec.h"

#include <stdint.h>

namespace culprit {

/// glibc counts widths in ints that wrap around.
inline int wrappedMinus(int width, size_t length) {
  return static_cast<int>(static_cast<unsigned>(width) - static_cast<unsigned>(length));
}

struct FormatInteger {
  uint64_t magnitude;
  bool isNegative;
  unsigned base;
};

/// d i u o x X b B
template <typename Unit>
bool putInteger(Output<Unit> &out, const FormatSpec &spec, const FormatArgument &argument);

/// p
template <typename Unit>
bool putPointer(Output<Unit> &out, const FormatSpec &spec, const void *pointer);

/// Any number whose sign and digits are known.
template <typename Unit>
bool putDigits(Output<Unit> &out, const FormatSpec &spec, FormatInteger number);

/// e E f F g G a A
template <typename Unit>
bool putFloat(Output<Unit> &out, const FormatSpec &spec, const FormatArgument &argument);

/// c C s S
template <typename Unit>
bool putCharacter(Output<Unit> &out, const FormatSpec &spec, int character);
template <typename Unit>
bool putString(Output<Unit> &out, const FormatSpec &spec, const void *string);

/// m
template <typename Unit> bool putError(Output<Unit> &out, const FormatSpec &spec, int error);

/// A conversion that is not known, as it would be written.
template <typename Unit> bool putUnknown(Output<Unit> &out, const FormatSpec &spec);

/// The text of `length` units within the width.
template <typename Unit>
bool putAligned(Output<Unit> &out, const FormatSpec &spec, const Unit *text, size_t length);

} // namespace culprit
#endif

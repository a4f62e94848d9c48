// Reading the conversions of a printf format: see format_spec.h.
#include "externals/shims/format_digits.h"
#include "externals/shims/format_spec.h"

#include <errno.h>

namespace culprit {
namespace {

/// Takes `unit` when it is a flag. What '0' means with '-' is up to the caller.
bool takeFlag(unsigned unit, FormatSpec &spec) {
  switch (unit) {
  case ' ':
    spec.hasSpace = true;
    return true;
  case '+':
    spec.hasPlus = true;
    return true;
  case '-':
    spec.isLeft = true;
    return true;
  case '#':
    spec.isAlternate = true;
    return true;
  case '0':
    spec.padding = '0';
    return true;
  case '\'':
    spec.isGrouped = true;
    return true;
  case 'I':
    spec.usesLocaleDigits = true;
    return true;
  default:
    return false;
  }
}

template <typename Unit> void takeFlags(const Unit *&cursor, FormatSpec &spec) {
  while (takeFlag(*cursor, spec))
    ++cursor;
  if (spec.isLeft)
    spec.padding = ' ';
}

/// Takes "h", "ll" and the like. True for a single 'h', after which few letters are allowed.
template <typename Unit> bool takeModifier(const Unit *&cursor, FormatSpec &spec) {
  switch (*cursor) {
  case 'h':
    ++cursor;
    spec.isChar = *cursor == 'h';
    spec.isShort = !spec.isChar;
    cursor += spec.isChar ? 1 : 0;
    return spec.isShort;
  case 'l':
    ++cursor;
    spec.isLong = true;
    spec.isLongDouble = *cursor == 'l';
    cursor += spec.isLongDouble ? 1 : 0;
    return false;
  case 'L':
  case 'q':
    ++cursor;
    spec.isLongDouble = true;
    return false;
  case 'z':
  case 'Z':
  case 't':
  case 'j':
    ++cursor;
    spec.isLong = true;
    return false;
  default:
    return false;
  }
}

bool isAllowedAfterShort(unsigned letter) {
  switch (letter) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
  case 'n':
  case '%':
    return true;
  default:
    return false;
  }
}

InOrder overflow() {
  errno = EOVERFLOW;
  return InOrder::kFailed;
}

/// An int argument for the '*' in front of `cursor`, unless a position follows.
template <typename Unit> InOrder takeStar(const Unit *cursor, int &value, ArgumentList &arguments) {
  if (isFormatDigit(*cursor)) {
    int position = readFormatNumber(cursor);
    if (position < 0)
      return overflow();
    if (position != 0 && *cursor == '$')
      return InOrder::kByPosition;
  }
  value = va_arg(arguments.list, int);
  return InOrder::kKnown;
}

template <typename Unit>
InOrder takeWidth(const Unit *&cursor, FormatSpec &spec, ArgumentList &arguments) {
  if (*cursor == '*') {
    ++cursor;
    InOrder found = takeStar(cursor, spec.width, arguments);
    if (found == InOrder::kKnown && spec.width < 0) {
      spec.width = static_cast<int>(0u - static_cast<unsigned>(spec.width));
      spec.padding = ' ';
      spec.isLeft = true;
    }
    return found;
  }
  if (!isFormatDigit(*cursor))
    return InOrder::kKnown;
  spec.width = readFormatNumber(cursor);
  if (spec.width < 0)
    return overflow();
  return *cursor == '$' ? InOrder::kByPosition : InOrder::kKnown;
}

template <typename Unit>
InOrder takePrecision(const Unit *&cursor, FormatSpec &spec, ArgumentList &arguments) {
  if (*cursor != '.')
    return InOrder::kKnown;
  ++cursor;
  if (*cursor == '*') {
    ++cursor;
    InOrder found = takeStar(cursor, spec.precision, arguments);
    if (spec.precision < 0)
      spec.precision = -1;
    return found;
  }
  spec.precision = isFormatDigit(*cursor) ? readFormatNumber(cursor) : 0;
  return spec.precision < 0 ? overflow() : InOrder::kKnown;
}

} // namespace

ArgumentKind argumentKind(const FormatSpec &spec) {
  switch (spec.letter) {
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X':
  case 'b':
  case 'B':
    return spec.isLong ? ArgumentKind::kLong : ArgumentKind::kInt;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return spec.isLongDouble ? ArgumentKind::kLongDouble : ArgumentKind::kDouble;
  case 'c':
  case 'C':
    return ArgumentKind::kInt;
  case 's':
  case 'S':
  case 'p':
  case 'n':
    return ArgumentKind::kPointer;
  default:
    return ArgumentKind::kNone;
  }
}

FormatArgument fetchArgument(ArgumentKind kind, ArgumentList &arguments) {
  FormatArgument value{};
  switch (kind) {
  case ArgumentKind::kNone:
    break;
  case ArgumentKind::kInt:
    value.asInt = va_arg(arguments.list, int);
    break;
  case ArgumentKind::kLong:
    value.asLong = va_arg(arguments.list, long);
    break;
  case ArgumentKind::kDouble:
    value.asDouble = va_arg(arguments.list, double);
    break;
  case ArgumentKind::kLongDouble:
    value.asLongDouble = va_arg(arguments.list, long double);
    break;
  case ArgumentKind::kPointer:
    value.asPointer = va_arg(arguments.list, void *);
    break;
  }
  return value;
}

template <typename Unit>
InOrder readInOrder(const Unit *&cursor, FormatSpec &spec, ArgumentList &arguments) {
  takeFlags(cursor, spec);
  if (InOrder found = takeWidth(cursor, spec, arguments); found != InOrder::kKnown)
    return found;
  if (InOrder found = takePrecision(cursor, spec, arguments); found != InOrder::kKnown)
    return found;
  bool isAfterShort = takeModifier(cursor, spec);
  spec.isLong |= spec.isLongDouble;
  spec.letter = static_cast<unsigned>(*cursor) & (sizeof(Unit) == 1 ? 0xffu : ~0u);
  if (spec.letter == 0) {
    errno = EINVAL;
    return InOrder::kFailed;
  }
  ++cursor;
  bool isKnown =
      argumentKind(spec) != ArgumentKind::kNone || spec.letter == 'm' || spec.letter == '%';
  if (!isKnown || (isAfterShort && !isAllowedAfterShort(spec.letter)))
    return InOrder::kByPosition;
  return InOrder::kKnown;
}

namespace {

/// The number of an argument, when `cursor` is at one with a '$'; -1 and nothing taken when not. A
/// number that is too large is taken and ignored.
template <typename Unit> int takePosition(const Unit *&cursor, size_t &count) {
  const Unit *end = cursor;
  if (!isFormatDigit(*end))
    return -1;
  int number = readFormatNumber(end);
  if (number == 0 || *end != '$')
    return -1;
  cursor = end + 1;
  if (number < 0)
    return -1;
  if (static_cast<size_t>(number) > count)
    count = number;
  return number - 1;
}

/// The argument for the '*' in front of `cursor`.
template <typename Unit>
int takeStarByPosition(const Unit *&cursor, size_t &following, size_t &count) {
  const Unit *end = cursor;
  int argument = takePosition(end, count);
  if (argument < 0)
    return static_cast<int>(following++);
  cursor = end;
  return argument;
}

} // namespace

template <typename Unit>
void readByPosition(const Unit *&cursor, PlacedSpec &placed, size_t &following, size_t &count) {
  FormatSpec &spec = placed.spec;
  placed.argument = takePosition(cursor, count);
  takeFlags(cursor, spec);
  if (*cursor == '*')
    placed.widthArgument = takeStarByPosition(++cursor, following, count);
  else if (isFormatDigit(*cursor)) {
    int width = readFormatNumber(cursor);
    spec.width = width < 0 ? 0 : width;
  }
  if (*cursor == '.') {
    ++cursor;
    if (*cursor == '*')
      placed.precisionArgument = takeStarByPosition(++cursor, following, count);
    else
      spec.precision = isFormatDigit(*cursor) ? readFormatNumber(cursor) : 0;
  }
  takeModifier(cursor, spec);
  spec.letter = static_cast<unsigned>(*cursor) & (sizeof(Unit) == 1 ? 0xffu : ~0u);
  if (spec.letter != 0)
    ++cursor;
  placed.kind = argumentKind(spec);
  if (placed.argument < 0 && placed.kind != ArgumentKind::kNone)
    placed.argument = static_cast<int>(following++);
}

template InOrder readInOrder(const char *&, FormatSpec &, ArgumentList &);
template InOrder readInOrder(const wchar_t *&, FormatSpec &, ArgumentList &);
template void readByPosition(const char *&, PlacedSpec &, size_t &, size_t &);
template void readByPosition(const wchar_t *&, PlacedSpec &, size_t &, size_t &);

} // namespace culprit

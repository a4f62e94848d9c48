// See scan_spec.h.
#include "externals/shims/scan_spec.h"

#include "externals/shims/format_digits.h"

namespace culprit {
namespace {

bool takeFlag(unsigned unit, ScanSpec &spec) {
  spec.isSuppressed |= unit == '*';
  spec.isGrouped |= unit == '\'';
  spec.usesLocaleDigits |= unit == 'I';
  return unit == '*' || unit == '\'' || unit == 'I';
}

/// Takes a width, or a position with flags and a width.
template <typename Unit> void takeWidth(const Unit *&cursor, ScanSpec &spec) {
  int number = 0;
  if (isFormatDigit(*cursor)) {
    number = readFormatNumber(cursor);
    if (*cursor != '$') {
      spec.width = number == 0 ? -1 : number;
      return;
    }
    ++cursor;
    spec.position = static_cast<unsigned>(number);
  }
  while (takeFlag(*cursor, spec))
    ++cursor;
  number = isFormatDigit(*cursor) ? readFormatNumber(cursor) : 0;
  spec.width = number == 0 ? -1 : number;
}

template <typename Unit> bool isStringLetter(Unit unit) {
  return unit == 's' || unit == 'S' || unit == '[';
}

template <typename Unit> void takeModifier(const Unit *&cursor, ScanSpec &spec, LetterA letterA) {
  switch (*cursor) {
  case 'h':
    ++cursor;
    spec.isChar = *cursor == 'h';
    spec.isShort = !spec.isChar;
    cursor += spec.isChar ? 1 : 0;
    break;
  case 'l':
    ++cursor;
    spec.isLong = true;
    spec.isLongDouble = *cursor == 'l';
    cursor += spec.isLongDouble ? 1 : 0;
    break;
  case 'q':
  case 'L':
    ++cursor;
    spec.isLong = spec.isLongDouble = true;
    break;
  case 'a':
    spec.isAllocated = letterA == LetterA::kAllocates && isStringLetter(cursor[1]);
    cursor += spec.isAllocated ? 1 : 0;
    break;
  case 'm':
    ++cursor;
    spec.isAllocated = true;
    spec.isLong = *cursor == 'l';
    cursor += spec.isLong ? 1 : 0;
    break;
  case 'z':
  case 'j':
  case 't':
    ++cursor;
    spec.isLong = true;
    break;
  default:
    break;
  }
}

} // namespace

template <typename Unit> ScanSpec readScanSpec(const Unit *&cursor, LetterA letterA) {
  ScanSpec spec;
  takeWidth(cursor, spec);
  takeModifier(cursor, spec, letterA);
  spec.letter = static_cast<unsigned>(*cursor) & (sizeof(Unit) == 1 ? 0xffu : ~0u);
  if (spec.letter != 0)
    ++cursor;
  return spec;
}

template ScanSpec readScanSpec(const char *&, LetterA);
template ScanSpec readScanSpec(const wchar_t *&, LetterA);

void *ScanArguments::take(const ScanSpec &spec) {
  if (spec.position == 0)
    return va_arg(following_.list, void *);
  ArgumentList list;
  va_copy(list.list, all_.list);
  for (unsigned left = spec.position; left > 1; --left)
    (void)va_arg(list.list, void *);
  void *found = va_arg(list.list, void *);
  va_end(list.list);
  return found;
}

} // namespace culprit

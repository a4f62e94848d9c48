// See scan_memory.h. A string's end is looked for as far as scanning gets: a program that takes one
// number after another from a long text does not read all of it each time.
#include "externals/shims/scan_memory.h"

#include <string.h>

namespace culprit {
namespace {

constexpr size_t kPiece = 64;

size_t lengthWithin(const char *string, size_t limit) {
  return strnlen(string, limit);
}

size_t lengthWithin(const wchar_t *string, size_t limit) {
  return wcsnlen(string, limit);
}

template <typename Unit> bool findMore(BasicSource<Unit> &source) {
  size_t length = lengthWithin(source.end, kPiece);
  source.end += length;
  return length > 0;
}

/// There is nothing in front of a string.
template <typename Unit> void refuse(BasicSource<Unit> &, Unit) {}

template <typename Unit>
int scanUnits(const Unit *string, const Unit *format, va_list arguments, LetterA letterA) {
  BasicSource<Unit> source{string, string, string, findMore<Unit>, refuse<Unit>};
  return scanFrom(source, format, arguments, letterA);
}

} // namespace

int scanString(const char *string, const char *format, va_list arguments, LetterA letterA) {
  return scanUnits(string, format, arguments, letterA);
}

int scanString(const wchar_t *string, const wchar_t *format, va_list arguments, LetterA letterA) {
  return scanUnits(string, format, arguments, letterA);
}

} // namespace culprit

// See formats.h. Positional arguments are not known here: formats with them are taken to read only
// values.
#include "runtime/suppress/formats.h"

#include "abi/origins.h"
#include "runtime/suppress/shadow.h"
#include "runtime/system.h"

#include <string.h>

namespace culprit {
namespace {

struct Conversion {
  char letter;
  uint64_t size;  ///< of a number
  uint64_t width; ///< 0: none
  unsigned stars;
  bool isAllocated, isAssigned;
};

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

bool isOneOf(char c, const char *set) {
  for (; *set; ++set)
    if (c == *set)
      return true;
  return false;
}

/// Reads the next conversion; false at the end. `format` moves on.
bool nextConversion(const char *&format, bool isScan, Conversion &found) {
  for (; *format; ++format) {
    if (*format != '%')
      continue;
    ++format;
    if (*format == '%')
      continue;
    found = {0, 4, 0, 0, false, true};
    for (; isOneOf(*format, "-+ #0'I*.") || isDigit(*format) || *format == 'm'; ++format) {
      if (*format == '*')
        isScan ? void(found.isAssigned = false) : void(++found.stars);
      else if (isDigit(*format))
        found.width = found.width * 10 + static_cast<uint64_t>(*format - '0');
      else if (*format == 'm' && !isScan)
        break;
      else if (*format == 'm')
        found.isAllocated = true;
    }
    for (; isOneOf(*format, "hlLqjzt"); ++format)
      found.size = *format == 'h' ? found.size / 2 : *format == 'L' ? 16 : 8;
    found.letter = *format;
    if (*format == '[') {
      format += format[1] == '^' ? 2 : 1;
      format += *format == ']' ? 1 : 0;
      while (*format && *format != ']')
        ++format;
    }
    if (*format)
      ++format;
    return found.letter != 0;
  }
  return false;
}

} // namespace

bool printsCorrupt(const char *format, const uint64_t *values, uint64_t count) {
  Conversion conversion;
  uint64_t next = 0;
  while (nextConversion(format, false, conversion)) {
    next += conversion.stars;
    if (conversion.letter == 'm')
      continue;
    if (next >= count)
      return false;
    uint64_t value = values[next++];
    if (conversion.letter == 's' && conversion.size == 4 && value != 0 && conversion.width == 0 &&
        hasCorruptByte(value, strlen(pointerTo<const char>(value)) + 1))
      return true;
  }
  return false;
}

void scannedTo(const char *format, const uint64_t *values, uint64_t origin) {
  Conversion conversion;
  while (nextConversion(format, true, conversion)) {
    if (!conversion.isAssigned)
      continue;
    uint64_t target = *values++;
    uint64_t size = conversion.size;
    if (conversion.isAllocated || conversion.letter == 'p')
      size = 8;
    else if (conversion.letter == 's' || conversion.letter == '[')
      size = (origin & abi::kOriginCorrupt) != 0 ? 1 : strlen(pointerTo<const char>(target)) + 1;
    else if (conversion.letter == 'c')
      size = conversion.width == 0 ? 1 : conversion.width;
    setOrigin(target, size, origin);
  }
}

} // namespace culprit

// strverscmp: strings with numbers in them, ordered by the numbers' values.
//
// A run of digits that begins with a zero is a fraction: it is ordered digit by digit, and the more
// zeros the smaller. Other runs are whole numbers: the longer one is greater.
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/text.h"

namespace culprit {
namespace {

enum class Run { None, Whole, Zeros, Fraction };

bool isDigit(char character) {
  return character >= '0' && character <= '9';
}

Run runAfter(Run run, char next) {
  if (!isDigit(next))
    return Run::None;
  switch (run) {
  case Run::None:
    return next == '0' ? Run::Zeros : Run::Whole;
  case Run::Zeros:
    return next == '0' ? Run::Zeros : Run::Fraction;
  case Run::Whole:
  case Run::Fraction:
    return run;
  }
  return run;
}

/// Of two whole numbers whose first different digits these are.
int orderOfWhole(const char *a, const char *b) {
  size_t i = 1;
  while (isDigit(a[i]) && isDigit(b[i]))
    ++i;
  if (isDigit(a[i]))
    return 1;
  return isDigit(b[i]) ? -1 : orderOf(*a, *b);
}

/// `a` and `b` are where the texts differ, inside or right behind a run of digits of that kind.
int orderBehind(Run run, const char *a, const char *b) {
  bool areDigits = isDigit(*a) && isDigit(*b);
  bool isNeither = !isDigit(*a) && !isDigit(*b);
  if (run == Run::Whole && !isNeither)
    return areDigits ? orderOfWhole(a, b) : isDigit(*a) ? 1 : -1;
  if (run == Run::Zeros && !isNeither && !areDigits)
    return isDigit(*a) ? -1 : 1;
  if (run == Run::None && areDigits && *a != '0' && *b != '0')
    return orderOfWhole(a, b);
  return orderOf(*a, *b);
}

int versionOrder(const char *a, const char *b) {
  Run run = Run::None;
  for (; *a == *b; ++a, ++b) {
    if (*a == 0)
      return 0;
    run = runAfter(run, *a);
  }
  return orderBehind(run, a, b);
}

} // namespace

CULPRIT_INSTRUMENTED int strverscmp(const char *a, const char *b) {
  return versionOrder(a, b);
}

CULPRIT_INSTRUMENTED int __strverscmp(const char *a, const char *b) {
  return versionOrder(a, b);
}

} // namespace culprit

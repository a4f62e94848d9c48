// Numbers as texts that libc keeps: one slot for each function.
#include "externals/external.h"
#include "externals/models/kept_text.h"

#include <stdlib.h>

namespace culprit {
namespace {

/// No double has more digits before and behind the point than glibc writes, and no long double.
constexpr size_t kMostDigits = 400;
constexpr size_t kMostLongDigits = 5000;

char g_base64[8];

} // namespace

#define CULPRIT_DIGITS(name, Number, size)                                                         \
  CULPRIT_EXTERNAL char *name(Number value, int digits, int *point, int *sign) {                   \
    static char slot[size];                                                                        \
    char *text = CULPRIT_NEXT(name)(value, digits, point, sign);                                   \
    return CULPRIT_CALLED_BY_PROGRAM ? copyInto(slot, text) : text;                                \
  }
CULPRIT_DIGITS(ecvt, double, kMostDigits)
CULPRIT_DIGITS(fcvt, double, kMostDigits)
CULPRIT_DIGITS(qecvt, long double, kMostLongDigits)
CULPRIT_DIGITS(qfcvt, long double, kMostLongDigits)

CULPRIT_EXTERNAL char *l64a(long number) {
  char *text = CULPRIT_NEXT(l64a)(number);
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_base64, text) : text;
}

} // namespace culprit

// "%.2f" without libc against glibc's, on numbers of all sizes, between two digits and beside that,
// and in all directions of rounding.
#include "externals/shims/format_memory.h"

#include <cfenv>
#include <cmath>
#include <cstdarg>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace culprit;

namespace {

int formatOurs(char *buffer, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = formatBounded(buffer, size, format, arguments, false);
  va_end(arguments);
  return count;
}

constexpr const char *kFormats[] = {"%.0f",  "%.1f",   "%.2f",   "%f",    "%.9f",   "%.10f",
                                    "%8.3f", "%-9.2F", "%09.4f", "%+.3f", "% 7.1f", "%#.0f"};

void compare(double value) {
  for (const char *format : kFormats) {
    char theirs[400], ours[400];
    int wanted = snprintf(theirs, sizeof theirs, format, value);
    int found = formatOurs(ours, sizeof ours, format, value);
    ASSERT_EQ(wanted, found) << format << " of " << value;
    ASSERT_STREQ(theirs, ours) << format;
  }
}

void compareAround(double value) {
  for (double near : {value, std::nextafter(value, INFINITY), std::nextafter(value, -INFINITY)}) {
    compare(near);
    compare(-near);
  }
}

void compareMany(int count) {
  std::mt19937_64 random(7);
  for (double value : {0.0,        0.5,
                       1.5,        2.5,
                       0.125,      0.375,
                       9.995,      999.9999995,
                       0x1p53,     0x1p53 + 2,
                       0x1p63,     0x1p64,
                       0x1p-74,    0x1p-75,
                       1e-30,      1e300,
                       5e-324,     9.9999999999e9,
                       99999999.5, 18446744073.70955161,
                       HUGE_VAL,   std::nan("")})
    compareAround(value);
  for (int i = 0; i < count; ++i) {
    uint64_t bits = random();
    double any = 0;
    std::memcpy(&any, &bits, sizeof any);
    compare(any);
    auto size = static_cast<int>(random() % 70) - 10;
    compare(std::ldexp(static_cast<double>(random() >> 11), size - 60));
    compareAround(static_cast<double>(random() % 2'000'000'000) / 2048); // many lie between two
  }
}

TEST(Fixed, IsThatOfGlibc) {
  compareMany(20000);
}

TEST(Fixed, IsRoundedAsTheProcessorIsToldTo) {
  for (int direction : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(direction);
    compareMany(1000);
  }
  std::fesetround(FE_TONEAREST);
}

} // namespace

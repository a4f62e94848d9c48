// printf's formatting against glibc's, on random formats and on cases of note.
#include "externals/shims/format_memory.h"

#include "random_format.h"

#include <cerrno>
#include <climits>
#include <clocale>
#include <gtest/gtest.h>

using namespace culprit;
using namespace random_case;

namespace {

/// What a call leaves behind.
template <typename Unit> struct Outcome {
  int count;
  int error;
  std::basic_string<Unit> buffer;
  std::string pool;
  bool operator==(const Outcome &) const = default;
};

template <typename Unit, typename Print>
Outcome<Unit> outcomeOf(const FormatCase &tried, Print print) {
  FormatMaker::fillPool();
  Outcome<Unit> outcome;
  outcome.buffer.assign(8200, Unit{0x5a});
  errno = tried.error;
  outcome.count = tried.arguments.pass(
      [&](va_list arguments) { return print(outcome.buffer.data(), tried.room, arguments); });
  outcome.error = errno;
  outcome.pool.assign(Pool::memory(), Pool::kSize);
  return outcome;
}

template <typename Unit>
void compare(const FormatCase &tried, const Outcome<Unit> &wanted, const Outcome<Unit> &found,
             uint64_t seed) {
  ASSERT_TRUE(wanted == found) << "format \"" << shown(tried.format) << "\" in " << tried.room
                               << " units, locale " << setlocale(LC_ALL, nullptr) << ", seed "
                               << seed << "\n wanted " << wanted.count << " errno " << wanted.error
                               << " " << shown(wanted.buffer.substr(0, 400)) << "\n found  "
                               << found.count << " errno " << found.error << " "
                               << shown(found.buffer.substr(0, 400))
                               << (wanted.pool == found.pool ? "" : "\n %n differs");
}

template <typename Unit, typename Theirs, typename Ours>
void tryBoth(const FormatCase &tried, uint64_t seed, Theirs theirs, Ours ours) {
  compare(tried, outcomeOf<Unit>(tried, theirs), outcomeOf<Unit>(tried, ours), seed);
}

void tryNarrow(const FormatCase &tried, uint64_t seed) {
  const char *format = tried.format.c_str();
  tryBoth<char>(
      tried, seed,
      [&](char *buffer, size_t size, va_list arguments) {
        return vsnprintf(buffer, size, format, arguments); // NOLINT(clang-analyzer-valist*)
      },
      [&](char *buffer, size_t size, va_list arguments) {
        return formatBounded(buffer, size, format, arguments, false);
      });
}

void tryWide(const FormatCase &tried, uint64_t seed) {
  std::wstring wide = widened(tried.format);
  tryBoth<wchar_t>(
      tried, seed,
      [&](wchar_t *buffer, size_t size, va_list arguments) {
        return vswprintf(buffer, size, wide.c_str(), arguments); // NOLINT(clang-analyzer-valist*)
      },
      [&](wchar_t *buffer, size_t size, va_list arguments) {
        return formatWide(buffer, size, wide.c_str(), arguments, false);
      });
}

class Formats : public testing::TestWithParam<const char *> {
  void TearDown() override { setlocale(LC_ALL, "C"); }
};

TEST_P(Formats, AreThoseOfGlibc) {
  if (!setlocale(LC_ALL, GetParam()))
    GTEST_SKIP() << "no locale " << GetParam();
  uint64_t first = numberFromEnvironment("CULPRIT_TEST_SEED", 1);
  uint64_t count = numberFromEnvironment("CULPRIT_TEST_CASES", 3000);
  for (uint64_t seed = first; seed < first + count && !HasFatalFailure(); ++seed) {
    FormatCase tried = FormatMaker(seed).make();
    tryNarrow(tried, seed);
    tryWide(tried, seed);
  }
}

INSTANTIATE_TEST_SUITE_P(InLocale, Formats,
                         testing::Values("C", "C.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8",
                                         "fa_IR.UTF-8", "ps_AF.UTF-8", "hi_IN.UTF-8",
                                         "ja_JP.EUC-JP"));

int format(char *buffer, size_t size, const char *text, ...) {
  va_list arguments;
  va_start(arguments, text);
  int count = formatBounded(buffer, size, text, arguments, false);
  va_end(arguments);
  return count;
}

TEST(Format, FailsWhenTheCountOverflows) {
  char buffer[8];
  errno = 0;
  EXPECT_EQ(format(buffer, sizeof buffer, "ab%*d", INT_MAX, 1), -1);
  EXPECT_EQ(errno, EOVERFLOW);
  EXPECT_STREQ(buffer, "ab     ");
  errno = 0;
  EXPECT_EQ(format(buffer, sizeof buffer, "%.*d", INT_MAX, 1), INT_MAX);
  EXPECT_EQ(format(buffer, sizeof buffer, "%2147483648d", 1), -1);
  EXPECT_EQ(errno, EOVERFLOW);
  EXPECT_EQ(format(buffer, sizeof buffer, "%*f", INT_MAX, 1.0), INT_MAX);
  errno = 0;
  EXPECT_EQ(format(buffer, sizeof buffer, "%*s%*s", INT_MAX, "", 1, ""), -1);
  EXPECT_EQ(errno, EOVERFLOW);
}

TEST(Format, TakesNoFormatAsAnError) {
  char buffer[8] = "kept";
  errno = 0;
  EXPECT_EQ(format(buffer, sizeof buffer, nullptr), -1);
  EXPECT_EQ(errno, EINVAL);
  EXPECT_STREQ(buffer, "");
}

TEST(Format, GivesBlocksOfTheExactSize) {
  char *made = nullptr;
  auto allocate = [&](const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    int count = formatAllocated(&made, text, arguments, false);
    va_end(arguments);
    return count;
  };
  EXPECT_EQ(allocate("%d-%s", 42, "x"), 4);
  EXPECT_STREQ(made, "42-x");
  free(made);
  EXPECT_EQ(allocate("%500d|%s", 1, std::string(3000, 'y').c_str()), 3501);
  EXPECT_EQ(std::string(made), std::string(499, ' ') + "1|" + std::string(3000, 'y'));
  free(made);
  made = nullptr;
  EXPECT_EQ(allocate("%"), -1);
  EXPECT_EQ(made, nullptr);
}

} // namespace

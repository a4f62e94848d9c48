// scanf's conversions against glibc's, on random formats and input and on cases of note.
#include "externals/shims/scan_memory.h"

#include "random_format.h"
#include "random_scan.h"

#include <cerrno>
#include <clocale>
#include <gtest/gtest.h>

using namespace culprit;
using namespace random_case;

// Headers give C++ programs only the functions with the C99 rules.
extern "C" int oldScan(FILE *stream, const char *format, va_list arguments) __asm__("vfscanf");
extern "C" int oldWideScan(const wchar_t *string, const wchar_t *format,
                           va_list arguments) __asm__("vswscanf");

namespace {

/// What a call leaves behind.
struct Outcome {
  int count;
  int error;
  long taken = 0;
  std::string pool;
  bool operator==(const Outcome &) const = default;
};

constexpr uint64_t kUntouchedWord = 0x0101010101010101 * ScanMaker::kUntouched;

/// Replaces addresses of strings by the strings, and frees them.
void takeStrings(const ScanCase &tried, std::string &pool) {
  for (auto [number, isWide] : tried.allocated) {
    uint64_t address;
    memcpy(&address, ScanMaker::area(number), sizeof address);
    memset(&pool[number * ScanMaker::kAreaSize], 0, sizeof address);
    if (address == 0 || address == kUntouchedWord) {
      pool += address == 0 ? "null" : "untouched";
      continue;
    }
    void *block = reinterpret_cast<void *>(address); // NOLINT(performance-no-int-to-ptr)
    if (tried.format.find_first_of("cC") != std::string::npos)
      pool.append(static_cast<char *>(block), isWide ? sizeof(wchar_t) : 1);
    else if (isWide)
      pool += shown(std::wstring(static_cast<wchar_t *>(block)));
    else
      pool += static_cast<char *>(block);
    free(block);
  }
}

template <typename Scan> Outcome outcomeOf(const ScanCase &tried, Scan scan) {
  ScanMaker::fillPool();
  Outcome outcome;
  errno = tried.error;
  outcome.count =
      tried.arguments.pass([&](va_list arguments) { return scan(arguments, outcome.taken); });
  outcome.error = errno;
  outcome.pool.assign(Pool::memory(), Pool::kSize);
  takeStrings(tried, outcome.pool);
  return outcome;
}

void compare(const ScanCase &tried, const Outcome &wanted, const Outcome &found, uint64_t seed) {
  size_t differing = 0;
  while (differing < wanted.pool.size() && differing < found.pool.size() &&
         wanted.pool[differing] == found.pool[differing])
    ++differing;
  ASSERT_TRUE(wanted == found) << "format \"" << shown(tried.format) << "\" input \""
                               << shown(tried.input) << "\" locale " << setlocale(LC_ALL, nullptr)
                               << ", seed " << seed << "\n wanted " << wanted.count << " errno "
                               << wanted.error << " taken " << wanted.taken << "\n found  "
                               << found.count << " errno " << found.error << " taken "
                               << found.taken << "\n memory differs at " << differing << ": "
                               << shown(wanted.pool.substr(differing, 16)) << " and "
                               << shown(found.pool.substr(differing, 16));
}

/// Text that may have zeros in it, and that takes back more than it gave, as glibc's streams do.
class TextSource : public Source {
public:
  explicit TextSource(const std::string &text)
      : Source{nullptr, nullptr, nullptr, isOver, putInFront} {
    hold(text);
  }
  long taken() const { return before_ + (next - start); }

private:
  void hold(const std::string &text) {
    text_ = text;
    start = next = text_.data();
    end = start + text_.size();
  }
  static bool isOver(Source &) { return false; }
  static void putInFront(Source &base, char unit) {
    auto &source = static_cast<TextSource &>(base);
    source.before_ = source.taken() - 1;
    source.hold(std::string(1, unit) + std::string(source.next, source.end));
  }

  std::string text_;
  long before_ = 0;
};

void tryNarrow(const ScanCase &tried, uint64_t seed) {
  const char *format = tried.format.c_str();
  bool isOld = seed % 2 == 0;
  std::string text = tried.input;
  FILE *stream = fmemopen(text.empty() ? nullptr : text.data(), text.size() + text.empty(), "r");
  Outcome wanted = outcomeOf(tried, [&](va_list arguments, long &) {
    return isOld ? oldScan(stream, format, arguments)
                 : vfscanf(stream, format, arguments); // NOLINT(clang-analyzer-valist*)
  });
  wanted.taken = text.empty() ? 0 : ftell(stream);
  fclose(stream);
  TextSource source(tried.input);
  Outcome found = outcomeOf(tried, [&](va_list arguments, long &taken) {
    int count =
        scanFrom(source, format, arguments, isOld ? LetterA::kAllocates : LetterA::kIsFloat);
    taken = source.taken();
    return count;
  });
  if (!tried.input.empty())
    compare(tried, wanted, found, seed);
}

void tryWide(const ScanCase &tried, uint64_t seed) {
  bool isOld = seed % 2 == 0;
  std::wstring format = widened(tried.format);
  std::wstring text = widened(tried.input);
  compare(tried,
          outcomeOf(tried,
                    [&](va_list arguments, long &) {
                      return isOld ? oldWideScan(text.c_str(), format.c_str(), arguments)
                                   : vswscanf(text.c_str(), format.c_str(), // NOLINT
                                              arguments);
                    }),
          outcomeOf(tried,
                    [&](va_list arguments, long &) {
                      return scanString(text.c_str(), format.c_str(), arguments,
                                        isOld ? LetterA::kAllocates : LetterA::kIsFloat);
                    }),
          seed);
}

class Scans : public testing::TestWithParam<const char *> {
  void TearDown() override { setlocale(LC_ALL, "C"); }
};

TEST_P(Scans, AreThoseOfGlibc) {
  if (!setlocale(LC_ALL, GetParam()))
    GTEST_SKIP() << "no locale " << GetParam();
  uint64_t first = numberFromEnvironment("CULPRIT_TEST_SEED", 1);
  uint64_t count = numberFromEnvironment("CULPRIT_TEST_CASES", 3000);
  for (uint64_t seed = first; seed < first + count && !HasFatalFailure(); ++seed) {
    ScanCase tried = ScanMaker(seed).make();
    tryNarrow(tried, seed);
    tryWide(tried, seed);
  }
}

INSTANTIATE_TEST_SUITE_P(InLocale, Scans,
                         testing::Values("C", "C.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8",
                                         "fa_IR.UTF-8", "ps_AF.UTF-8", "hi_IN.UTF-8",
                                         "ja_JP.EUC-JP"));

} // namespace

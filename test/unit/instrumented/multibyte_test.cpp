// Conversions between multibyte and wide strings, valid and not, whole and in parts.
#include "test/unit/instrumented/both.h"

#include <clocale>
#include <csignal>
#include <wchar.h>

namespace culprit::test {

CULPRIT_BOTH(size_t, mbrtowc, wchar_t *, const char *, size_t, mbstate_t *)
CULPRIT_BOTH(size_t, mbrlen, const char *, size_t, mbstate_t *)
CULPRIT_BOTH(size_t, wcrtomb, char *, wchar_t, mbstate_t *)
CULPRIT_BOTH(size_t, mbsrtowcs, wchar_t *, const char **, size_t, mbstate_t *)
CULPRIT_BOTH(size_t, mbsnrtowcs, wchar_t *, const char **, size_t, size_t, mbstate_t *)
CULPRIT_BOTH(size_t, wcsrtombs, char *, const wchar_t **, size_t, mbstate_t *)
CULPRIT_BOTH(size_t, wcsnrtombs, char *, const wchar_t **, size_t, size_t, mbstate_t *)
CULPRIT_BOTH(size_t, mbstowcs, wchar_t *, const char *, size_t)
CULPRIT_BOTH(size_t, wcstombs, char *, const wchar_t *, size_t)
CULPRIT_BOTH(int, mbtowc, wchar_t *, const char *, size_t)
CULPRIT_BOTH(int, mblen, const char *, size_t)
CULPRIT_BOTH(int, wctomb, char *, wchar_t)
CULPRIT_BOTH(int, __wctomb_chk, char *, wchar_t, size_t)
CULPRIT_BOTH(size_t, __mbstowcs_chk, wchar_t *, const char *, size_t, size_t)
CULPRIT_BOTH(size_t, __wcstombs_chk, char *, const wchar_t *, size_t, size_t)

namespace {

constexpr size_t kRounds = 4000;

/// Pieces of characters of one to four bytes, and some that are none.
std::string bytesIn(Field &field) {
  static const char *const kPieces[] = {"a", "b", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                        "c", "d", "\xc3",     "\xff",         "\xe2\x82",
                                        "e", "f"};
  std::string text;
  size_t kinds = field.random() % 3 != 0 ? 7 : std::size(kPieces);
  for (size_t count = below(field.random, 8); count > 0; --count)
    text += kPieces[below(field.random, kinds)];
  return text;
}

std::wstring wideIn(Field &field) {
  static const std::wstring kValid = L"ab\u00e9\u20ac\U0001f600";
  static const wchar_t kInvalid[] = {0xd800, 0x110000, -1};
  std::wstring text = field.text<wchar_t>(6, kValid);
  if (field.random() % 4 == 0)
    text += kInvalid[below(field.random, 3)];
  return text + field.text<wchar_t>(2, kValid);
}

/// What is in a state, as a number.
long inState(const mbstate_t &state) {
  return state.__count * 1000003L + static_cast<long>(state.__value.__wch);
}

template <typename Char> Char *roomFor(Field &field, size_t count) {
  return reinterpret_cast<Char *>(field.c.end()) - count;
}

void checkDecoding() {
  auto decodingAll = [](auto function, Field &field) {
    std::string text = bytesIn(field) + '\0';
    char *at = field.a.place(text);
    mbstate_t state = {};
    long sum = 0;
    while (at != field.a.end()) {
      wchar_t wide = 7;
      size_t left = static_cast<size_t>(field.a.end() - at);
      size_t most = field.random() % 2 != 0 ? left : below(field.random, left + 1);
      size_t used = function(&wide, at, most, &state);
      sum = sum * 31 + static_cast<long>(used) + wide;
      if (used == static_cast<size_t>(-1))
        break;
      sum += inState(state);
      if (used == static_cast<size_t>(-2))
        at += most;
      else
        at += used == 0 ? 1 : used;
    }
    return sum;
  };
  compare(mbrtowc_, decodingAll, kRounds);
  compare(mbrlen_, [&](auto *function, Field &field) {
    auto measure = [&](wchar_t *, const char *text, size_t most, mbstate_t *state) {
      return function(text, most, state);
    };
    return decodingAll(measure, field);
  });
}

void checkDecodingTexts() {
  compare(
      mbsrtowcs_,
      [](auto *function, Field &field) {
        const char *from = field.a.placeText(bytesIn(field));
        size_t room = below(field.random, 12);
        mbstate_t state = {};
        const char *kept = from;
        long sum = static_cast<long>(function(nullptr, &kept, room, &state));
        EXPECT_EQ(kept, from);
        sum = sum * 31 +
              static_cast<long>(function(roomFor<wchar_t>(field, room), &from, room, &state));
        return sum * 31 + field.offset(from);
      },
      kRounds);
  compare(
      mbsnrtowcs_,
      [](auto *function, Field &field) {
        std::string text = bytesIn(field) + "x";
        const char *from = field.a.place(text);
        size_t room = below(field.random, 12);
        mbstate_t state = {};
        size_t count = function(roomFor<wchar_t>(field, room), &from,
                                below(field.random, text.size() + 1), room, &state);
        return static_cast<long>(count) * 31 + field.offset(from);
      },
      kRounds);
  compare(mbstowcs_, [](auto *function, Field &field) {
    size_t room = below(field.random, 12);
    char *from = field.a.placeText(bytesIn(field));
    return function(roomFor<wchar_t>(field, room), from, room) * 31 + function(nullptr, from, 0);
  });
}

void checkEncoding() {
  compare(wcrtomb_, [](auto *function, Field &field) {
    std::wstring text = wideIn(field) + L'\0';
    mbstate_t state = {};
    return function(roomFor<char>(field, 16), text[0], &state) * 31 +
           function(nullptr, text[0], &state);
  });
  compare(
      wcsrtombs_,
      [](auto *function, Field &field) {
        const wchar_t *from = field.a.placeText(wideIn(field));
        size_t room = below(field.random, 20);
        mbstate_t state = {};
        const wchar_t *kept = from;
        long sum = static_cast<long>(function(nullptr, &kept, room, &state));
        sum =
            sum * 31 + static_cast<long>(function(roomFor<char>(field, room), &from, room, &state));
        return sum * 31 + field.offset(from);
      },
      kRounds);
  compare(
      wcsnrtombs_,
      [](auto *function, Field &field) {
        std::wstring text = wideIn(field);
        const wchar_t *from = field.a.place(text);
        size_t room = below(field.random, 20);
        mbstate_t state = {};
        size_t count = function(roomFor<char>(field, room), &from,
                                below(field.random, text.size() + 1), room, &state);
        return static_cast<long>(count) * 31 + field.offset(from);
      },
      kRounds);
  compare(wcstombs_, [](auto *function, Field &field) {
    size_t room = below(field.random, 20);
    wchar_t *from = field.a.placeText(wideIn(field));
    return function(roomFor<char>(field, room), from, room) * 31 + function(nullptr, from, 0);
  });
}

void checkSingle() {
  compare(mbtowc_, [](auto *function, Field &field) {
    std::string text = bytesIn(field);
    char *at = field.a.placeText(text);
    wchar_t wide = 7;
    function(nullptr, nullptr, 0);
    long sum = function(&wide, at, below(field.random, text.size() + 1));
    return sum * 31 + wide + function(nullptr, nullptr, 0);
  });
  compare(mblen_, [](auto *function, Field &field) {
    std::string text = bytesIn(field);
    char *at = field.a.placeText(text);
    return function(at, below(field.random, text.size() + 1)) * 31 + function(nullptr, 0);
  });
  compare(wctomb_, [](auto *function, Field &field) {
    std::wstring text = wideIn(field) + L'\0';
    return function(roomFor<char>(field, 16), text[0]) * 31 + function(nullptr, text[0]);
  });
}

TEST(Multibyte, Utf8) {
  if (!setlocale(LC_ALL, "C.UTF-8"))
    GTEST_SKIP() << "no C.UTF-8";
  checkDecoding();
  checkDecodingTexts();
  checkEncoding();
  checkSingle();
  setlocale(LC_ALL, "C");
}

TEST(Multibyte, C) {
  checkDecoding();
  checkDecodingTexts();
  checkEncoding();
  checkSingle();
}

TEST(Multibyte, ChecksRoom) {
  auto isCaught = testing::KilledBySignal(SIGABRT);
  const char *words = "buffer overflow detected";
  wchar_t wide[4];
  char narrow[4];
  EXPECT_EQ(our___mbstowcs_chk(wide, "abc", 4, 4), 3U);
  EXPECT_EQ(our___wcstombs_chk(narrow, L"abc", 4, 4), 3U);
  EXPECT_EXIT(our___mbstowcs_chk(wide, "abc", 4, 3), isCaught, words);
  EXPECT_EXIT(our___wcstombs_chk(narrow, L"abc", 4, 3), isCaught, words);
  EXPECT_EXIT(our___wctomb_chk(narrow, L'a', 0), isCaught, words);
}

} // namespace
} // namespace culprit::test

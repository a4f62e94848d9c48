// str* and wcs*: each against libc's with short texts of few different characters, so that all ways
// through are taken, at the end of a page.
#include "test/unit/instrumented/both.h"

#include <clocale>
#include <csignal>
#include <string.h>

namespace culprit::test {

CULPRIT_BOTH(size_t, strlen, const char *)
CULPRIT_BOTH(size_t, strnlen, const char *, size_t)
CULPRIT_BOTH(char *, strcpy, char *, const char *)
CULPRIT_BOTH(char *, stpcpy, char *, const char *)
CULPRIT_BOTH(char *, strncpy, char *, const char *, size_t)
CULPRIT_BOTH(char *, stpncpy, char *, const char *, size_t)
CULPRIT_BOTH(char *, strcat, char *, const char *)
CULPRIT_BOTH(char *, strncat, char *, const char *, size_t)
CULPRIT_BOTH(int, strcmp, const char *, const char *)
CULPRIT_BOTH(int, strncmp, const char *, const char *, size_t)
CULPRIT_BOTH(int, strcasecmp, const char *, const char *)
CULPRIT_BOTH(int, strncasecmp, const char *, const char *, size_t)
CULPRIT_BOTH(int, strcoll, const char *, const char *)
CULPRIT_BOTH(size_t, strxfrm, char *, const char *, size_t)
CULPRIT_BOTH(int, strverscmp, const char *, const char *)
CULPRIT_BOTH(char *, strchr, const char *, int)
CULPRIT_BOTH(char *, strrchr, const char *, int)
CULPRIT_BOTH(char *, index, const char *, int)
CULPRIT_BOTH(char *, rindex, const char *, int)
CULPRIT_BOTH(char *, strchrnul, const char *, int)
CULPRIT_BOTH(size_t, strspn, const char *, const char *)
CULPRIT_BOTH(size_t, strcspn, const char *, const char *)
CULPRIT_BOTH(char *, strpbrk, const char *, const char *)
CULPRIT_BOTH(char *, strstr, const char *, const char *)
CULPRIT_BOTH(char *, strcasestr, const char *, const char *)
CULPRIT_BOTH(char *, strsep, char **, const char *)
CULPRIT_BOTH(char *, strtok_r, char *, const char *, char **)
CULPRIT_BOTH(char *, strtok, char *, const char *)
CULPRIT_BOTH(char *, basename, const char *)
CULPRIT_BOTH(int, getsubopt, char **, char *const *, char **)
CULPRIT_BOTH(char *, strdup, const char *)
CULPRIT_BOTH(char *, strndup, const char *, size_t)
CULPRIT_BOTH(char *, __strcpy_chk, char *, const char *, size_t)
CULPRIT_BOTH(char *, __stpcpy_chk, char *, const char *, size_t)
CULPRIT_BOTH(char *, __strcat_chk, char *, const char *, size_t)
CULPRIT_BOTH(char *, __strncpy_chk, char *, const char *, size_t, size_t)
CULPRIT_BOTH(char *, __stpncpy_chk, char *, const char *, size_t, size_t)
CULPRIT_BOTH(char *, __strncat_chk, char *, const char *, size_t, size_t)

CULPRIT_BOTH(size_t, wcslen, const wchar_t *)
CULPRIT_BOTH(size_t, wcsnlen, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wcscpy, wchar_t *, const wchar_t *)
CULPRIT_BOTH(wchar_t *, wcpcpy, wchar_t *, const wchar_t *)
CULPRIT_BOTH(wchar_t *, wcsncpy, wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wcpncpy, wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wcscat, wchar_t *, const wchar_t *)
CULPRIT_BOTH(wchar_t *, wcsncat, wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(int, wcscmp, const wchar_t *, const wchar_t *)
CULPRIT_BOTH(int, wcsncmp, const wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(int, wcscasecmp, const wchar_t *, const wchar_t *)
CULPRIT_BOTH(int, wcsncasecmp, const wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(int, wcscoll, const wchar_t *, const wchar_t *)
CULPRIT_BOTH(size_t, wcsxfrm, wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wcschr, const wchar_t *, wchar_t)
CULPRIT_BOTH(wchar_t *, wcsrchr, const wchar_t *, wchar_t)
CULPRIT_BOTH(wchar_t *, wcschrnul, const wchar_t *, wchar_t)
CULPRIT_BOTH(size_t, wcsspn, const wchar_t *, const wchar_t *)
CULPRIT_BOTH(size_t, wcscspn, const wchar_t *, const wchar_t *)
CULPRIT_BOTH(wchar_t *, wcspbrk, const wchar_t *, const wchar_t *)
CULPRIT_BOTH(wchar_t *, wcsstr, const wchar_t *, const wchar_t *)
CULPRIT_BOTH(wchar_t *, wcstok, wchar_t *, const wchar_t *, wchar_t **)
CULPRIT_BOTH(wchar_t *, wcsdup, const wchar_t *)
CULPRIT_BOTH(wchar_t *, wmemcpy, wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wmemmove, wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wmempcpy, wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wmemset, wchar_t *, wchar_t, size_t)
CULPRIT_BOTH(int, wmemcmp, const wchar_t *, const wchar_t *, size_t)
CULPRIT_BOTH(wchar_t *, wmemchr, const wchar_t *, wchar_t, size_t)

namespace {

template <typename Char> std::basic_string<Char> few() {
  if constexpr (sizeof(Char) == 1)
    return "abAB\xe9";
  else
    return L"abAB\u00e9";
}

/// A text at the end of an area.
template <typename Char> Char *textIn(Field &field, Guarded &area, size_t most = 40) {
  return area.placeText(field.text<Char>(most, few<Char>()));
}

template <typename Char> Char oneOf(Field &field) {
  return (few<Char>() + Char{0})[below(field.random, few<Char>().size() + 1)];
}

/// Room for `count` characters at the end of the last area.
template <typename Char> Char *roomFor(Field &field, size_t count) {
  return reinterpret_cast<Char *>(field.c.end()) - count;
}

template <typename Char> auto measuring() {
  return [](auto *function, Field &field) { return function(textIn<Char>(field, field.a, 150)); };
}

/// Also texts without a terminator inside the bound.
template <typename Char> auto measuringWithin() {
  return [](auto *function, Field &field) {
    auto *text = field.a.place(field.text<Char>(40, few<Char>()));
    size_t room = reinterpret_cast<Char *>(field.a.end()) - text;
    if (field.random() % 2 != 0)
      return function(text, below(field.random, room + 1));
    return function(textIn<Char>(field, field.a), SIZE_MAX);
  };
}

/// How wide characters differ libc leaves to the processor at hand; it is 1 or 3.
template <typename Char> int known(int order) {
  return sizeof(Char) == 1 ? order : order < 0 ? -1 : order > 0;
}

template <typename Char> auto comparing() {
  return [](auto *function, Field &field) {
    auto text = field.text<Char>(6, few<Char>());
    Char *a = field.a.placeText(text + field.text<Char>(2, few<Char>()));
    Char *b = field.b.placeText(text + field.text<Char>(2, few<Char>()));
    return known<Char>(function(a, b));
  };
}

template <typename Char> auto comparingWithin() {
  return [](auto *function, Field &field) {
    auto text = field.text<Char>(6, few<Char>());
    Char *a = field.a.place(text);
    Char *b = field.b.place(text);
    size_t most = text.size();
    if (field.random() % 2 != 0) {
      a = field.a.placeText(text + field.text<Char>(2, few<Char>()));
      b = field.b.placeText(text + field.text<Char>(2, few<Char>()));
      most = below(field.random, 12);
    }
    return known<Char>(function(a, b, most));
  };
}

template <typename Char> auto copying() {
  return [](auto *function, Field &field) {
    auto text = field.text<Char>(100, few<Char>());
    return field.offset(function(roomFor<Char>(field, text.size() + 1), field.a.placeText(text)));
  };
}

template <typename Char> auto copyingWithin() {
  return [](auto *function, Field &field) {
    size_t count = below(field.random, 60);
    return field.offset(function(roomFor<Char>(field, count), textIn<Char>(field, field.a), count));
  };
}

template <typename Char> auto appending() {
  return [](auto *function, Field &field, auto... more) {
    auto old = field.text<Char>(30, few<Char>());
    auto text = field.text<Char>(30, few<Char>());
    Char *to = roomFor<Char>(field, old.size() + text.size() + 1);
    std::copy(old.c_str(), old.c_str() + old.size() + 1, to);
    return field.offset(function(to, field.a.placeText(text), more...));
  };
}

template <typename Char> auto appendingWithin() {
  return [](auto *function, Field &field) {
    size_t count = below(field.random, 40);
    return appending<Char>()(function, field, count);
  };
}

template <typename Char> auto finding() {
  return [](auto *function, Field &field) {
    Char wanted = oneOf<Char>(field);
    return field.offset(function(textIn<Char>(field, field.a), wanted));
  };
}

template <typename Char> auto withSet() {
  return [](auto *function, Field &field) {
    Char *text = textIn<Char>(field, field.a);
    return function(text, textIn<Char>(field, field.b, 3));
  };
}

template <typename Char> auto findingSet() {
  return [](auto *function, Field &field) {
    Char *text = textIn<Char>(field, field.a);
    return field.offset(function(text, textIn<Char>(field, field.b, 3)));
  };
}

TEST(Strings, Measure) {
  compare(strlen_, measuring<char>());
  compare(strnlen_, measuringWithin<char>());
  compare(wcslen_, measuring<wchar_t>());
  compare(wcsnlen_, measuringWithin<wchar_t>());
}

TEST(Strings, Copy) {
  compare(strcpy_, copying<char>());
  compare(stpcpy_, copying<char>());
  compare(strncpy_, copyingWithin<char>());
  compare(stpncpy_, copyingWithin<char>());
  compare(strcat_, appending<char>());
  compare(strncat_, appendingWithin<char>());
  compare(wcscpy_, copying<wchar_t>());
  compare(wcpcpy_, copying<wchar_t>());
  compare(wcsncpy_, copyingWithin<wchar_t>());
  compare(wcpncpy_, copyingWithin<wchar_t>());
  compare(wcscat_, appending<wchar_t>());
  compare(wcsncat_, appendingWithin<wchar_t>());
}

TEST(Strings, Compare) {
  compare(strcmp_, comparing<char>(), 3000);
  compare(strncmp_, comparingWithin<char>(), 3000);
  compare(strcasecmp_, comparing<char>(), 3000);
  compare(strncasecmp_, comparingWithin<char>(), 3000);
  compare(strcoll_, comparing<char>(), 3000);
  compare(wcscmp_, comparing<wchar_t>(), 3000);
  compare(wcsncmp_, comparingWithin<wchar_t>(), 3000);
  compare(wcscasecmp_, comparing<wchar_t>(), 3000);
  compare(wcsncasecmp_, comparingWithin<wchar_t>(), 3000);
  compare(wcscoll_, comparing<wchar_t>(), 3000);
}

TEST(Strings, CompareVersions) {
  compare(
      strverscmp_,
      [](auto *function, Field &field) {
        std::string text = field.text(4, std::string("0129a."));
        char *a = field.a.placeText(text + field.text(4, std::string("0129a.")));
        char *b = field.b.placeText(text + field.text(4, std::string("0129a.")));
        return function(a, b);
      },
      30000);
}

TEST(Strings, Transform) {
  compare(strxfrm_, [](auto *function, Field &field) {
    size_t room = below(field.random, 60);
    return function(roomFor<char>(field, room), textIn<char>(field, field.a), room);
  });
  compare(wcsxfrm_, [](auto *function, Field &field) {
    size_t room = below(field.random, 60);
    return function(roomFor<wchar_t>(field, room), textIn<wchar_t>(field, field.a), room);
  });
}

TEST(Strings, Find) {
  compare(strchr_, finding<char>());
  compare(strrchr_, finding<char>());
  compare(index_, finding<char>());
  compare(rindex_, finding<char>());
  compare(strchrnul_, finding<char>());
  compare(strspn_, withSet<char>());
  compare(strcspn_, withSet<char>());
  compare(strpbrk_, findingSet<char>());
  compare(strstr_, findingSet<char>(), 2000);
  compare(strcasestr_, findingSet<char>(), 2000);
  compare(wcschr_, finding<wchar_t>());
  compare(wcsrchr_, finding<wchar_t>());
  compare(wcschrnul_, finding<wchar_t>());
  compare(wcsspn_, withSet<wchar_t>());
  compare(wcscspn_, withSet<wchar_t>());
  compare(wcspbrk_, findingSet<wchar_t>());
  compare(wcsstr_, findingSet<wchar_t>(), 2000);
}

/// Goes through all tokens; `next` is where the function keeps its place.
template <typename Char> auto cutting() {
  return [](auto function, Field &field) {
    Char *delimiters = textIn<Char>(field, field.b, 3);
    Char *next = nullptr;
    Char *token = function(textIn<Char>(field, field.a), delimiters, &next);
    long sum = 0;
    for (; token; token = function(nullptr, delimiters, &next))
      sum = sum * 31 + field.offset(token) + field.offset(next);
    return sum * 31 + field.offset(next);
  };
}

TEST(Strings, Cut) {
  compare(strtok_r_, cutting<char>());
  compare(wcstok_, cutting<wchar_t>());
  compare(strtok_, [](auto *function, Field &field) {
    auto cut = [&](char *text, const char *delimiters, char **) {
      return function(text, delimiters);
    };
    return cutting<char>()(cut, field);
  });
  compare(strsep_, [](auto *function, Field &field) {
    char *next = textIn<char>(field, field.a);
    char *delimiters = textIn<char>(field, field.b, 3);
    long sum = 0;
    while (char *token = function(&next, delimiters))
      sum = sum * 31 + field.offset(token) + field.offset(next);
    return sum;
  });
}

TEST(Strings, Suboptions) {
  compare(
      getsubopt_,
      [](auto *function, Field &field) {
        char tokens[4][4] = {"a", "ab", "", "b"};
        char *const names[] = {tokens[0], tokens[1], tokens[2], tokens[3], nullptr};
        char *option = field.a.placeText(field.text(12, std::string("aab,=")));
        long sum = 0;
        for (int i = 0; i < 20; ++i) {
          char *value;
          int number = function(&option, names, &value);
          sum = sum * 31 + number + field.offset(option);
          if (*option == 0)
            break;
          sum += field.offset(value) * 7;
        }
        return sum;
      },
      3000);
}

TEST(Strings, Duplicate) {
  compare(strdup_, [](auto *function, Field &field) {
    char *copy = function(textIn<char>(field, field.a));
    strcpy(field.b.begin(), copy);
    free(copy);
    return 0;
  });
  compare(strndup_, [](auto *function, Field &field) {
    std::string text = field.text(40, few<char>());
    char *copy = function(field.a.place(text), below(field.random, text.size() + 1));
    strcpy(field.b.begin(), copy);
    free(copy);
    return 0;
  });
  compare(wcsdup_, [](auto *function, Field &field) {
    wchar_t *copy = function(textIn<wchar_t>(field, field.a));
    our_wcscpy(reinterpret_cast<wchar_t *>(field.b.begin()), copy);
    free(copy);
    return 0;
  });
}

TEST(Strings, WideMemory) {
  auto moving = [](auto *function, Field &field) {
    size_t count = below(field.random, 100);
    wchar_t *from = reinterpret_cast<wchar_t *>(field.a.end()) - count;
    return field.offset(function(roomFor<wchar_t>(field, count), from, count)) +
           field.offset(function(from - below(field.random, 50), from, count));
  };
  compare(wmemcpy_, moving);
  compare(wmemmove_, moving);
  compare(wmempcpy_, moving);
  compare(wmemset_, [](auto *function, Field &field) {
    size_t count = below(field.random, 100);
    auto value = static_cast<wchar_t>(field.random());
    return field.offset(function(roomFor<wchar_t>(field, count), value, count));
  });
  compare(wmemcmp_, [](auto *function, Field &field) {
    auto text = field.text<wchar_t>(40, few<wchar_t>());
    wchar_t *a = field.a.place(text);
    if (!text.empty())
      text[below(field.random, text.size())] = L'b';
    return function(a, field.b.place(text), text.size());
  });
  compare(wmemchr_, [](auto *function, Field &field) {
    auto *text = field.a.place(field.text<wchar_t>(40, few<wchar_t>()));
    size_t count = reinterpret_cast<wchar_t *>(field.a.end()) - text;
    return field.offset(function(text, oneOf<wchar_t>(field), count));
  });
}

TEST(Strings, CheckRoom) {
  auto isCaught = testing::KilledBySignal(SIGABRT);
  const char *words = "buffer overflow detected";
  char room[8] = "ab";
  EXPECT_STREQ(our___strcpy_chk(room, "1234567", 8), "1234567");
  EXPECT_EXIT(our___strcpy_chk(room, "12345678", 8), isCaught, words);
  EXPECT_EXIT(our___stpcpy_chk(room, "12345678", 8), isCaught, words);
  EXPECT_EXIT(our___strncpy_chk(room, "1", 9, 8), isCaught, words);
  EXPECT_EXIT(our___stpncpy_chk(room, "1", 9, 8), isCaught, words);
  strcpy(room, "ab");
  EXPECT_STREQ(our___strcat_chk(room, "12345", 8), "ab12345");
  EXPECT_EXIT(our___strcat_chk(room, "1", 8), isCaught, words);
  EXPECT_STREQ(our___strncat_chk(room, "1", 0, 8), "ab12345");
  EXPECT_EXIT(our___strncat_chk(room, "1", 1, 8), isCaught, words);
}

/// Collation and case with rules of their own.
TEST(Strings, InAnotherLocale) {
  if (!setlocale(LC_ALL, "en_US.UTF-8") && !setlocale(LC_ALL, "C.UTF-8"))
    GTEST_SKIP() << "no other locale is installed";
  compare(strcoll_, comparing<char>());
  compare(wcscoll_, comparing<wchar_t>());
  compare(strcasecmp_, comparing<char>());
  compare(wcscasecmp_, comparing<wchar_t>());
  setlocale(LC_ALL, "C");
}

} // namespace
} // namespace culprit::test

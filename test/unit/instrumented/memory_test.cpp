// mem*: unaligned, overlapping, up to the last byte in front of a page that is not there.
#include "test/unit/instrumented/both.h"

#include <csignal>

namespace culprit::test {

CULPRIT_BOTH(void *, memcpy, void *, const void *, size_t)
CULPRIT_BOTH(void *, memmove, void *, const void *, size_t)
CULPRIT_BOTH(void *, mempcpy, void *, const void *, size_t)
CULPRIT_BOTH(void *, __mempcpy, void *, const void *, size_t)
CULPRIT_BOTH(void, bcopy, const void *, void *, size_t)
CULPRIT_BOTH(void *, memccpy, void *, const void *, int, size_t)
CULPRIT_BOTH(void *, memset, void *, int, size_t)
CULPRIT_BOTH(void, bzero, void *, size_t)
CULPRIT_BOTH(void, explicit_bzero, void *, size_t)
CULPRIT_BOTH(int, memcmp, const void *, const void *, size_t)
CULPRIT_BOTH(int, bcmp, const void *, const void *, size_t)
CULPRIT_BOTH(void *, memchr, const void *, int, size_t)
CULPRIT_BOTH(void *, memrchr, const void *, int, size_t)
CULPRIT_BOTH(void *, rawmemchr, const void *, int)
CULPRIT_BOTH(void *, memmem, const void *, size_t, const void *, size_t)
CULPRIT_BOTH(void *, memfrob, void *, size_t)
CULPRIT_BOTH(void, swab, const void *, void *, ssize_t)
CULPRIT_BOTH(void *, __memcpy_chk, void *, const void *, size_t, size_t)
CULPRIT_BOTH(void *, __memmove_chk, void *, const void *, size_t, size_t)
CULPRIT_BOTH(void *, __mempcpy_chk, void *, const void *, size_t, size_t)
CULPRIT_BOTH(void *, __memset_chk, void *, int, size_t, size_t)
CULPRIT_BOTH(void, __explicit_bzero_chk, void *, size_t, size_t)

namespace {

/// Sizes that go through all of libc's ways: small, vectors, many vectors.
size_t sizeIn(Field &field) {
  static constexpr size_t kLimits[] = {4, 20, 70, 300, 1000};
  return below(field.random, kLimits[below(field.random, 5)]);
}

auto copying = [](auto *function, Field &field) {
  size_t size = sizeIn(field);
  return field.offset(function(field.b.end() - size, field.a.end() - size, size));
};

auto copyingWithin = [](auto function, Field &field) {
  size_t size = sizeIn(field);
  size_t distance = below(field.random, Guarded::kSize - size);
  char *high = field.a.end() - size;
  char *low = high - distance;
  bool isUp = field.random() % 2 != 0;
  return field.offset(function(isUp ? high : low, isUp ? low : high, size));
};

TEST(Memory, Copies) {
  compare(memcpy_, copying);
  compare(memmove_, copying);
  compare(mempcpy_, copying);
  compare(__mempcpy_, copying);
}

TEST(Memory, CopiesOverlapping) {
  compare(memcpy_, copyingWithin);
  compare(memmove_, copyingWithin);
  compare(mempcpy_, copyingWithin);
  compare(bcopy_, [](auto *function, Field &field) {
    return copyingWithin(
        [&](void *to, const void *from, size_t size) {
          function(from, to, size);
          return to;
        },
        field);
  });
}

TEST(Memory, CopiesUpToAByte) {
  compare(memccpy_, [](auto *function, Field &field) {
    size_t size = sizeIn(field);
    int last = static_cast<int>(field.random());
    return field.offset(function(field.b.end() - size, field.a.end() - size, last, size));
  });
}

TEST(Memory, Fills) {
  compare(memset_, [](auto *function, Field &field) {
    size_t size = sizeIn(field);
    return field.offset(function(field.a.end() - size, static_cast<int>(field.random()), size));
  });
  auto clearing = [](auto *function, Field &field) {
    size_t size = sizeIn(field);
    function(field.a.end() - size, size);
    return 0;
  };
  compare(bzero_, clearing);
  compare(explicit_bzero_, clearing);
  compare(memfrob_, clearing);
}

TEST(Memory, Compares) {
  auto comparing = [](auto *function, Field &field) {
    size_t size = sizeIn(field);
    char *a = field.a.end() - size;
    char *b = field.b.end() - size;
    for (size_t i = 0; i < size; ++i)
      b[i] = a[i];
    for (size_t changes = below(field.random, 3); size > 0 && changes > 0; --changes)
      b[below(field.random, size)] ^= static_cast<char>(field.random());
    return function(a, b, size);
  };
  compare(memcmp_, comparing);
  compare(bcmp_, [&](auto *function, Field &field) { return comparing(function, field) != 0; });
}

TEST(Memory, FindsBytes) {
  auto finding = [](auto *function, Field &field) {
    size_t size = sizeIn(field);
    int wanted = static_cast<int>(field.random());
    return field.offset(function(field.a.end() - size, wanted, size));
  };
  compare(memchr_, finding);
  compare(memrchr_, finding);
  compare(rawmemchr_, [](auto *function, Field &field) {
    size_t size = sizeIn(field) + 1;
    char wanted = field.a.end()[-1];
    return field.offset(function(field.a.end() - size, wanted));
  });
  // The size may go beyond the memory, if the byte comes before that.
  compare(memchr_, [](auto *function, Field &field) {
    return field.offset(function(field.a.end() - 17, field.a.end()[-1], SIZE_MAX));
  });
}

TEST(Memory, FindsPieces) {
  compare(memmem_, [](auto *function, Field &field) {
    char *text = field.a.place(field.text(60, std::string("ab\0", 3)));
    char *wanted = field.b.place(field.text(5, std::string("ab\0", 3)));
    return field.offset(function(text, field.a.end() - text, wanted, field.b.end() - wanted));
  });
}

TEST(Memory, SwapsBytes) {
  compare(swab_, [](auto *function, Field &field) {
    ssize_t size = static_cast<ssize_t>(sizeIn(field)) - 2;
    char *from = field.a.end() - (size < 0 ? 0 : size);
    function(from, field.random() % 2 ? field.b.begin() : from - 1, size);
    return 0;
  });
}

TEST(Memory, ChecksRoom) {
  auto fitting = [](auto *function, Field &field) {
    size_t size = sizeIn(field);
    return field.offset(function(field.b.end() - size, field.a.end() - size, size, size));
  };
  compare(__memcpy_chk_, fitting);
  compare(__memmove_chk_, fitting);
  compare(__mempcpy_chk_, fitting);
  char memory[8] = {};
  auto isCaught = testing::KilledBySignal(SIGABRT);
  const char *words = "buffer overflow detected";
  EXPECT_EXIT(our___memcpy_chk(memory, "12345678", 8, 7), isCaught, words);
  EXPECT_EXIT(our___memmove_chk(memory, "12345678", 8, 7), isCaught, words);
  EXPECT_EXIT(our___mempcpy_chk(memory, "12345678", 8, 7), isCaught, words);
  EXPECT_EXIT(our___memset_chk(memory, 0, 8, 7), isCaught, words);
  EXPECT_EXIT(our___explicit_bzero_chk(memory, 8, 7), isCaught, words);
}

} // namespace
} // namespace culprit::test

// Search in arrays and chains that the caller keeps.
#include "test/unit/instrumented/both.h"

#include <stdlib.h>

namespace culprit::test {

using Order = int(const void *, const void *);

CULPRIT_BOTH(void *, bsearch, const void *, const void *, size_t, size_t, Order *)
CULPRIT_BOTH(void *, lfind, const void *, const void *, size_t *, size_t, Order *)
CULPRIT_BOTH(void *, lsearch, const void *, void *, size_t *, size_t, Order *)
CULPRIT_BOTH(void, insque, void *, void *)
CULPRIT_BOTH(void, remque, void *)

namespace {

long g_calls;

int byFirstByte(const void *a, const void *b) {
  ++g_calls;
  return *static_cast<const unsigned char *>(a) - *static_cast<const unsigned char *>(b);
}

std::string randomBytes(Random &random, size_t size) {
  std::string bytes(size, 0);
  for (char &byte : bytes)
    byte = static_cast<char>(random() % 50);
  return bytes;
}

TEST(Arrays, Search) {
  auto searching = [](auto function, Field &field) {
    size_t count = below(field.random, 60);
    size_t size = 1 + below(field.random, 5);
    std::string array = randomBytes(field.random, count * size);
    char *at = field.a.place(array);
    qsort(at, count, size, byFirstByte);
    field.b.end()[-1] = static_cast<char>(below(field.random, 50));
    g_calls = 0;
    long found = field.offset(function(field.b.end() - 1, at, count, size, byFirstByte));
    return found * 1000 + g_calls;
  };
  compare(bsearch_, searching);
  compare(lfind_, [&](auto *function, Field &field) {
    auto find = [&](const void *key, const void *array, size_t count, size_t size, Order *order) {
      return function(key, array, &count, size, order);
    };
    return searching(find, field);
  });
  compare(lsearch_, [](auto *function, Field &field) {
    size_t count = 0;
    long sum = 0;
    for (int i = 0; i < 40; ++i) {
      field.b.end()[-4] = static_cast<char>(below(field.random, 30));
      sum = sum * 31 +
            field.offset(function(field.b.end() - 4, field.a.begin(), &count, 4, byFirstByte));
    }
    return sum * 31 + static_cast<long>(count);
  });
}

TEST(Arrays, Chains) {
  struct Link {
    Link *next, *previous;
  };
  for (bool isOurs : {false, true}) {
    auto insert = isOurs ? insque_.ours : insque_.libc;
    auto remove = isOurs ? remque_.ours : remque_.libc;
    Link links[4] = {};
    insert(&links[0], nullptr);
    insert(&links[1], &links[0]);
    insert(&links[2], &links[0]);
    insert(&links[3], &links[1]);
    EXPECT_EQ(links[0].next, &links[2]);
    EXPECT_EQ(links[2].next, &links[1]);
    EXPECT_EQ(links[1].next, &links[3]);
    EXPECT_EQ(links[3].next, nullptr);
    remove(&links[1]);
    EXPECT_EQ(links[2].next, &links[3]);
    EXPECT_EQ(links[3].previous, &links[2]);
    remove(&links[3]);
    EXPECT_EQ(links[2].next, nullptr);
  }
}

} // namespace
} // namespace culprit::test

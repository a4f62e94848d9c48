// Origins in memory against a plain array of them, one for each byte.
#include "abi/memory_map.h"
#include "runtime/heap_memory.h"
#include "runtime/hooks.h"
#include "runtime/suppress/granules.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/stretches.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <sys/mman.h>
#include <vector>

namespace culprit {

// What the shadow uses of the rest of the runtime.
abi::SuppressionRecord *g_suppression;
void checkCopied(uint64_t, uint64_t, const void *) {}
void traceCopies(uint64_t, uint64_t, uint64_t, const void *) {}

namespace {

constexpr uint64_t kMemory = abi::kHeapBase;
constexpr uint64_t kSize = 1 << 18; // cells for all of its granules are more than are made at first

class Shadow : public testing::Test {
protected:
  static void SetUpTestSuite() {
    map(kMemory, kSize);
    map(abi::shadowOf(kMemory), 2 * kSize);
    noteStretch(abi::shadowOf(kMemory), 2 * kSize);
  }

  static void map(uint64_t begin, uint64_t size) {
    void *made = mmap(pointerTo<void>(static_cast<long>(begin)), size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    ASSERT_NE(made, MAP_FAILED);
  }

  Shadow() : expected_(kSize, 0) { setOrigin(kMemory, kSize, 0); }

  void define(uint64_t at, uint64_t size, uint64_t origin) {
    setOrigin(kMemory + at, size, origin);
    std::fill_n(expected_.begin() + static_cast<long>(at), size, origin);
  }

  void copy(uint64_t to, uint64_t from, uint64_t size) {
    copyOrigins(kMemory + to, kMemory + from, size);
    std::vector<uint64_t> moved(expected_.begin() + static_cast<long>(from),
                                expected_.begin() + static_cast<long>(from + size));
    std::copy(moved.begin(), moved.end(), expected_.begin() + static_cast<long>(to));
  }

  /// The first byte of those whose origin is not as expected, or their end.
  uint64_t firstWrong(uint64_t begin = 0, uint64_t end = kSize) const {
    while (begin < end && originOfByte(kMemory + begin) == expected_[begin])
      ++begin;
    return begin;
  }

  uint64_t countOpen() const {
    uint64_t count = 0;
    for (uint64_t at = 0; at < kSize; at += abi::kGranule)
      count += isMixed(wordFor(kMemory + at)) && isOpen(wordFor(kMemory + at));
    return count;
  }

  std::vector<uint64_t> expected_;
};

TEST_F(Shadow, ByteByByte) {
  for (uint64_t i = 0; i < kSize; ++i)
    define(i, 1, abi::makeOrigin(7, 1000 + i));
  EXPECT_EQ(firstWrong(), kSize);
  EXPECT_LT(countOpen(), kSize / abi::kGranule / 2); // what was written long ago is packed
  for (uint64_t i = 0; i < kSize; i += 3)
    define(i, 1, abi::makeOrigin(9, i));
  EXPECT_EQ(firstWrong(), kSize);
}

/// A granule that is begun finishes the one in front of it, unless a page of shadow is between
/// them.
TEST_F(Shadow, WrittenUpward) {
  constexpr uint64_t kArea = 1 << 14; // fewer granules than cells are made at first
  for (uint64_t round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < kArea; ++i)
      define(i, 1, abi::makeOrigin(7, round * kArea + i));
    EXPECT_LE(countOpen(), 2 * (2 * kArea / kPage));
  }
  EXPECT_EQ(firstWrong(), kSize);
}

TEST_F(Shadow, CopiesOfOneOrigin) {
  define(0, 64, abi::makeOrigin(1, 1));
  for (uint64_t size = 1; size < 20; ++size)
    for (uint64_t offset = 0; offset < 8; ++offset) {
      define(1024, 64, abi::makeOrigin(2, size * 8 + offset));
      define(1024 + offset, 1, abi::makeOrigin(3, size * 8 + offset));
      copy(1026 + offset, offset % 3, size);
      ASSERT_EQ(firstWrong(1024, 1088), 1088U) << size << " bytes, " << offset;
    }
}

TEST_F(Shadow, FarApart) {
  for (uint64_t i = 0; i < kSize; ++i)
    define(i, 1, abi::makeOrigin(i % 5, i << 17));
  EXPECT_EQ(firstWrong(), kSize);
  for (uint64_t size = 1; size < 40; ++size)
    copy(size * 100 + 1, kSize / 2 + size, size);
  EXPECT_EQ(firstWrong(), kSize);
}

TEST_F(Shadow, SameFlagsOnly) {
  uint64_t origin = abi::makeOrigin(3, 50);
  define(0, 1, origin);
  define(1, 1, origin | abi::kOriginStale);
  define(2, 1, origin + 1);
  define(3, 1, (origin + 2) | abi::kOriginCopied);
  copy(8, 0, 4);
  copy(13, 0, 4);
  EXPECT_EQ(firstWrong(0, 32), 32U);
  EXPECT_EQ(originOfBytes(kMemory + 8, 4), (origin + 2) | abi::kOriginCopied | abi::kOriginStale);
}

TEST_F(Shadow, CopiesShareAndStayApart) {
  for (uint64_t i = 0; i < 64; ++i)
    define(i, 1, abi::makeOrigin(i % 2, 5));
  copy(1024, 0, 64);
  copy(2048, 1024, 64);
  EXPECT_EQ(wordFor(kMemory + 1024), wordFor(kMemory + 2048));
  define(1025, 1, abi::makeOrigin(4, 4));
  EXPECT_EQ(firstWrong(0, 4096), 4096U);
}

TEST_F(Shadow, BytesThatAgreeAgain) {
  define(0, 8, abi::makeOrigin(1, 1));
  for (uint64_t i = 0; i < 4; ++i)
    define(i, 1, abi::makeOrigin(2, 2));
  EXPECT_FALSE(isMixed(wordFor(kMemory)));
  markStale(kMemory, 1);
  expected_[0] |= abi::kOriginStale;
  EXPECT_EQ(firstWrong(0, 8), 8U);
}

/// Granules of numbers of two bytes have a word for each of them, also when all are stored anew in
/// any order, until a single byte is stored, or both have one origin.
TEST_F(Shadow, NumbersOfTwoBytes) {
  std::mt19937 random(3);
  constexpr uint64_t kRounds = 400'000;
  for (uint64_t round = 0; round < kRounds; ++round) {
    uint64_t at = random() % (kSize / 2) * 2;
    define(at, 2, abi::makeOrigin(4, round));
    ASSERT_EQ(originOfBytes(kMemory + at, 2), abi::makeOrigin(4, round));
  }
  EXPECT_EQ(firstWrong(), kSize);
  EXPECT_GT(countOpen(), kSize / abi::kGranule / 2);
  for (uint64_t at = 0; at < kSize; at += 3)
    define(at, 1, abi::makeOrigin(5, at));
  EXPECT_EQ(firstWrong(), kSize);
  for (uint64_t at = 0; at < kSize; at += 2)
    define(at, 2, abi::makeOrigin(6, at / abi::kGranule));
  EXPECT_EQ(firstWrong(), kSize);
  EXPECT_EQ(countOpen(), 0U);
}

/// Memory and its origins go together, over the ends of pages and onto themselves.
TEST_F(Shadow, BlocksOfMemory) {
  constexpr uint64_t kArea = 40'000;
  auto *memory = pointerTo<unsigned char>(static_cast<long>(kMemory));
  std::mt19937 random(2);
  __culprit_fill_memory(memory, 1, kArea, abi::makeOrigin(1, 1));
  std::vector<unsigned char> bytes(kArea, 1);
  std::fill_n(expected_.begin(), kArea, abi::makeOrigin(1, 1));
  for (uint64_t round = 1; round < 2000; ++round) {
    uint64_t size = random() % 9000;
    uint64_t to = random() % (kArea - size), from = random() % (kArea - size);
    auto value = static_cast<unsigned char>(round);
    auto begin = static_cast<long>(to);
    if (round % 2 == 0) {
      __culprit_copy_memory(memory + to, memory + from, size);
      memmove(bytes.data() + to, bytes.data() + from, size);
      std::vector<uint64_t> moved(expected_.begin() + static_cast<long>(from),
                                  expected_.begin() + static_cast<long>(from + size));
      std::copy(moved.begin(), moved.end(), expected_.begin() + begin);
    } else {
      uint64_t few = size % 10;
      __culprit_fill_memory(memory + to, value, few, abi::makeOrigin(2, round));
      memset(bytes.data() + to, value, few);
      std::fill_n(expected_.begin() + begin, few, abi::makeOrigin(2, round));
    }
  }
  EXPECT_EQ(memcmp(memory, bytes.data(), kArea), 0);
  EXPECT_EQ(firstWrong(0, kArea), kArea);
}

/// Of few executions, of one statement in a loop, or of any.
uint64_t someOrigin(std::mt19937 &random, uint64_t time) {
  switch (random() % 4) {
  case 0:
    return abi::makeOrigin(random() % 3, 10);
  case 1:
    return abi::makeOrigin(5, time);
  case 2:
    return abi::makeOrigin(random(), random()) & ~abi::kOriginFlags;
  default:
    return abi::makeOrigin(random() % 2, 1) | (random() % 2 ? abi::kOriginCopied : 0);
  }
}

TEST_F(Shadow, AtRandom) {
  std::mt19937 random(1);
  for (uint64_t round = 0; round < 300'000; ++round) {
    uint64_t size = random() % 16 == 0 ? random() % 300 : random() % 17;
    uint64_t at = random() % (kSize - size), from = random() % (kSize - size);
    if (random() % 4 == 0) // overlapping
      from = std::min(kSize - size, at - std::min<uint64_t>(at, 20) + random() % 40);
    if (random() % 2 == 0)
      define(at, size, someOrigin(random, round));
    else
      copy(at, from, size);
    ASSERT_EQ(firstWrong(at, at + size), at + size) << "in round " << round;
  }
  EXPECT_EQ(firstWrong(), kSize);
}

} // namespace
} // namespace culprit

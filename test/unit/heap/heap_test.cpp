// The heap by itself: layout, reuse, checks, and long random use compared with a model.
#include "runtime/heap_arena.h"

#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace culprit {
namespace {

using abi::FailureKind;

CallStack stackOf(uint64_t caller) {
  CallStack stack;
  stack.add(caller);
  return stack;
}

/// As heap.cpp does it: the quick way first.
uint64_t allocate(HeapArena &heap, uint64_t size, uint64_t alignment, const CallStack &stack,
                  bool isZeroed) {
  uint64_t quick =
      alignment <= 16 && !isZeroed ? heap.allocateQuickly(size, stack.hash.value()) : 0;
  return quick != 0 ? quick : heap.allocate(size, alignment, stack, isZeroed);
}

bool release(HeapArena &heap, uint64_t block, const CallStack &stack) {
  return heap.releaseQuickly(block, stack.hash.value()) || heap.release(block, stack);
}

class HeapTest : public testing::Test {
protected:
  ~HeapTest() override { heap.unmapAll(); }

  uint64_t get(uint64_t size) { return allocate(heap, size, 1, stackOf(0x1000 + size), false); }
  bool put(uint64_t block) { return release(heap, block, stackOf(0x2000)); }

  HeapArena heap;
};

TEST_F(HeapTest, CarvesUpwardFromTheBase) {
  EXPECT_EQ(get(1), abi::kHeapBase + 16);
  EXPECT_EQ(get(24), abi::kHeapBase + 48);
  EXPECT_EQ(get(25), abi::kHeapBase + 80);
  EXPECT_EQ(get(100), abi::kHeapBase + 128);
}

TEST_F(HeapTest, CarvesQuicklyFromKnownPlaces) {
  CallStack stack = stackOf(0x1000);
  EXPECT_EQ(heap.allocateQuickly(40, stack.hash.value()), 0U);
  uint64_t first = heap.allocate(40, 1, stack, false);
  uint64_t second = heap.allocateQuickly(40, stack.hash.value());
  EXPECT_EQ(second, first + 48);
  EXPECT_TRUE(heap.checkAll());
  abi::FailureBlock found = {};
  ASSERT_TRUE(heap.describeStart(second, found));
  EXPECT_EQ(found.size, 40U);
  EXPECT_EQ(found.allocatedAt[0], 0x1000U);
  *at<char>(second + 40) = 7; // the header of the run
  EXPECT_EQ(heap.allocateQuickly(40, stack.hash.value()), 0U);
  EXPECT_EQ(heap.allocate(40, 1, stack, false), 0U);
  EXPECT_EQ(heap.problem().kind, FailureKind::BrokenHeap);
}

TEST_F(HeapTest, ReusesTheLastFreedOfTheSize) {
  uint64_t a = get(40);
  uint64_t b = get(40);
  put(a);
  put(b);
  EXPECT_EQ(get(33), b);
  EXPECT_EQ(get(40), a);
}

TEST_F(HeapTest, JoinsFreedNeighbours) {
  uint64_t a = get(2000);
  uint64_t b = get(2000);
  get(8);
  put(a);
  put(b);
  EXPECT_EQ(get(4000), a);
}

TEST_F(HeapTest, TellsWrongFreesApart) {
  uint64_t a = get(40);
  EXPECT_FALSE(put(a + 16));
  EXPECT_EQ(heap.problem().kind, FailureKind::WildFree);
  EXPECT_FALSE(put(a + 1));
  EXPECT_EQ(heap.problem().kind, FailureKind::WildFree);
  EXPECT_FALSE(put(abi::kHeapBase)); // what would be its header is not mapped
  EXPECT_EQ(heap.problem().kind, FailureKind::WildFree);
  EXPECT_FALSE(put(0x7fff'0000'0000));
  EXPECT_EQ(heap.problem().kind, FailureKind::WildFree);
  EXPECT_TRUE(put(a));
  EXPECT_FALSE(put(a));
  EXPECT_EQ(heap.problem().kind, FailureKind::DoubleFree);
  EXPECT_EQ(heap.problem().block, a);
}

/// Whatever became of the memory, as long as it was not used again.
TEST_F(HeapTest, KnowsFreedBlocksThatWereJoined) {
  std::vector<uint64_t> blocks;
  for (int i = 0; i < 20; ++i)
    blocks.push_back(get(3000));
  for (uint64_t block : blocks)
    ASSERT_TRUE(put(block));
  for (uint64_t block : blocks) {
    EXPECT_FALSE(put(block));
    EXPECT_EQ(heap.problem().kind, FailureKind::DoubleFree);
    abi::FailureBlock found;
    ASSERT_TRUE(heap.describe(block + 17, found));
    EXPECT_EQ(found.address, block);
    EXPECT_EQ(found.freedAt[0], 0x2000U);
  }
  EXPECT_EQ(get(5000), blocks[0]);
  EXPECT_FALSE(put(blocks[1]));
  EXPECT_EQ(heap.problem().kind, FailureKind::WildFree);
  EXPECT_FALSE(put(blocks[2]));
  EXPECT_EQ(heap.problem().kind, FailureKind::DoubleFree);
}

TEST_F(HeapTest, FindsABrokenHeader) {
  uint64_t a = get(24);
  uint64_t b = get(24);
  uint64_t expected = headerOf(b);
  *at<char>(b - 8) = 0;
  EXPECT_FALSE(heap.checkAll());
  EXPECT_FALSE(put(a));
  EXPECT_EQ(heap.problem().kind, FailureKind::BrokenHeap);
  EXPECT_EQ(heap.problem().word.address, b - 8);
  EXPECT_EQ(heap.problem().word.expected, expected);
  EXPECT_EQ(heap.problem().block, b);
  EXPECT_EQ(heap.problem().previous, a);
  EXPECT_FALSE(put(b));
  EXPECT_EQ(heap.problem().word.expected, expected);
}

TEST_F(HeapTest, FindsABrokenHeaderOfFreeMemory) {
  uint64_t a = get(24);
  uint64_t b = get(24);
  get(24);
  put(b);
  std::memset(at<char>(a), 7, 32);
  EXPECT_EQ(get(24), 0U);
  EXPECT_EQ(heap.problem().kind, FailureKind::BrokenHeap);
  EXPECT_EQ(heap.problem().word.found, 0x0707'0707'0707'0707U);
  EXPECT_EQ(heap.problem().previous, a);
}

TEST_F(HeapTest, FindsWhatWasWrittenBehindTheLastBlock) {
  uint64_t a = get(24);
  std::memset(at<char>(a), 7, 25);
  EXPECT_EQ(get(100), 0U);
  EXPECT_EQ(heap.problem().kind, FailureKind::BrokenHeap);
  EXPECT_EQ(heap.problem().previous, a);
}

TEST_F(HeapTest, DescribesTheNearestBlock) {
  uint64_t a = get(100);
  uint64_t b = get(5000);
  abi::FailureBlock found;
  ASSERT_TRUE(heap.describe(a + 99, found));
  EXPECT_EQ(found.address, a);
  EXPECT_EQ(found.size, 100U);
  EXPECT_EQ(found.allocatedAt[0], 0x1000U + 100);
  EXPECT_EQ(found.allocatedAt[1], 0U);
  EXPECT_EQ(found.state, abi::BlockState::Live);
  ASSERT_TRUE(heap.describe(a + 100, found));
  EXPECT_EQ(found.address, a);
  ASSERT_TRUE(heap.describe(b - 1, found));
  EXPECT_EQ(found.address, b);
  ASSERT_TRUE(heap.describe(b + 6000, found));
  EXPECT_EQ(found.address, b);
  EXPECT_EQ(found.size, 5000U);
  EXPECT_FALSE(heap.describe(0x1000, found));
}

TEST_F(HeapTest, RefusesWhatIsTooLarge) {
  EXPECT_EQ(get(UINT64_MAX), 0U);
  EXPECT_EQ(heap.problem().kind, FailureKind::None);
  EXPECT_EQ(get(uint64_t{1} << 39), 0U);
  EXPECT_EQ(heap.problem().kind, FailureKind::None);
  EXPECT_NE(get(10), 0U);
}

TEST_F(HeapTest, ZeroesWhatWasUsedBefore) {
  for (uint64_t size : {100, 5000, 300000, 20 << 20}) {
    uint64_t a = get(size);
    std::memset(at<char>(a), 7, size);
    put(a);
    uint64_t b = heap.allocate(size, 1, stackOf(1), true);
    EXPECT_EQ(a, b);
    EXPECT_EQ(std::string(size, '\0'), std::string(at<char>(b), size));
  }
}

TEST_F(HeapTest, ZeroesTheRestOfARunThatWasUsedSince) {
  uint64_t freed = get(8000);
  uint64_t barrier = get(24);
  uint64_t end = abi::kHeapBase + heap.mappedBytes();
  get(end - (barrier + 32) - 32 - kHeaderSize);
  ASSERT_TRUE(put(freed));
  EXPECT_EQ(get(100), freed); // another run; of the old one 32 bytes are left, never used
  uint64_t rest = get(20);
  ASSERT_EQ(rest, end - 32);
  memset(at<char>(rest), 't', 20);
  ASSERT_TRUE(put(rest));
  uint64_t zeroed = allocate(heap, 20, 1, stackOf(1), true);
  ASSERT_EQ(zeroed, rest);
  EXPECT_EQ(std::string(at<char>(zeroed), 20), std::string(20, '\0'));
}

TEST_F(HeapTest, ZeroesTheLastPageOfWhatWasGivenBack) {
  get(16);
  uint64_t large = get(6 << 20);
  uint64_t end = abi::kHeapBase + heap.mappedBytes();
  uint64_t last = get(100);
  uint64_t size = end - last - kHeaderSize;
  last = heap.resize(last, size, stackOf(1));
  memset(at<char>(large), 7, 6 << 20);
  memset(at<char>(last), 7, size);
  put(large);
  put(last);
  large = allocate(heap, 6 << 20, 1, stackOf(2), true);
  last = allocate(heap, size, 1, stackOf(2), true);
  EXPECT_EQ(last + size + kHeaderSize, end);
  std::string bytes(at<char>(last), size);
  EXPECT_EQ(bytes, std::string(size, '\0'));
  EXPECT_TRUE(heap.checkAll());
}

TEST_F(HeapTest, GrowsInPlaceAtTheTop) {
  uint64_t a = get(100);
  uint64_t size = 100;
  for (; size < 50 << 20; size *= 3)
    ASSERT_EQ(heap.resize(a, size, stackOf(1)), a);
  ASSERT_TRUE(put(a));
  EXPECT_TRUE(heap.checkAll());
}

struct LayoutCase {
  const char *name;
  const char *text;
};

class LayoutTest : public testing::TestWithParam<LayoutCase> {
protected:
  ~LayoutTest() override { heap.unmapAll(); }
  HeapArena heap;
};

/// Blocks do not overlap, keep their contents, and the heap stays whole.
TEST_P(LayoutTest, SurvivesLongRandomUse) {
  HeapLayout layout;
  if (*GetParam().text != 0)
    ASSERT_TRUE(parseHeapLayout(GetParam().text, layout));
  heap.setLayout(layout);
  struct Block {
    uint64_t size;
    unsigned char byte;
  };
  std::map<uint64_t, Block> live;
  std::mt19937 random(7);
  auto pick = [&](uint64_t most) { return random() % most; };
  auto check = [&](uint64_t block, const Block &known, uint64_t count) {
    for (uint64_t i = 0; i < count; i = i < 64 || i + 64 >= count ? i + 1 : i + 61)
      ASSERT_EQ(*at<unsigned char>(block + i), known.byte) << i << " of " << known.size;
  };
  for (int step = 0; step < 200000; ++step) {
    bool isShrinking = step % 40000 > 30000;
    uint64_t limit = uint64_t{1} << (3 + pick(step % 1000 == 0 ? 19 : step % 8 == 0 ? 12 : 8));
    uint64_t size = pick(limit);
    unsigned what = static_cast<unsigned>(pick(isShrinking ? 16 : 8));
    auto victim = live.lower_bound(abi::kHeapBase + pick(4 << 20));
    if (what < 4 || victim == live.end()) {
      uint64_t alignment = pick(8) == 0 ? uint64_t{16} << pick(9) : 1;
      bool isZeroed = pick(4) == 0;
      uint64_t block = allocate(heap, size, alignment, stackOf(1 + pick(500)), isZeroed);
      ASSERT_NE(block, 0U) << static_cast<int>(heap.problem().kind) << " at step " << step;
      ASSERT_EQ(block % (alignment < 16 ? 16 : alignment), 0U);
      if (isZeroed)
        check(block, {size, 0}, size);
      auto next = live.lower_bound(block);
      ASSERT_TRUE(next == live.end() || block + size + 8 <= next->first);
      ASSERT_TRUE(next == live.begin() ||
                  std::prev(next)->first + std::prev(next)->second.size + 8 <= block);
      Block known{size, static_cast<unsigned char>(random())};
      std::memset(at<char>(block), known.byte, size);
      live[block] = known;
    } else if (what < 6 && size != 0) {
      Block known = victim->second;
      uint64_t block = victim->first;
      live.erase(victim);
      uint64_t moved = heap.resize(block, size, stackOf(1 + pick(500)));
      ASSERT_NE(moved, 0U) << static_cast<int>(heap.problem().kind) << " at step " << step;
      check(moved, known, std::min(size, known.size));
      known.size = size;
      std::memset(at<char>(moved), known.byte, size);
      live[moved] = known;
    } else {
      check(victim->first, victim->second, victim->second.size);
      ASSERT_TRUE(release(heap, victim->first, stackOf(2)))
          << static_cast<int>(heap.problem().kind) << " at step " << step;
      live.erase(victim);
    }
    if (step % 5000 == 0)
      ASSERT_TRUE(heap.checkAll()) << step;
  }
  for (auto [block, known] : live) {
    check(block, known, known.size);
    ASSERT_TRUE(release(heap, block, stackOf(2)));
  }
  ASSERT_TRUE(heap.checkAll());
}

INSTANTIATE_TEST_SUITE_P(
    All, LayoutTest,
    testing::Values(LayoutCase{"Default", ""}, LayoutCase{"Spaced", "spacing:40"},
                    LayoutCase{"Guarded", "guard:8"}, LayoutCase{"Down", "order:down"},
                    LayoutCase{"Shuffled", "order:shuffled,seed:0x5"},
                    LayoutCase{"Filled", "fresh:0xaa,freed:0xdd"},
                    LayoutCase{"Everything",
                               "spacing:16,guard:24,order:shuffled,seed:9,fresh:1,freed:2"}),
    [](const auto &info) { return info.param.name; });

/// Memory of small blocks serves other sizes in the end.
TEST_F(HeapTest, UsesSmallBlocksAgainForOtherSizes) {
  for (uint64_t size : {40, 100, 200, 500, 60, 24}) {
    std::vector<uint64_t> blocks;
    for (uint64_t total = 0; total < 32 << 20; total += size + 8)
      blocks.push_back(get(size));
    for (uint64_t block : blocks)
      ASSERT_TRUE(put(block));
    EXPECT_FALSE(put(blocks[blocks.size() / 2]));
    EXPECT_EQ(heap.problem().kind, FailureKind::DoubleFree);
  }
  EXPECT_LT(heap.mappedBytes(), uint64_t{100} << 20);
  EXPECT_TRUE(heap.checkAll());
}

TEST(HeapLayoutTest, FillsAndGuards) {
  HeapArena heap;
  HeapLayout layout;
  ASSERT_TRUE(parseHeapLayout("fresh:0xaa,freed:221,guard:16,spacing:64", layout));
  heap.setLayout(layout);
  uint64_t a = heap.allocate(100, 1, stackOf(1), false);
  uint64_t b = heap.allocate(100, 1, stackOf(1), false);
  EXPECT_EQ(b - a, 192U);
  EXPECT_EQ(std::string(at<char>(a), 100), std::string(100, '\xaa'));
  EXPECT_TRUE(heap.release(b, stackOf(2)));
  EXPECT_EQ(std::string(at<char>(b), 100), std::string(100, '\xdd'));
  *at<char>(a + 102) = 0;
  EXPECT_FALSE(heap.checkAll());
  EXPECT_FALSE(heap.release(a, stackOf(2)));
  EXPECT_EQ(heap.problem().kind, FailureKind::BrokenGuard);
  EXPECT_EQ(heap.problem().address, a + 102);
  EXPECT_EQ(heap.problem().block, a);
  heap.unmapAll();
}

/// What was freed is held back for a while, so that a program that allocates and frees for long
/// does not need ever more memory.
TEST(HeapLayoutTest, HoldsBackForAWhile) {
  HeapArena heap;
  HeapLayout layout;
  ASSERT_TRUE(parseHeapLayout("freed:0xdd,reuse:0", layout));
  heap.setLayout(layout);
  CallStack stack = stackOf(0x1000);
  constexpr uint64_t kStride = 64;
  uint64_t first = heap.allocate(kStride - 8, 1, stack, false);
  ASSERT_TRUE(heap.release(first, stack));
  uint64_t again = 0;
  for (uint64_t i = 1; i < 2'000'000; ++i) {
    uint64_t block = heap.allocate(i % 1000 == 0 ? 5000 : kStride - 8, 1, stack, false);
    ASSERT_NE(block, 0U);
    again = block == first && again == 0 ? i : again;
    ASSERT_TRUE(heap.release(block, stack));
  }
  EXPECT_GT(again, 200'000U);
  EXPECT_LT(heap.mappedBytes(), uint64_t{64} << 20);
  EXPECT_TRUE(heap.checkAll());
  uint64_t block = heap.allocate(40, 1, stack, false);
  ASSERT_TRUE(heap.release(block, stack));
  *at<char>(block + 3) = 1;
  bool isRight = true;
  for (uint64_t i = 0; i < 2'000'000 && isRight; ++i)
    isRight = heap.release(heap.allocate(kStride - 8, 1, stack, false), stack);
  EXPECT_FALSE(isRight);
  EXPECT_EQ(heap.problem().kind, FailureKind::BrokenGuard);
  EXPECT_EQ(heap.problem().address, block + 3);
  heap.unmapAll();
}

TEST(HeapLayoutTest, OrderDown) {
  HeapArena heap;
  HeapLayout layout;
  layout.order = HeapOrder::Down;
  heap.setLayout(layout);
  uint64_t a = heap.allocate(100, 1, stackOf(1), false);
  uint64_t b = heap.allocate(100, 1, stackOf(1), false);
  EXPECT_EQ(b, a - 112);
  heap.unmapAll();
}

TEST(HeapLayoutTest, RefusesBadSettings) {
  for (const char *text :
       {"", "x:1", "spacing", "spacing:", "spacing:1x", "spacing:-1", "guard:99999999",
        "order:left", "order:upward", "fresh:256", "fresh:0x", "spacing:1,", ",spacing:1",
        "seed:1;guard:2", "seed:99999999999999999999"}) {
    HeapLayout layout;
    EXPECT_FALSE(parseHeapLayout(text, layout)) << text;
  }
}

TEST(StackDepotTest, EqualStacksShareANumber) {
  StackDepot depot;
  std::map<uint64_t, uint32_t> known;
  for (uint64_t round = 0; round < 2; ++round)
    for (uint64_t i = 1; i < 20000; ++i) {
      CallStack stack;
      for (uint64_t n = 0; n <= i % 8; ++n)
        stack.add(i * 64 + n);
      uint32_t id = depot.intern(stack);
      ASSERT_NE(id, 0U);
      if (round == 0)
        known[i] = id;
      ASSERT_EQ(known[i], id);
      uint64_t callers[abi::kMostBlockCallers];
      depot.read(id, callers);
      for (uint64_t n = 0; n < 8; ++n)
        ASSERT_EQ(callers[n], n <= i % 8 ? i * 64 + n : 0);
    }
  depot.release();
}

} // namespace
} // namespace culprit

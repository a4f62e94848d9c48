// The quick hash of a call stack against the careful walk, on stacks made of numbers.
#include "runtime/stack_walk.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

constexpr uint64_t kCode = 0x40'1000;

/// A stack of `kFrames` frames, three words apart, that the tests damage.
class StackWalkTest : public testing::Test {
protected:
  static constexpr uint64_t kFrames = 12;

  StackWalkTest() {
    for (uint64_t i = 0; i < kFrames; ++i) {
      frame(i)[0] = i + 1 == kFrames ? 0 : reinterpret_cast<uint64_t>(frame(i + 1));
      frame(i)[1] = kCode + i * 16;
    }
    startStackWalks(reinterpret_cast<uint64_t>(words_ + sizeof words_ / sizeof *words_),
                    kUsualLevels);
  }
  ~StackWalkTest() override { startStackWalks(0, kUsualLevels); }

  uint64_t *frame(uint64_t i) { return &words_[i * 3]; }
  CallStack walked() {
    CallStack stack;
    walkStack(words_, stack);
    return stack;
  }
  bool isQuick() { return quickStackHash(words_) == walked().hash.value(); }

  uint64_t words_[kFrames * 3] = {};
};

TEST_F(StackWalkTest, QuickHashIsThatOfTheWalk) {
  EXPECT_EQ(walked().count, kUsualLevels);
  EXPECT_TRUE(isQuick());
}

TEST_F(StackWalkTest, ShortStacksAreQuickToo) {
  for (uint64_t last = 0; last < kUsualLevels; ++last) {
    frame(last)[0] = 0;
    EXPECT_EQ(walked().count, last + 1);
    EXPECT_TRUE(isQuick());
    frame(last)[0] = reinterpret_cast<uint64_t>(frame(last + 1));
  }
}

TEST_F(StackWalkTest, LinksThatLeadNowhereEndBoth) {
  for (uint64_t link :
       {uint64_t{8}, reinterpret_cast<uint64_t>(frame(1)), reinterpret_cast<uint64_t>(frame(0)),
        reinterpret_cast<uint64_t>(frame(kFrames)), ~uint64_t{0}}) {
    frame(1)[0] = link;
    EXPECT_EQ(walked().count, 2U);
    EXPECT_TRUE(isQuick());
  }
}

TEST_F(StackWalkTest, WordsThatAreNoAddressesAreLeftToTheWalk) {
  frame(2)[1] = 0;
  EXPECT_EQ(walked().count, 2U);
  EXPECT_FALSE(isQuick());
  frame(2)[1] = ~uint64_t{0};
  EXPECT_EQ(walked().count, 2U);
  EXPECT_FALSE(isQuick());
  frame(2)[1] = kCode;
  frame(1)[0] += 4;
  EXPECT_EQ(walked().count, 2U);
  EXPECT_FALSE(isQuick());
}

TEST_F(StackWalkTest, DeepStacksAreLeftToTheWalk) {
  startStackWalks(g_mainStackEnd, abi::kMostBlockCallers);
  EXPECT_EQ(walked().count, abi::kMostBlockCallers);
  EXPECT_FALSE(isQuick());
}

TEST_F(StackWalkTest, EveryCallerCounts) {
  uint64_t hash = quickStackHash(words_);
  for (uint64_t i = 0; i < kUsualLevels; ++i) {
    frame(i)[1] += 1;
    EXPECT_NE(quickStackHash(words_) >> 24, hash >> 24);
    frame(i)[1] -= 1;
  }
}

} // namespace
} // namespace culprit

// The hash by which runtime and host check bytes: whatever single bit changes, it changes, and it
// is the same on every processor.
#include "abi/quick_hash.h"

#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace culprit {
namespace {

uint64_t hashOf(const std::string &bytes) {
  abi::QuickHash hash;
  hash.add(bytes.data(), bytes.size());
  return hash.value();
}

TEST(QuickHash, SeesEveryBit) {
  for (char fill : {'\0', 'a', '\xff'})
    for (size_t size = 1; size < 200; ++size) {
      std::string bytes(size, fill);
      uint64_t before = hashOf(bytes);
      for (size_t bit = 0; bit < 8 * size; ++bit) {
        std::string other = bytes;
        other[bit / 8] = static_cast<char>(other[bit / 8] ^ 1 << bit % 8);
        EXPECT_NE(hashOf(other), before) << size << " bytes, bit " << bit;
      }
    }
}

TEST(QuickHash, SeesEveryBitOfLongPieces) {
  for (size_t size : {511, 512, 513, 639, 640, 1000}) {
    std::string bytes(size, '\0');
    std::set<uint64_t> seen = {hashOf(bytes)};
    for (size_t bit = 0; bit < 8 * size; ++bit) {
      std::string other = bytes;
      other[bit / 8] = static_cast<char>(1 << bit % 8);
      EXPECT_TRUE(seen.insert(hashOf(other)).second) << size << " bytes, bit " << bit;
    }
  }
}

TEST(QuickHash, SeesWhatChangesPlaces) {
  std::string bytes(1024, '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(i / 16);
  uint64_t before = hashOf(bytes);
  for (size_t first = 0; first < bytes.size(); first += 16)
    for (size_t second = first + 16; second < bytes.size(); second += 16) {
      std::string other = bytes;
      other.replace(first, 16, bytes, second, 16).replace(second, 16, bytes, first, 16);
      EXPECT_NE(hashOf(other), before) << first << " and " << second;
    }
}

TEST(QuickHash, IsTheSameWithAndWithoutTheInstruction) {
  if (!abi::bulk::hasInstruction())
    GTEST_SKIP() << "this processor has no aesenc";
  std::string bytes;
  for (uint32_t i = 1; bytes.size() < 64 * abi::kBulkBlock; i = i * 1664525 + 1013904223)
    bytes += static_cast<char>(i >> 24);
  for (uint64_t blocks = 1; blocks < 60; ++blocks) {
    abi::BulkLanes byTable;
    abi::BulkLanes byInstruction;
    std::memset(&byTable, static_cast<int>(blocks), sizeof byTable);
    std::memset(&byInstruction, static_cast<int>(blocks), sizeof byInstruction);
    abi::bulk::addByTable(byTable, bytes.data() + blocks, blocks);
    abi::bulk::addByInstruction(byInstruction, bytes.data() + blocks, blocks);
    EXPECT_EQ(std::memcmp(&byTable, &byInstruction, sizeof byTable), 0) << blocks;
  }
}

TEST(QuickHash, SeesSizes) {
  std::set<uint64_t> seen;
  for (size_t size = 0; size < 1500; ++size)
    EXPECT_TRUE(seen.insert(hashOf(std::string(size, '\0'))).second) << size;
}

TEST(QuickHash, SeesWhereOneEndsAndTheNextBegins) {
  abi::QuickHash first;
  first.add("ab", 2);
  first.add("c", 1);
  abi::QuickHash second;
  second.add("a", 1);
  second.add("bc", 2);
  EXPECT_NE(first.value(), second.value());
}

} // namespace
} // namespace culprit

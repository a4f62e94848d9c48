// The hash by which runtime and host check bytes: whatever single bit changes, it changes.
#include "abi/quick_hash.h"

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

TEST(QuickHash, SeesSizes) {
  std::set<uint64_t> seen;
  for (size_t size = 0; size < 300; ++size)
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

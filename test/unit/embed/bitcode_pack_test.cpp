// Packed bitcode comes back as it was, and damage is found or harmless.
#include "bitcode.h"
#include "compiler/embed/bitcode_pack.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace culprit {
namespace {

void expectRoundTrip(const std::string &bitcode) {
  std::optional<std::string> packed = packBitcode(bitcode);
  ASSERT_TRUE(packed);
  EXPECT_TRUE(unpackBitcode(packed.value_or(""), bitcode.size()) == bitcode);
}

/// A few bytes changed, cut out, doubled or cut off, as `random` says.
std::string mutated(std::string bytes, std::mt19937 &random) {
  auto below = [&](size_t end) { return size_t(random() % std::max<size_t>(end, 1)); };
  for (size_t changes = 1 + below(4); changes && !bytes.empty(); --changes) {
    size_t at = below(bytes.size());
    switch (below(5)) {
    case 0:
      bytes[at] = char(random());
      break;
    case 1:
      bytes[at] = char(bytes[at] ^ (1 << below(8)));
      break;
    case 2:
      bytes.erase(at, 1 + below(16));
      break;
    case 3:
      bytes.insert(at, bytes.substr(at, 1 + below(64)));
      break;
    default:
      bytes[at] = char(below(2) ? 0xff : 0);
      break;
    }
  }
  return bytes;
}

/// A bitstream made by hand.
struct Bits {
  std::vector<uint32_t> words;
  unsigned used = 0; ///< bits of the last word

  Bits &put(uint32_t value, unsigned width) {
    for (unsigned i = 0; i < width; ++i, used = (used + 1) % 32) {
      if (used == 0)
        words.push_back(0);
      words.back() |= (value >> i & 1) << used;
    }
    return *this;
  }
  Bits &align() {
    used = 0;
    return *this;
  }
  std::string bytes() const {
    return {reinterpret_cast<const char *>(words.data()), words.size() * sizeof words[0]};
  }
};

TEST(Pack, GivesBackSmallModules) {
  for (const std::string &bitcode : smallModules())
    expectRoundTrip(bitcode);
}

TEST(Pack, GivesBackWhatClangMakes) {
  for (const std::string &bitcode : compiledModules())
    expectRoundTrip(bitcode);
}

TEST(Pack, RefusesWhatIsNotBitcode) {
  EXPECT_FALSE(packBitcode(""));
  EXPECT_FALSE(packBitcode("BC"));
  EXPECT_FALSE(packBitcode(std::string("BC\xc0\xde") + std::string(20, '\xff')));
  EXPECT_FALSE(packBitcode(std::string(100, '\0')));
}

TEST(Pack, RefusesBitcodeCutShort) {
  std::string bitcode = smallModules()[1];
  for (size_t size = 5; size < bitcode.size(); size += 3) {
    std::optional<std::string> packed = packBitcode(llvm::StringRef(bitcode).take_front(size));
    if (packed) { // cut between two blocks
      EXPECT_TRUE(unpackBitcode(*packed, size) == bitcode.substr(0, size));
    }
  }
  EXPECT_FALSE(packBitcode(llvm::StringRef(bitcode).drop_back(1)));
}

TEST(Pack, TakesBitcodeOnlyIfItComesBack) {
  std::mt19937 random(1);
  size_t taken = 0;
  for (const std::string &bitcode : smallModules())
    for (int i = 0; i < 1000; ++i) {
      std::string changed = mutated(bitcode, random);
      std::optional<std::string> packed = packBitcode(changed);
      if (!packed)
        continue;
      ++taken;
      EXPECT_TRUE(unpackBitcode(*packed, changed.size()) == changed);
    }
  EXPECT_GT(taken, 100u); // else this tests nothing
}

TEST(Pack, DamageNeverCrashes) {
  std::mt19937 random(2);
  for (const std::string &bitcode : smallModules()) {
    std::string packed = packBitcode(bitcode).value_or("");
    for (int i = 0; i < 1000; ++i) {
      std::string changed = mutated(packed, random);
      if (auto decoded = unpackBitcode(changed, bitcode.size())) {
        EXPECT_EQ(decoded->size(), bitcode.size());
      }
    }
    for (size_t size = 0; size < packed.size(); ++size)
      if (auto decoded = unpackBitcode(llvm::StringRef(packed).take_front(size), bitcode.size())) {
        EXPECT_EQ(decoded->size(), bitcode.size());
      }
  }
}

TEST(Pack, TakesNoOtherSize) {
  std::string bitcode = smallModules()[1], packed = packBitcode(bitcode).value_or("");
  for (size_t size :
       {size_t(0), bitcode.size() - 4, bitcode.size() + 4, size_t(1) << 40, ~size_t(0)})
    EXPECT_FALSE(unpackBitcode(packed, size));
}

TEST(Pack, RefusesNumbersWithTooManyChunks) {
  // Block 0 whose number takes two chunks, the second of them zero.
  std::string bitcode("BC\xc0\xde", 4);
  uint64_t bits = 1 | uint64_t(0x80) << 2 | uint64_t(0) << 10 | uint64_t(2) << 18;
  bitcode.append(reinterpret_cast<char *>(&bits), 4);
  bitcode.append("\1\0\0\0\0\0\0\0", 8);
  EXPECT_FALSE(packBitcode(bitcode));
  bits = 1 | uint64_t(0) << 2 | uint64_t(2) << 10;
  std::memcpy(bitcode.data() + 4, &bits, 4);
  expectRoundTrip(bitcode);
  bitcode[8] = 2; // the block's length
  EXPECT_FALSE(packBitcode(bitcode));
  bitcode[8] = 1;
  bitcode[15] = 1; // padding
  EXPECT_FALSE(packBitcode(bitcode));
}

TEST(Pack, RefusesArraysOfNothing) {
  // A block with an abbreviation of a literal code and an array of fields without bits: whoever
  // walked it would have nothing to write for each of its elements.
  std::string bitcode("BC\xc0\xde", 4);
  Bits bits;
  bits.put(1, 2).put(8, 8).put(3, 4).align().put(0, 32);
  bits.put(2, 3).put(3, 5).put(1, 1).put(0, 8).put(0, 1).put(3, 3).put(0, 1).put(1, 3).put(0, 5);
  bits.put(4, 3).put(31, 6).put(0, 3).align();
  bits.words[1] = uint32_t(bits.words.size() - 2);
  bitcode += bits.bytes();
  EXPECT_FALSE(packBitcode(bitcode));
}

TEST(Pack, TakesStringsThatCannotBeSplit) {
  // A zero in a metadata string, and many zeros at the end of a module.
  expectRoundTrip(assemble(R"(!named = !{!0} !0 = !{!"a\00b", !"", !"plain"})"));
  expectRoundTrip(assemble(
      R"(@zeros = global [4 x i64] [i64 1, i64 0, i64 0, i64 -1] @s = global [2 x i8] c"\FF\80")"));
}

TEST(Pack, TakesNumbersOfAllSizes) {
  std::string text = "@t = global [130 x i64] [i64 0, i64 -1";
  for (int shift = 0; shift < 64; ++shift) {
    text += ", i64 " + std::to_string(int64_t(uint64_t(1) << shift));
    text += ", i64 " + std::to_string(int64_t((uint64_t(1) << shift) - 1));
  }
  expectRoundTrip(assemble((text + "]").c_str()));
}

} // namespace
} // namespace culprit

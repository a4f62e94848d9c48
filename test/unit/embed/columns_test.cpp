// Columns: bitcode comes back as it was, and damage is found or harmless.
#include "bitcode.h"
#include "compiler/embed/columns.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace culprit {
namespace {

void expectRoundTrip(const std::string &bitcode) {
  std::optional<std::string> columns = bitcodeToColumns(bitcode);
  ASSERT_TRUE(columns);
  EXPECT_TRUE(columnsToBitcode(*columns, bitcode.size()) == bitcode);
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
    case 4:
      bytes[at] = char(below(2) ? 0xff : 0);
      break;
    }
  }
  return bytes;
}

void putVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out += char(value | 0x80);
  out += char(value);
}

/// Columns of the numbers and bytes given, all as plain values.
std::string columnsOf(const std::vector<std::pair<unsigned, std::string>> &columns) {
  std::string head, body;
  for (const auto &[number, bytes] : columns) {
    putVarint(head, number * 2 + 1);
    putVarint(head, bytes.size());
    body += bytes;
  }
  return head + std::string(1, '\0') + body;
}

/// Numbers of columns for the structure of a block (columns.cpp).
unsigned structure(unsigned block, unsigned which) {
  return (block * 64 + 63) * 32 + which;
}
enum { kAbbreviationIds, kRecordCodes, kBlockHeads, kDefinitions, kTopLevel };

TEST(Columns, GiveBackSmallModules) {
  for (const std::string &bitcode : smallModules())
    expectRoundTrip(bitcode);
}

TEST(Columns, GiveBackWhatClangMakes) {
  for (const std::string &bitcode : compiledModules())
    expectRoundTrip(bitcode);
}

TEST(Columns, RefuseWhatIsNotBitcode) {
  EXPECT_FALSE(bitcodeToColumns(""));
  EXPECT_FALSE(bitcodeToColumns("BC"));
  EXPECT_FALSE(bitcodeToColumns(std::string("BC\xc0\xde") + std::string(20, '\xff')));
  EXPECT_FALSE(bitcodeToColumns(std::string(100, '\0')));
}

TEST(Columns, RefuseBitcodeCutShort) {
  std::string bitcode = smallModules()[1];
  for (size_t size = 5; size < bitcode.size(); size += 3) {
    std::optional<std::string> columns =
        bitcodeToColumns(llvm::StringRef(bitcode).take_front(size));
    if (columns) { // cut between two blocks
      EXPECT_TRUE(columnsToBitcode(*columns, size) == bitcode.substr(0, size));
    }
  }
  EXPECT_FALSE(bitcodeToColumns(llvm::StringRef(bitcode).drop_back(1)));
}

TEST(Columns, TakeBitcodeOnlyIfItComesBack) {
  std::mt19937 random(1);
  size_t taken = 0;
  for (const std::string &bitcode : smallModules())
    for (int i = 0; i < 3000; ++i) {
      std::string changed = mutated(bitcode, random);
      std::optional<std::string> columns = bitcodeToColumns(changed);
      if (!columns)
        continue;
      ++taken;
      EXPECT_TRUE(columnsToBitcode(*columns, changed.size()) == changed);
    }
  EXPECT_GT(taken, 100u); // else this tests nothing
}

TEST(Columns, DamagedOnesNeverCrash) {
  std::mt19937 random(2);
  for (const std::string &bitcode : smallModules()) {
    std::string columns = *bitcodeToColumns(bitcode);
    for (int i = 0; i < 3000; ++i) {
      std::string changed = mutated(columns, random);
      if (auto decoded = columnsToBitcode(changed, bitcode.size())) {
        EXPECT_EQ(decoded->size(), bitcode.size());
      }
    }
    for (size_t size = 0; size < columns.size(); ++size)
      EXPECT_FALSE(columnsToBitcode(llvm::StringRef(columns).take_front(size), bitcode.size()));
  }
}

TEST(Columns, TakeNoOtherSize) {
  std::string bitcode = smallModules()[1], columns = *bitcodeToColumns(bitcode);
  for (size_t size :
       {size_t(0), bitcode.size() - 4, bitcode.size() + 4, size_t(1) << 40, ~size_t(0)})
    EXPECT_FALSE(columnsToBitcode(columns, size));
}

TEST(Columns, RefuseNumbersWithTooManyChunks) {
  // Block 0 whose number takes two chunks, the second of them zero.
  std::string bitcode("BC\xc0\xde", 4);
  uint64_t bits = 1 | uint64_t(0x80) << 2 | uint64_t(0) << 10 | uint64_t(2) << 18;
  bitcode.append(reinterpret_cast<char *>(&bits), 4);
  bitcode.append("\1\0\0\0\0\0\0\0", 8);
  EXPECT_FALSE(bitcodeToColumns(bitcode));
  bits = 1 | uint64_t(0) << 2 | uint64_t(2) << 10;
  std::memcpy(bitcode.data() + 4, &bits, 4);
  expectRoundTrip(bitcode);
  bitcode[8] = 2; // the block's length
  EXPECT_FALSE(bitcodeToColumns(bitcode));
  bitcode[8] = 1;
  bitcode[15] = 1; // padding
  EXPECT_FALSE(bitcodeToColumns(bitcode));
}

TEST(Columns, EndlessArrayOfNothingFails) {
  // An abbreviation of a literal code and an array of fields without bits, 2^63 of them.
  std::string definition{3, 1, 0, 0, 3, 0, 1, 0};
  std::string count;
  putVarint(count, uint64_t(1) << 63);
  std::string columns = columnsOf({{structure(0, kBlockHeads), {8}},
                                   {structure(0, kDefinitions), definition},
                                   {structure(0, kTopLevel), {1, 1, 1, 0}},
                                   {structure(8, kAbbreviationIds), {2, 4, 0}},
                                   {structure(8, kBlockHeads), {3}},
                                   {8 * 64 * 32 + 30, count}});
  EXPECT_FALSE(columnsToBitcode(columns, 64));
}

TEST(Columns, ChunksWithoutRoomFail) {
  // The same with one field, a number in chunks of a single bit, which could hold no value.
  std::string definition{2, 1, 0, 0, 2, 1};
  std::string columns = columnsOf({{structure(0, kBlockHeads), {8}},
                                   {structure(0, kDefinitions), definition},
                                   {structure(0, kTopLevel), {1, 1, 1, 0}},
                                   {structure(8, kAbbreviationIds), {2, 4, 0}},
                                   {structure(8, kBlockHeads), {3}},
                                   {8 * 64 * 32, {7}}});
  EXPECT_FALSE(columnsToBitcode(columns, 64));
}

TEST(Columns, DeepBlocksFail) {
  std::string columns = columnsOf({{structure(0, kBlockHeads), std::string(100000, 8)},
                                   {structure(0, kTopLevel), {1, 1, 1}},
                                   {structure(8, kAbbreviationIds), std::string(100000, 1)},
                                   {structure(8, kBlockHeads), std::string(100000, 2)}});
  EXPECT_FALSE(columnsToBitcode(columns, 1000000));
}

} // namespace
} // namespace culprit

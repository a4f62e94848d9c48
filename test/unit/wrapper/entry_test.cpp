// Entries of section .culprit.bc: written, carried and read back.
#include "compiler/embed/bitcode_pack.h"
#include "compiler/embed/entry.h"
#include "compiler/wrapper/elf.h"
#include <cstring>
#include <gtest/gtest.h>

namespace culprit {
namespace {

std::string allBytes() {
  std::string bytes;
  for (int first = 0; first < 256; ++first)
    for (int digit : {'0', '7', '8', '9', 'x', '"', '\\', '\n'})
      bytes += {char(first), char(digit)};
  return bytes;
}

TEST(Entry, PayloadComesBack) {
  std::string entry = makeEntry(abi::EntryKind::Link, allBytes());
  abi::EntryHeader header;
  std::memcpy(&header, entry.data(), sizeof header);
  EXPECT_EQ(header.storedSize, entry.size() - sizeof header);
  EXPECT_EQ(entryPayload(header, llvm::StringRef(entry).drop_front(sizeof header)), allBytes());
  EXPECT_EQ(makeEntry(abi::EntryKind::Link, allBytes()), entry);
}

TEST(Entry, DamageIsNoticed) {
  std::string entry = makeEntry(abi::EntryKind::Link, allBytes());
  abi::EntryHeader header;
  std::memcpy(&header, entry.data(), sizeof header);
  llvm::StringRef stored = llvm::StringRef(entry).drop_front(sizeof header);
  EXPECT_EQ(entryPayload(header, stored.drop_back(5)), std::nullopt);
  header.id[0] ^= 1;
  EXPECT_EQ(entryPayload(header, stored), std::nullopt);
}

TEST(Entry, IdsAreReadFromSectionsAndFromAssembler) {
  std::string one = makeEntry(abi::EntryKind::Link, "one");
  std::string two = makeEntry(abi::EntryKind::Foreign, allBytes());
  std::vector<std::string> ids{contentId("one"), contentId(allBytes())};
  EXPECT_EQ(entryIds(one + two), ids);
  std::string text = ".text\n" + entryAsAssembler(one) + "nop\n" + entryAsAssembler(two);
  EXPECT_TRUE(assemblerHasEntry(text));
  EXPECT_EQ(entryIdsInAssembler(text), ids);
  EXPECT_FALSE(assemblerHasEntry(".text\n"));
}

TEST(Entry, ObjectsCarryEntries) {
  for (bool retain : {false, true}) {
    std::string object = objectWithEntries("contents", retain);
    EXPECT_EQ(classify(object), FileKind::Object);
    ASSERT_EQ(elfSections(object, abi::kSectionName).size(), 1u);
    EXPECT_EQ(elfSections(object, abi::kSectionName)[0], "contents");
    for (size_t size = 0; size < object.size(); ++size) // damage must not crash
      elfSections(llvm::StringRef(object).take_front(size), abi::kSectionName);
  }
}

TEST(Pack, OtherBytesAreRefused) {
  EXPECT_EQ(packBitcode(""), std::nullopt);
  EXPECT_EQ(packBitcode("BC\xC0\xDE not a block"), std::nullopt);
  EXPECT_EQ(unpackBitcode("", 100), std::nullopt);
  EXPECT_EQ(unpackBitcode(allBytes(), 100), std::nullopt);
}

} // namespace
} // namespace culprit

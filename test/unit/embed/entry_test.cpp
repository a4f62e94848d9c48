// Entries of modules: packed where that works, as they are otherwise, and never taken
// for something else.
#include "bitcode.h"
#include "compiler/embed/entry.h"
#include "llvm/ADT/StringExtras.h"
#include <cstring>
#include <gtest/gtest.h>
#include <random>

namespace culprit {
namespace {

struct Parts {
  abi::EntryHeader header;
  std::string stored;
};

Parts partsOf(const std::string &entry) {
  Parts parts;
  std::memcpy(&parts.header, entry.data(), sizeof parts.header);
  parts.stored = entry.substr(sizeof parts.header);
  EXPECT_EQ(parts.header.storedSize, parts.stored.size());
  return parts;
}

Parts moduleEntry(const std::string &payload) {
  return partsOf(makeEntry(abi::EntryKind::Module, payload, 19));
}

TEST(Entry, HoldsModules) {
  std::vector<std::string> modules = smallModules();
  for (std::string &module : compiledModules())
    modules.push_back(std::move(module));
  for (const std::string &module : modules) {
    auto [header, stored] = moduleEntry(module);
    EXPECT_EQ(header.encoding, uint32_t(abi::Encoding::Packed));
    EXPECT_EQ(header.rawSize, module.size());
    EXPECT_LT(stored.size(), module.size());
    EXPECT_TRUE(entryPayload(header, stored) == module);
    EXPECT_EQ(makeEntry(abi::EntryKind::Module, module, 19),
              makeEntry(abi::EntryKind::Module, module, 19));
  }
}

TEST(Entry, HoldsBitcodeThatCannotBePacked) {
  std::string module = smallModules()[1];
  for (const std::string &payload : {module.substr(0, module.size() - 1), std::string("BC"),
                                     std::string(), std::string(5000, 'x')}) {
    auto [header, stored] = moduleEntry(payload);
    EXPECT_EQ(header.encoding, uint32_t(abi::Encoding::Plain));
    EXPECT_EQ(entryPayload(header, stored), payload);
  }
}

TEST(Entry, DamageIsFound) {
  std::mt19937 random(3);
  std::string module = smallModules()[2];
  auto [header, stored] = moduleEntry(module);
  for (int i = 0; i < 3000; ++i) {
    std::string changed = stored;
    changed[random() % changed.size()] ^= char(1 << random() % 8);
    if (auto payload = entryPayload(header, changed)) {
      EXPECT_EQ(*payload, module); // a bit that zstd does not use
    }
  }
  for (size_t size = 0; size < stored.size(); ++size)
    EXPECT_FALSE(entryPayload(header, llvm::StringRef(stored).take_front(size)));
}

TEST(Entry, FalseHeadersAreFound) {
  std::string module = smallModules()[1];
  const Parts parts = moduleEntry(module);
  auto payloadWith = [&](auto change) {
    abi::EntryHeader changed = parts.header;
    change(changed);
    return entryPayload(changed, parts.stored);
  };
  EXPECT_TRUE(payloadWith([](auto &) {}));
  EXPECT_FALSE(payloadWith([](auto &h) { h.encoding = uint32_t(abi::Encoding::Plain); }));
  EXPECT_FALSE(payloadWith([](auto &h) { h.encoding = 1; }));
  EXPECT_FALSE(payloadWith([](auto &h) { h.id[7] ^= 1; }));
  for (uint64_t size : {uint64_t(0), uint64_t(4), uint64_t(1) << 31, ~uint64_t(0)})
    EXPECT_FALSE(payloadWith([&](auto &h) { h.rawSize = size; }));
}

TEST(Entry, TextSpellsEveryPairOfBytes) {
  // All pairs, so that every byte stands before a digit and before something else.
  std::string bytes(sizeof(abi::EntryHeader), '\0');
  for (int first = 0; first < 256; ++first)
    for (char second : {'0', '7', '8', '9', 'a', '"', '\\', '\n', '\xff'})
      bytes += {char(first), second};
  std::string text = entryAsAssembler(bytes), read;
  for (char c : text)
    EXPECT_TRUE((c >= ' ' && c < 0x7f) || c == '\n');
  llvm::StringRef rest = text;
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    rest = after;
    if (!line.consume_front(".ascii \"") || !line.consume_back("\""))
      continue;
    for (size_t i = 0; i < line.size(); ++i) {
      unsigned value = uint8_t(line[i]), digits = 0;
      if (line[i] == '\\')
        for (value = 0; digits < 3 && i + 1 < line.size() && llvm::isDigit(line[i + 1]); ++digits)
          value = value * 8 + (line[++i] - '0');
      read += char(value);
    }
  }
  EXPECT_EQ(read, bytes);
}

} // namespace
} // namespace culprit

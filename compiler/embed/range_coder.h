// A range coder: symbols into bytes, each in as many bits as it is improbable. The arithmetic is
// that of LZMA's.
//
// A symbol is a part of the range of 1 << 16: where the part begins and its size.
#ifndef CULPRIT_COMPILER_EMBED_RANGE_CODER_H
#define CULPRIT_COMPILER_EMBED_RANGE_CODER_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cstdint>
#include <string>

namespace culprit {

/// So many zeros at the end the writer may leave out.
constexpr size_t kMostLeftOut = 8;

class RangeWriter {
public:
  static constexpr bool kReads = false;

  [[gnu::always_inline]] void code(uint32_t begin, uint32_t size) {
    uint32_t unit = range >> 16;
    low += uint64_t(unit) * begin;
    range = unit * size;
    while (range < kLeast) {
      range <<= 8;
      shift();
    }
  }

  std::string finish() {
    for (unsigned i = 0; i < 5; ++i)
      shift();
    size_t end = bytes.size(), least = end - std::min(end - 1, kMostLeftOut);
    while (end > least && bytes[end - 1] == 0)
      --end; // the reader sees zeros after the end
    return bytes.substr(1, end - 1);
  }

private:
  static constexpr uint32_t kLeast = 1 << 24;

  /// Writes out the top byte of `low`, when it is certain that no carry will reach it.
  [[gnu::noinline]] void shift() {
    if (uint32_t(low) < 0xff000000u || low >> 32) {
      char carry = char(low >> 32);
      bytes += char(held + carry);
      bytes.append(heldOnes, char(0xff + carry));
      heldOnes = 0;
      held = char(low >> 24);
    } else {
      ++heldOnes;
    }
    low = low << 8 & 0xffffffff;
  }

  uint64_t low = 0;
  uint32_t range = ~uint32_t(0);
  char held = 0; ///< the byte before `heldOnes` bytes of ones: a carry may change them all
  size_t heldOnes = 0;
  std::string bytes;
};

class RangeReader {
public:
  static constexpr bool kReads = true;

  explicit RangeReader(llvm::StringRef bytes) : bytes(bytes) {
    for (unsigned i = 0; i < 4; ++i)
      next();
  }

  /// Where in the range of 1 << 16 the symbol is.
  uint32_t at() { return std::min<uint32_t>(value / (range >> 16), 0xffff); }

  void code(uint32_t begin, uint32_t size) {
    uint32_t unit = range >> 16;
    value -= unit * begin;
    range = unit * size;
    while (range < (1 << 24)) {
      range <<= 8;
      next();
    }
  }

  /// True if more was read than a writer leaves out: what it held when it ended, and zeros.
  bool exhausted() const { return missing > kMostLeftOut + sizeof value; }

private:
  void next() {
    value = value << 8 | (bytes.empty() ? 0 : uint8_t(bytes.front()));
    if (bytes.empty())
      ++missing;
    else
      bytes = bytes.drop_front();
  }

  uint32_t range = ~uint32_t(0), value = 0;
  llvm::StringRef bytes;
  unsigned missing = 0;
};

} // namespace culprit
#endif

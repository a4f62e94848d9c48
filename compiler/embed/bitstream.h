// The bits of an LLVM bitstream, read and written in the only way that LLVM writes them.
#ifndef CULPRIT_COMPILER_EMBED_BITSTREAM_H
#define CULPRIT_COMPILER_EMBED_BITSTREAM_H

#include "llvm/ADT/StringRef.h"
#include <cstring>
#include <string>

namespace culprit {

constexpr unsigned kWord = 32; ///< the stream is in words of that many bits, and so are the fields

/// `width` less than 64.
inline uint64_t lowBits(unsigned width) {
  return (uint64_t(1) << width) - 1;
}

/// Fails on anything that BitWriter would write in another way, which makes writing again to
/// compare needless.
class BitReader {
public:
  explicit BitReader(llvm::StringRef bits) : bits(bits), end(bits.size() * 8) {}

  /// At most kWord bits.
  [[gnu::always_inline]] uint64_t fixed(unsigned width) {
    if (width > end - at) {
      failed = true;
      return 0;
    }
    size_t byte = at / 8;
    unsigned offset = at % 8;
    at += width;
    uint64_t value = 0;
    if (bits.size() - byte >= sizeof value)
      std::memcpy(&value, bits.data() + byte, sizeof value);
    else
      std::memcpy(&value, bits.data() + byte, bits.size() - byte);
    return (value >> offset) & lowBits(width);
  }

  [[gnu::always_inline]] uint64_t vbr(unsigned width) {
    uint64_t more = uint64_t(1) << (width - 1);
    if (end - at < kWindow + 8)
      return slowVbr(width);
    uint64_t window;
    std::memcpy(&window, bits.data() + at / 8, sizeof window);
    window >>= at % 8;
    uint64_t chunk = window & (2 * more - 1), value = chunk & (more - 1);
    unsigned taken = width;
    for (unsigned shift = width - 1; chunk & more; shift += width - 1, taken += width) {
      chunk = window >> taken & (2 * more - 1);
      if (taken + width > kWindow - 8 || chunk == 0)
        return slowVbr(width);
      value |= (chunk & (more - 1)) << shift;
    }
    at += taken;
    return value;
  }

  /// `count` bytes as they are; nothing if there are fewer.
  llvm::StringRef bytes(uint64_t count) {
    if (count > (end - at) / 8) {
      failed = true;
      return "";
    }
    llvm::StringRef result = bits.substr(at / 8, count);
    at += count * 8;
    return result;
  }

  void align() {
    if (at % kWord && fixed(kWord - at % kWord) != 0)
      failed = true;
  }

  size_t position() const { return at; }
  bool atEnd() const { return at >= end; }

  bool failed = false;

private:
  static constexpr unsigned kWindow = 64; ///< bits that vbr() looks at

  /// A number that is large, near the end, or in more chunks than needed.
  [[gnu::noinline]] uint64_t slowVbr(unsigned width) {
    uint64_t more = uint64_t(1) << (width - 1), chunk = fixed(width), value = chunk & (more - 1);
    for (unsigned shift = width - 1; chunk & more; shift += width - 1) {
      chunk = fixed(width);
      uint64_t part = chunk & (more - 1);
      if (shift >= 64 || part << shift >> shift != part || chunk == 0) {
        failed = true;
        return 0;
      }
      value |= part << shift;
    }
    return value;
  }

  llvm::StringRef bits;
  size_t at = 0;
  size_t end;
};

class BitWriter {
public:
  /// At most kWord bits.
  void fixed(uint64_t value, unsigned width) {
    value &= lowBits(width);
    pending |= value << used;
    if (used + width < 64) {
      used += width;
      return;
    }
    image.append(reinterpret_cast<const char *>(&pending), sizeof pending);
    pending = used ? value >> (64 - used) : 0;
    used = used + width - 64;
  }

  void vbr(uint64_t value, unsigned width) {
    uint64_t more = uint64_t(1) << (width - 1);
    for (; value >= more; value >>= width - 1)
      fixed((value & (more - 1)) | more, width);
    fixed(value, width);
  }

  /// Writes out the bits that wait, up to a whole number of words.
  void align() {
    image.append(reinterpret_cast<const char *>(&pending), size_t((used + kWord - 1) / kWord) * 4);
    pending = used = 0;
  }

  size_t position() const { return image.size() * 8 + used; }

  std::string image;

private:
  uint64_t pending = 0; ///< bits that wait; image is a whole number of words
  unsigned used = 0;
};

} // namespace culprit
#endif

// A hash of bytes that takes little time and no library: runtime and host check each other's bytes
// with it. Against mistakes and damage, not against an adversary.
#ifndef CULPRIT_ABI_QUICK_HASH_H
#define CULPRIT_ABI_QUICK_HASH_H

#include "abi/bulk_hash.h"

#include <stdint.h>

namespace culprit::abi {

/// Four lanes of multiplications, sixteen bytes each at a time. Of a longer piece, what fills
/// blocks is made a few bytes before (bulk_hash.h).
class QuickHash {
public:
  void add(const void *bytes, uint64_t size) {
    const auto *next = static_cast<const char *>(bytes);
    uint64_t rest = size;
    constexpr uint64_t kLong = 4 * kBulkBlock;
    if (size >= kLong) {
      BulkLanes lanes = firstLanes();
      addBulk(lanes, next, size / kBulkBlock);
      add(lanes.bytes, sizeof lanes.bytes);
      next += size / kBulkBlock * kBulkBlock;
      rest = size % kBulkBlock;
    }
    for (; rest >= 64; rest -= 64, next += 64)
      for (uint64_t i = 0; i < 4; ++i)
        lanes_[i] = mix(lanes_[i] ^ wordAt(next + 16 * i), kKeys[i] ^ wordAt(next + 16 * i + 8));
    for (; rest >= 8; rest -= 8, next += 8)
      lanes_[0] = mix(lanes_[0] ^ wordAt(next), kKeys[1]);
    uint64_t last = 0;
    for (; rest > 0; --rest, ++next)
      last = last << 8 | static_cast<uint8_t>(*next);
    lanes_[1] = mix(lanes_[1] ^ last, kKeys[2] ^ size);
  }

  uint64_t value() const {
    return mix(mix(lanes_[0] ^ kKeys[1], lanes_[1]) ^ kKeys[2],
               mix(lanes_[2] ^ kKeys[3], lanes_[3]));
  }

private:
  static constexpr uint64_t kKeys[4] = {0x243f'6a88'85a3'08d3, 0x1319'8a2e'0370'7345,
                                        0xa409'3822'299f'31d1, 0x082e'fa98'ec4e'6c89};

  /// Each begins otherwise: blocks that change places are seen.
  static BulkLanes firstLanes() {
    BulkLanes lanes;
    for (uint64_t i = 0; i < kBulkBlock / 8; ++i) {
      uint64_t word = kKeys[i % 4] * (2 * i + 1);
      __builtin_memcpy_inline(lanes.bytes + 8 * i, &word, sizeof word);
    }
    return lanes;
  }
  static uint64_t wordAt(const char *from) {
    uint64_t word;
    __builtin_memcpy_inline(&word, from, sizeof word);
    return word;
  }
  static uint64_t mix(uint64_t a, uint64_t b) {
    unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }

  /// None of them is a key: a factor of zero would hide the other one.
  uint64_t lanes_[4] = {0x4528'21e6'38d0'1377, 0xbe54'66cf'34e9'0c6c, 0xc0ac'29b7'c97c'50dd,
                        0x3f84'd5b5'b547'0917};
};

} // namespace culprit::abi
#endif

// Origins by number: four numbers go into a granule's word, so that bytes that were copied from
// here and there need no cell, and copying them on is shifting bits.
//
// There are numbers for some thousands of origins, given out as long as there are any. When cells
// are collected (mixed.cpp), those that no granule's word has are free again.
#ifndef CULPRIT_RUNTIME_SUPPRESS_NUMBERED_H
#define CULPRIT_RUNTIME_SUPPRESS_NUMBERED_H

#include <stdint.h>

namespace culprit {

/// Of one byte; that of a granule's first byte is in the lowest bits of its word.
inline constexpr unsigned kNumberBits = 15;
inline constexpr uint64_t kNumberMask = (1 << kNumberBits) - 1;
inline constexpr uint64_t kNoNumber = kNumberMask;
/// Of a granule.
inline constexpr uint64_t kAllNumbers = (uint64_t{1} << 4 * kNumberBits) - 1;

class NumberedOrigins {
public:
  uint64_t origin(uint64_t number) const { return origins_[number]; }

  /// kNoNumber if there are none left.
  uint64_t numberOf(uint64_t origin) {
    if (origin == last_ && afterLast_ != 0)
      return afterLast_ - 1;
    uint64_t slot = slotFor(origin);
    if (slots_[slot] == 0 && !add(origin, slot))
      return kNoNumber;
    last_ = origin;
    afterLast_ = slots_[slot];
    return afterLast_ - 1;
  }

  /// kNoNumber if it has none.
  uint64_t find(uint64_t origin) const { return slots_[slotFor(origin)] - 1U & kNumberMask; }

  void startMarking();
  void mark(uint64_t numbers) {
    for (unsigned i = 0; i < 4; ++i)
      isMarked_[numbers >> i * kNumberBits & kNumberMask] = true;
  }
  /// What is not marked is free.
  void finishMarking();

private:
  static constexpr uint64_t kSlots = 1 << 16;

  /// Where the origin's number is, or would be.
  uint64_t slotFor(uint64_t origin) const {
    uint64_t slot = origin * 0x9e37'79b9'7f4a'7c15 >> 48;
    while (slots_[slot] != 0 && origins_[slots_[slot] - 1] != origin)
      slot = (slot + 1) % kSlots;
    return slot;
  }
  bool add(uint64_t origin, uint64_t slot);

  uint64_t origins_[kNoNumber] = {}; ///< by number
  bool isUsed_[kNoNumber + 1] = {};  ///< when that was last looked at
  bool isMarked_[kNoNumber + 1] = {};
  uint16_t slots_[kSlots] = {}; ///< numbers by the hash of their origins, plus 1; 0: none
  uint64_t next_ = 0;           ///< the first number that may be free
  uint64_t last_ = 0;
  uint64_t afterLast_ =
      0; ///< its number plus 1, so that all is zero at first and takes no room in files
};

extern NumberedOrigins g_numbered;

} // namespace culprit
#endif

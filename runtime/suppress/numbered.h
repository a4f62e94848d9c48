// Origins by number: four numbers go into a granule's word, so that bytes that were copied from
// here and there need no cell, and copying them on is shifting bits.
//
// There are numbers for some thousands of origins, given out as long as there are any. Origin 0 has
// number 0. When cells are collected (mixed.cpp), numbers that no granule's word has are free
// again.
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
/// Times a number: the same one for each byte of a granule.
inline constexpr uint64_t kEach = 1 | uint64_t{1} << kNumberBits | uint64_t{1} << 2 * kNumberBits |
                                  uint64_t{1} << 3 * kNumberBits;

class NumberedOrigins {
public:
  uint64_t origin(uint64_t number) const { return origins_[number]; }

  /// One of the origins that were asked for lately, with its number for each byte of a granule.
  struct Recent {
    uint64_t origin;
    uint64_t numbers;
  };

  /// The one that this origin is if it is there at all: quick to ask.
  const Recent &recent(uint64_t origin) const { return recent_[placeOf(origin)]; }

  /// kNoNumber if there are none left.
  uint64_t numberOf(uint64_t origin) {
    Recent &recent = recent_[placeOf(origin)];
    if (recent.origin == origin)
      return recent.numbers & kNumberMask;
    uint64_t slot = slotFor(origin);
    if (slots_[slot] == 0 && !add(origin, slot))
      return kNoNumber;
    uint64_t number = slots_[slot] - 1U;
    recent = {origin, number * kEach};
    return number;
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
  static constexpr unsigned kRecentBits = 7;

  static uint64_t placeOf(uint64_t origin) {
    return origin * 0x9e37'79b9'7f4a'7c15 >> (64 - kRecentBits);
  }

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
  uint64_t last_ = 0;           ///< up to this number none is free
  /// All is zero at first, so that it takes no room in files, and right.
  Recent recent_[1 << kRecentBits] = {};
};

extern NumberedOrigins g_numbered;

} // namespace culprit
#endif

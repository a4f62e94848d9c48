// Origins of single bytes, where the bytes of one granule have different ones: the granule's word
// leads to a *cell*.
//
// An *open* cell has words that code of the program reads and writes by itself: four of them, or
// two where numbers of two bytes are written. Four are eight times the memory that they speak of.
// So what was written long ago is *packed*: bytes of a granule have two origins at most, or those
// of one statement at times that are close, nearly always, and that goes into two words. Packed
// cells are never written to, so granules share them; storing a single byte opens its granule
// again. What was copied is packed at once, or has no cell: see numbered.h.
//
// Code overwrites a granule's word without a look at what it led to. So most cells are not given
// back: when none is left, those are free that no word of the shadow leads to, and what open cells
// hold is packed.
#ifndef CULPRIT_RUNTIME_SUPPRESS_MIXED_H
#define CULPRIT_RUNTIME_SUPPRESS_MIXED_H

#include "abi/origins.h"
#include "runtime/suppress/numbered.h"

#include <stdint.h>

namespace culprit {

inline bool isMixed(uint64_t word) {
  return (word & abi::kOriginMixed) != 0;
}

/// Of a mixed granule's word.
inline bool isOpen(uint64_t word) {
  return (word & abi::kOriginPacked) == 0;
}

/// Of an open one: it has a word for each byte.
inline bool hasBytes(uint64_t word) {
  return (word & abi::kOriginHalves) == 0;
}

/// Of an open one.
inline uint64_t *wordsIn(uint64_t word) {
  return reinterpret_cast<uint64_t *>(word & abi::kMixedWordsMask);
}

/// Of an open one: the index of the word of the byte with that index.
inline uint64_t placeIn(uint64_t word, uint64_t index) {
  return hasBytes(word) ? index : index / 2;
}

/// Of a packed one: there is no cell, but numbers of origins.
inline constexpr uint64_t kHasNumbers = uint64_t{1} << 61;

inline bool hasNumbers(uint64_t word) {
  constexpr uint64_t kKind = abi::kOriginMixed | abi::kOriginPacked | kHasNumbers;
  return (word & kKind) == kKind;
}

/// Either two origins: a bit of the granule's word says for each byte which one it has. Or when a
/// statement has defined the first of the bytes, and for each how much later that was.
struct PackedOrigins {
  uint64_t words[2];

  static constexpr uint64_t kHasSteps = uint64_t{1} << 52; ///< in the granule's word: the latter
  static constexpr unsigned kChoice = 48; ///< there: where the bits for the bytes begin
  static constexpr unsigned kStepBits = 16;
  static constexpr uint64_t kLargestStep = (1 << kStepBits) - 1;
};

/// Of one that is packed and has no numbers, or of an open one for halves.
inline const PackedOrigins &packedOrigins(uint64_t word) {
  return *reinterpret_cast<const PackedOrigins *>(word & abi::kMixedWordsMask);
}

/// The origin of a granule's byte with that index, mixed or not.
inline uint64_t originInWord(uint64_t word, uint64_t index) {
  if (!isMixed(word))
    return word;
  if (isOpen(word))
    return wordsIn(word)[placeIn(word, index)];
  if (hasNumbers(word))
    return g_numbered.origin(word >> kNumberBits * index & kNumberMask);
  const uint64_t *packed = packedOrigins(word).words;
  if ((word & PackedOrigins::kHasSteps) == 0)
    return packed[word >> (PackedOrigins::kChoice + index) & 1];
  return packed[0] +
         (packed[1] >> (PackedOrigins::kStepBits * index) & PackedOrigins::kLargestStep);
}

/// Whether the bytes of a granule have one origin.
inline bool areOne(const uint64_t *bytes) {
  return bytes[0] == bytes[1] && bytes[0] == bytes[2] && bytes[0] == bytes[3];
}

/// An open cell for a granule's bytes or halves, whose words mean nothing yet. Ends the program
/// when memory runs out. The granule's word must lead to it before the next call. Open cells of
/// other granules may have moved.
uint64_t *newMixedOrigins();
uint64_t *newHalfOrigins();

/// The granule had this word, and its open cell may be handed out again at once.
void releaseMixedOrigins(uint64_t word);

/// A word that leads to these origins of a granule's bytes in packed form; 0 if they do not go into
/// it. The granule must have it before the next call, as above.
uint64_t packOrigins(const uint64_t *bytes);

} // namespace culprit
#endif

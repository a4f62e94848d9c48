// The shadow granule by granule: what it says of the four bytes of one (abi/origins.h).
#ifndef CULPRIT_RUNTIME_SUPPRESS_GRANULES_H
#define CULPRIT_RUNTIME_SUPPRESS_GRANULES_H

#include "abi/origins.h"
#include "runtime/suppress/mixed.h"
#include "runtime/system.h"

#include <stdint.h>

namespace culprit {

inline uint64_t &wordFor(uint64_t address) {
  return *pointerTo<uint64_t>(abi::shadowOf(address));
}

/// Of the bytes of a granule, whose word this is.
inline void readOrigins(uint64_t word, uint64_t *bytes) {
  if (!isMixed(word)) {
    for (uint64_t i = 0; i < abi::kGranule; ++i)
      bytes[i] = word;
    return;
  }
  for (uint64_t i = 0; i < abi::kGranule; ++i)
    bytes[i] = originInWord(word, i);
}

/// Replaces a granule's word. A mixed one must lead to a cell that is packed.
inline void setWord(uint64_t &word, uint64_t with) {
  uint64_t before = word;
  word = with;
  if (isMixed(before) && isOpen(before))
    releaseMixedOrigins(before);
}

/// Gives each byte of a granule a word of its own that can be written to, unless it has. Returns
/// them.
inline uint64_t *openGranule(uint64_t &word) {
  if (isMixed(word) && isOpen(word) && hasBytes(word))
    return wordsIn(word);
  uint64_t *bytes = newMixedOrigins();
  readOrigins(word, bytes);
  setWord(word, abi::kOriginMixed | reinterpret_cast<uint64_t>(bytes));
  return bytes;
}

/// Gives a half of a granule this origin. False if the bytes of the other half differ.
inline bool setHalf(uint64_t &word, uint64_t half, uint64_t origin) {
  uint64_t other = originInWord(word, 2 - 2 * half);
  if (isMixed(word) && originInWord(word, 3 - 2 * half) != other)
    return false;
  if (other == origin) {
    setWord(word, origin);
  } else if (isMixed(word) && isOpen(word)) {
    wordsIn(word)[placeIn(word, 2 * half)] = origin;
    wordsIn(word)[placeIn(word, 2 * half + 1)] = origin;
  } else {
    uint64_t *halves = newHalfOrigins();
    halves[half] = origin;
    halves[1 - half] = other;
    word = abi::kOriginMixed | abi::kOriginHalves | reinterpret_cast<uint64_t>(halves);
  }
  return true;
}

/// Gives the bytes of a granule these origins, in as little memory as they go into.
inline void writeOrigins(uint64_t &word, const uint64_t *bytes) {
  if (areOne(bytes))
    return setWord(word, bytes[0]);
  if (uint64_t packed = packOrigins(bytes))
    return setWord(word, packed);
  uint64_t *open = openGranule(word);
  for (uint64_t i = 0; i < abi::kGranule; ++i)
    open[i] = bytes[i];
}

} // namespace culprit
#endif

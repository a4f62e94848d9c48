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
  for (uint64_t i = 0; i < abi::kGranule; ++i)
    bytes[i] = originInWord(word, i);
}

/// Replaces a granule's word. A mixed one must lead to a cell that is packed.
inline void setWord(uint64_t &word, uint64_t with) {
  uint64_t before = word;
  word = with;
  if (isMixed(before) && isOpen(before))
    releaseMixedOrigins(wordsOfBytes(before));
}

/// Gives each byte of a granule a word of its own that can be written to, unless it has. Returns
/// them.
inline uint64_t *openGranule(uint64_t &word) {
  if (isMixed(word) && isOpen(word))
    return wordsOfBytes(word);
  uint64_t *bytes = newMixedOrigins();
  readOrigins(word, bytes);
  word = abi::kOriginMixed | reinterpret_cast<uint64_t>(bytes);
  return bytes;
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

// See marks.h.
#include "runtime/suppress/marks.h"

#include "abi/origins.h"
#include "runtime/system.h"

#include <string.h>

namespace culprit {
namespace {

constexpr uint64_t kPiece = 64; ///< bytes of marks that are looked at in one go
constexpr uint8_t kMark = 0xff;

uint64_t wordAt(const uint8_t *place) {
  uint64_t word = 0;
  __builtin_memcpy(&word, place, sizeof word);
  return word;
}

/// How many bytes from `begin` on are 0, up to `end`.
uint64_t countClear(const uint8_t *begin, const uint8_t *end) {
  const uint8_t *place = begin;
  for (; static_cast<uint64_t>(end - place) >= kPiece; place += kPiece) {
    uint64_t all = 0;
    for (uint64_t i = 0; i < kPiece; i += sizeof all)
      all |= wordAt(place + i);
    if (all != 0)
      break;
  }
  while (place < end && *place == 0)
    ++place;
  return static_cast<uint64_t>(place - begin);
}

} // namespace

void setMarks(uint64_t address, uint64_t size, bool isCorrupt) {
  auto *place = pointerTo<uint8_t>(abi::markOf(address));
  uint8_t *end = place + size * abi::kMarkSize;
  if (isCorrupt) {
    memset(place, kMark, size * abi::kMarkSize);
    return;
  }
  while ((place += countClear(place, end)) < end)
    *place++ = 0;
}

bool hasMark(uint64_t address, uint64_t size) {
  const auto *place = pointerTo<const uint8_t>(abi::markOf(address));
  return countClear(place, place + size * abi::kMarkSize) < size * abi::kMarkSize;
}

void copyMarks(uint64_t to, uint64_t from, uint64_t size) {
  if (hasMark(from, size))
    memmove(pointerTo<uint8_t>(abi::markOf(to)), pointerTo<const uint8_t>(abi::markOf(from)),
            size * abi::kMarkSize);
  else
    setMarks(to, size, false);
}

} // namespace culprit

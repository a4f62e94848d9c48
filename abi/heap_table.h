// The heap's table of blocks, as whoever reads the memory of the process needs it.
//
// The table is at kHeapTables: one *entry* of eight bytes for each *granule* of 32 bytes of heap,
// in which at most one block starts:
//
//   bits 0..2    what starts here (Tag); interior entries have 0 and are free for other use
//   bit 3        the payload is in the granule's upper half
//   bits 4..15   the size asked for; kLongSize: it is in the next granule's entry, times 8
//   bits 16..39  call stack of the allocation
//   bits 40..63  call stack of the free
#ifndef CULPRIT_ABI_HEAP_TABLE_H
#define CULPRIT_ABI_HEAP_TABLE_H

#include "abi/memory_map.h"

namespace culprit::abi {

enum class Tag : uint64_t {
  Interior = 0,
  Live = 1,
  Freed = 2,  ///< a small block on the stack of its class
  Vacant = 3, ///< the same, but it never was a block of the program
  Span = 4,   ///< a stretch of free memory; the entry may tell of the block that began there
  Ghost = 5,  ///< a freed block that has become part of a span
  Footer = 6, ///< the last entry of a span or orphan: its payload
  Orphan = 7, ///< free memory too short for a span, until a neighbour is freed
};

inline constexpr uint64_t kGranule = 32;
inline constexpr uint64_t kLongSize = 0xfff;

inline uint64_t granuleOf(uint64_t place) {
  return (place - kHeapBase) / kGranule;
}

inline Tag tagOf(uint64_t entry) {
  return static_cast<Tag>(entry & 7);
}

/// The entry's first four bits, which say whether `block` itself starts there and as what.
inline uint64_t startBits(uint64_t block, Tag tag) {
  return static_cast<uint64_t>(tag) | (block >> 1 & 8);
}

inline bool startsAs(uint64_t block, uint64_t entry, Tag tag) {
  return (entry & 15) == startBits(block, tag);
}

inline uint64_t sizeIn(const uint64_t *entry) {
  uint64_t size = *entry >> 4 & kLongSize;
  return size == kLongSize ? entry[1] >> 3 : size;
}

} // namespace culprit::abi
#endif

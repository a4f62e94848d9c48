// What the heap knows of a block: a header in front of it, where the program can break it, and an
// entry in a table, which no overflow reaches.
//
// A block is named by its payload, the 16-byte aligned address that the program gets. Its *stride*
// is the distance to the next block; the eight bytes in front of the payload are the *header*:
//
//   bits 0..39   stride; bit 0 is set, as in glibc, so that one stray zero byte shows
//   bits 40..63  a hash of payload and stride
//
// Strides are at least 32, so at most one block starts in a *granule* of 32 bytes, and each granule
// has an *entry* of eight bytes (abi/heap_table.h).
#ifndef CULPRIT_RUNTIME_HEAP_BLOCK_H
#define CULPRIT_RUNTIME_HEAP_BLOCK_H

#include "abi/heap_table.h"

#include <stdint.h>

namespace culprit {

inline constexpr uint64_t kSmallestStride = 32;
inline constexpr uint64_t kHeaderSize = 8;
inline constexpr uint64_t kStrideBits = 40;
inline constexpr uint64_t kLargestSize = (uint64_t{1} << kStrideBits) / 2;
/// Payload of the block that is carved first.
inline constexpr uint64_t kFirstBlock = abi::kHeapBase + 16;

/// The one place where numbers become pointers.
template <typename T> T *at(uint64_t place) {
  return reinterpret_cast<T *>(place); // NOLINT(performance-no-int-to-ptr)
}

inline uint64_t headerFor(uint64_t block, uint64_t stride) {
  uint64_t mixed = (block ^ (stride << 17)) * 0x9e37'79b9'7f4a'7c15;
  return stride | 1 | (mixed >> kStrideBits << kStrideBits);
}

inline uint64_t &headerOf(uint64_t block) {
  return *at<uint64_t>(block - kHeaderSize);
}

inline uint64_t strideIn(uint64_t header) {
  return header & ((uint64_t{1} << kStrideBits) - 16);
}

inline bool isHeader(uint64_t block, uint64_t word) {
  return word == headerFor(block, strideIn(word));
}

using abi::granuleOf;
using abi::kGranule;
using abi::kLongSize;
using abi::sizeIn;
using abi::startBits;
using abi::startsAs;
using abi::Tag;
using abi::tagOf;

inline constexpr uint64_t kMostStackId = 0xff'ffff;

inline uint64_t &entryAt(uint64_t granule) {
  return *at<uint64_t>(abi::kHeapTables + granule * sizeof(uint64_t));
}

inline uint64_t &entryOf(uint64_t block) {
  return entryAt(granuleOf(block));
}

inline uint64_t blockIn(uint64_t granule, uint64_t entry) {
  return abi::kHeapBase + granule * kGranule + (entry & 8) * 2;
}

inline void writeEntry(uint64_t block, Tag tag, uint64_t size, uint64_t stack) {
  uint64_t *entry = &entryOf(block);
  entry[0] = startBits(block, tag) | (size < kLongSize ? size : kLongSize) << 4 | stack << 16;
  if (size >= kLongSize)
    entry[1] = size << 3;
}

inline uint64_t allocStackIn(uint64_t entry) {
  return entry >> 16 & kMostStackId;
}

inline uint64_t freeStackIn(uint64_t entry) {
  return entry >> 40;
}

/// The entry with another tag and call stack of the free.
inline uint64_t retagged(uint64_t entry, Tag tag, uint64_t freeStack) {
  return (entry & (kLongSize << 4 | kMostStackId << 16 | 8)) | static_cast<uint64_t>(tag) |
         freeStack << 40;
}

/// Whether it tells of a block that the program had.
inline bool hasHistory(uint64_t entry) {
  Tag tag = tagOf(entry);
  return tag == Tag::Live || tag == Tag::Freed || tag == Tag::Ghost ||
         (tag == Tag::Span && freeStackIn(entry) != 0);
}

} // namespace culprit
#endif

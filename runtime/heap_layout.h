// How the program's heap is laid out: the part of a layout that the heap obeys.
//
// Arrives as the start word `heap=KEY:VALUE,...` (start.cpp). Keys: spacing, guard, order (up,
// down, shuffled), seed, fresh, freed, reuse, fence. Numbers are decimal or, with 0x, hexadecimal.
#ifndef CULPRIT_RUNTIME_HEAP_LAYOUT_H
#define CULPRIT_RUNTIME_HEAP_LAYOUT_H

#include <stdint.h>

namespace culprit {

enum class HeapOrder : uint8_t {
  Up,       ///< fresh blocks lie above the one before, as at glibc's top chunk
  Down,     ///< below the one before
  Shuffled, ///< by the seed
};

struct HeapLayout {
  static constexpr int kNoFill = -1;

  /// Of large blocks the first part is filled: programs may ask for more than there is and use
  /// little of it.
  static constexpr uint64_t filledOf(uint64_t size) {
    constexpr uint64_t kMost = 64 << 20;
    return size < kMost ? size : kMost;
  }

  uint32_t spacing = 0;    ///< extra bytes behind each block
  uint32_t guardBytes = 0; ///< guard bytes behind each block, checked by free, realloc and exit
  HeapOrder order = HeapOrder::Up;
  uint64_t seed = 1;       ///< of HeapOrder::Shuffled
  int freshFill = kNoFill; ///< byte that malloc fills a block with
  int freedFill = kNoFill; ///< byte that free fills a block with
  /// Freed memory is allocated again at once; if not, only when much was freed since, and its fill
  /// is checked then and at exit.
  bool reuses = true;
  bool fences = false; ///< freed memory is out of reach; needs `reuses` to be false
};

/// Reads the value of the start word; false at the first unknown key or bad value.
bool parseHeapLayout(const char *text, HeapLayout &layout);

} // namespace culprit
#endif

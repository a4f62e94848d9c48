// Memory for the heap and its tables: stretches at fixed addresses that grow as they are needed.
#ifndef CULPRIT_RUNTIME_HEAP_MEMORY_H
#define CULPRIT_RUNTIME_HEAP_MEMORY_H

#include "abi/memory_map.h"

#include <stdint.h>

namespace culprit {

inline constexpr uint64_t kPage = 4096;

inline constexpr uint64_t roundUp(uint64_t value, uint64_t unit) {
  return (value + unit - 1) & ~(unit - 1);
}

/// Where the heap's own tables are. The table of entries comes first (heap_block.h).
inline constexpr uint64_t kFreeStacks = abi::kHeapTables + 0x0300'0233'0000;
inline constexpr uint64_t kDepotWords = abi::kHeapTables + 0x0480'0477'0000;
inline constexpr uint64_t kDepotSlots = abi::kHeapTables + 0x0500'069b'0000;

/// Maps [begin, end), whole pages; false when the system refuses or something is there already.
bool mapAt(uint64_t begin, uint64_t end);
void unmap(uint64_t begin, uint64_t end);

/// Gives the pages inside [begin, end) back to the system; they read as zero afterwards.
void discardPages(uint64_t begin, uint64_t end);

/// Makes whole pages inaccessible for good, and gives their memory back.
void fenceOff(uint64_t begin, uint64_t end);

/// A stretch of memory that grows upward.
class Stretch {
public:
  constexpr explicit Stretch(uint64_t begin) : begin_(begin), end_(begin) {}

  uint64_t begin() const { return begin_; }
  uint64_t end() const { return end_; }

  /// Makes the memory up to `end` usable; asks for up to `more` bytes beyond if they are to be had.
  bool growTo(uint64_t end, uint64_t more);
  /// Returns everything, for tests.
  void release();

private:
  uint64_t begin_;
  uint64_t end_;
};

} // namespace culprit
#endif

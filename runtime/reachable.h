// The memory of the program that a pointer leads to, directly or through other pointers.
#ifndef CULPRIT_RUNTIME_REACHABLE_H
#define CULPRIT_RUNTIME_REACHABLE_H

#include "abi/failure.h"

namespace culprit {

struct MemoryRange {
  uint64_t begin;
  uint64_t end;
};

/// The frame of the calling thread that holds an address; false if there is none.
bool findFrame(uint64_t address, abi::FailureFrame &frame);

/// Ranges in the order in which they were found; they do not overlap.
class Reachable {
public:
  /// Heap blocks and frames that are pointed into, as a whole; of globals what is near; and what
  /// all of these point to.
  void follow(const uint64_t *pointers, uint64_t count);
  /// All globals, frames and heap blocks.
  void takeAll();

  uint64_t count() const { return count_; }
  const MemoryRange &operator[](uint64_t number) const { return ranges_[number]; }
  uint64_t bytes() const { return bytes_; }
  /// There was more than is held here.
  bool isPartial() const { return isPartial_; }

private:
  static constexpr uint64_t kMost = 1024;
  static constexpr uint64_t kMostBytes = uint64_t{64} << 20;

  void addPointer(uint64_t pointer);
  void add(MemoryRange range);
  /// How many of the ranges begin at or before an address.
  uint64_t countUpTo(uint64_t address) const;
  bool holds(uint64_t address) const;

  MemoryRange ranges_[kMost];
  uint16_t byBegin_[kMost]; ///< their numbers, by address
  uint64_t count_ = 0;
  uint64_t bytes_ = 0;
  bool isPartial_ = false;
};

} // namespace culprit
#endif

// Cells of one size that are handed out one by one, and are free again when nothing leads to them.
//
// Nobody gives cells back. Once in a while their owner marks those that something leads to; the
// others are handed out anew. While it marks it may take cells, too: those that were free before
// and have not been handed out since.
#ifndef CULPRIT_RUNTIME_SUPPRESS_CELLS_H
#define CULPRIT_RUNTIME_SUPPRESS_CELLS_H

#include "runtime/suppress/word_map.h"

#include <stdint.h>

namespace culprit {

template <typename Cell> class Cells {
public:
  /// Null when all have been handed out.
  Cell *next() {
    for (; pool_ < poolCount_; ++pool_, cell_ = 0)
      while (cell_ < pools_[pool_].count)
        if (uint64_t at = cell_++; (pools_[pool_].state[at] & kUsed) == 0) {
          pools_[pool_].state[at] |= isMarking_ ? kMarked : 0;
          return pools_[pool_].cells + at;
        }
    return nullptr;
  }

  /// Makes more of them: a share of what is there.
  void add() {
    Pool &pool = pools_[poolCount_++];
    pool.count = count_ < kFirst * kShare ? kFirst : count_ / kShare;
    pool.cells = static_cast<Cell *>(memoryForTables(pool.count * sizeof(Cell)));
    pool.state = static_cast<uint8_t *>(memoryForTables(pool.count));
    count_ += pool.count;
  }

  void startMarking() { isMarking_ = true; }

  void mark(const Cell *cell) {
    for (unsigned i = poolCount_; i-- > 0;)
      if (cell >= pools_[i].cells && cell < pools_[i].cells + pools_[i].count) {
        pools_[i].state[cell - pools_[i].cells] |= kMarked;
        return;
      }
  }

  /// What is not marked is free.
  void finishMarking() {
    isMarking_ = false;
    free_ = 0;
    for (unsigned i = 0; i < poolCount_; ++i)
      for (uint64_t at = 0; at < pools_[i].count; ++at) {
        bool isUsed = (pools_[i].state[at] & kMarked) != 0;
        pools_[i].state[at] = isUsed ? kUsed : 0;
        free_ += isUsed ? 0 : 1;
      }
    pool_ = 0;
    cell_ = 0;
  }

  uint64_t count() const { return count_; }
  /// Whether too few were free when that was last looked at: it would soon be done again.
  bool areScarce() const { return free_ < count_ / kShare; }

  static constexpr uint64_t kFirst = 1 << 13;

private:
  static constexpr unsigned kMostPools = 64;
  static constexpr uint64_t kShare = 4;
  static constexpr uint8_t kUsed = 1;   ///< something led there when that was last looked at
  static constexpr uint8_t kMarked = 2; ///< something leads there now

  /// Cells that were made together.
  struct Pool {
    Cell *cells;
    uint64_t count;
    uint8_t *state; ///< by index
  };
  Pool pools_[kMostPools] = {};
  unsigned poolCount_ = 0;
  uint64_t count_ = 0;
  uint64_t free_ = 0;
  /// The next cell that may be free: those in front of it have been handed out.
  unsigned pool_ = 0;
  uint64_t cell_ = 0;
  bool isMarking_ = false;
};

} // namespace culprit
#endif

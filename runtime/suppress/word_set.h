// A set of words, as a table of twice as many slots at least, searched from where the hash says.
// Its memory is kept for the next time.
#ifndef CULPRIT_RUNTIME_SUPPRESS_WORD_SET_H
#define CULPRIT_RUNTIME_SUPPRESS_WORD_SET_H

#include "runtime/suppress/word_map.h"
#include "runtime/system.h"

#include <string.h>
#include <sys/syscall.h>

namespace culprit {

class WordSet {
public:
  /// An empty set for up to `most` words, a power of two; none is 0.
  void start(uint64_t most) {
    if (most * 2 > size_)
      makeTable(most * 2);
    memset(slots_, 0, size_ * sizeof *slots_);
  }

  /// Whether it was not there before.
  bool add(uint64_t word) {
    uint64_t at = word * 0x9e37'79b9'7f4a'7c15 >> 24;
    while (slots_[at & (size_ - 1)] != 0 && slots_[at & (size_ - 1)] != word)
      ++at;
    uint64_t &slot = slots_[at & (size_ - 1)];
    bool isNew = slot == 0;
    slot = word;
    return isNew;
  }

private:
  void makeTable(uint64_t size) {
    if (slots_)
      rawSyscall(SYS_munmap, address(slots_), static_cast<long>(size_ * sizeof *slots_));
    size_ = size;
    slots_ = static_cast<uint64_t *>(memoryForTables(size_ * sizeof *slots_));
  }

  uint64_t *slots_ = nullptr; ///< 0: free
  uint64_t size_ = 0;
};

} // namespace culprit
#endif

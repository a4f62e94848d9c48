// A set of words, and which of them were met since: for a look through millions of words, of which
// few are in the set.
//
// A table of twice as many slots as words at least, searched from where the hash says. In front of
// it there are eight bits for each word, so that what is not in the set seldom gets to the table,
// which is larger than the processor's fast caches. Its memory is kept for the next time.
#ifndef CULPRIT_RUNTIME_SUPPRESS_SOUGHT_WORDS_H
#define CULPRIT_RUNTIME_SUPPRESS_SOUGHT_WORDS_H

#include "runtime/suppress/word_map.h"
#include "runtime/system.h"

#include <string.h>
#include <sys/syscall.h>

namespace culprit {

class SoughtWords {
public:
  /// An empty set for up to `most` words, a power of two. The words have no flags (abi/origins.h).
  void start(uint64_t most) {
    if (most * 2 > size_)
      makeTables(most * 2);
    memset(slots_, 0, size_ * sizeof *slots_);
    memset(maybe_, 0, filterBytes());
  }

  /// Whether it was not there before.
  bool add(uint64_t word) {
    uint64_t hash = hashOf(word);
    maybe_[hash / 8 % filterBytes()] |= bitOf(hash);
    uint64_t &slot = slotFor(word, hash);
    bool isNew = slot == 0;
    slot |= word;
    return isNew;
  }

  /// `word` need not be one of them.
  void meet(uint64_t word) {
    uint64_t hash = hashOf(word);
    if ((maybe_[hash / 8 % filterBytes()] & bitOf(hash)) == 0)
      return;
    uint64_t &slot = slotFor(word, hash);
    if (slot != 0)
      slot |= kMet;
  }

  bool wasMet(uint64_t word) const { return (slotFor(word, hashOf(word)) & kMet) != 0; }

private:
  static constexpr uint64_t kMet = uint64_t{1} << 63;

  static uint64_t hashOf(uint64_t word) { return word * 0x9e37'79b9'7f4a'7c15 >> 24; }
  static uint8_t bitOf(uint64_t hash) { return static_cast<uint8_t>(1 << hash % 8); }
  uint64_t filterBytes() const { return size_ / 2; }

  uint64_t &slotFor(uint64_t word, uint64_t hash) const {
    while (slots_[hash & (size_ - 1)] != 0 && (slots_[hash & (size_ - 1)] & ~kMet) != word)
      ++hash;
    return slots_[hash & (size_ - 1)];
  }

  void makeTables(uint64_t size) {
    if (slots_) {
      rawSyscall(SYS_munmap, address(slots_), static_cast<long>(size_ * sizeof *slots_));
      rawSyscall(SYS_munmap, address(maybe_), static_cast<long>(filterBytes()));
    }
    size_ = size;
    slots_ = static_cast<uint64_t *>(memoryForTables(size_ * sizeof *slots_));
    maybe_ = static_cast<uint8_t *>(memoryForTables(filterBytes()));
  }

  uint64_t *slots_ = nullptr; ///< 0: free
  uint64_t size_ = 0;
  uint8_t *maybe_ = nullptr; ///< a bit for each word, by its hash
};

} // namespace culprit
#endif

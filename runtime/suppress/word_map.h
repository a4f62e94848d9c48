// A table from words to words that grows; for the runtime, which cannot use the program's heap.
#ifndef CULPRIT_RUNTIME_SUPPRESS_WORD_MAP_H
#define CULPRIT_RUNTIME_SUPPRESS_WORD_MAP_H

#include <stdint.h>

namespace culprit {

/// Memory from the system that is never given back. Ends the program when there is none.
void *memoryForTables(uint64_t size);

class WordMap {
public:
  /// The value of `key`, which must not be 0; one that is not there yet is made, with the value 0.
  uint64_t &at(uint64_t key);
  /// The value of `key`, or 0.
  uint64_t find(uint64_t key) const;
  /// The place of the value of `key`, or null.
  uint64_t *lookUp(uint64_t key);

private:
  struct Slot {
    uint64_t key; ///< 0: free
    uint64_t value;
  };
  static Slot &slotFor(Slot *slots, uint64_t count, uint64_t key);
  void grow();

  Slot *slots_ = nullptr;
  uint64_t count_ = 0;
  uint64_t used_ = 0;
};

} // namespace culprit
#endif

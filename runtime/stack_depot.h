// Call stacks under small numbers: equal stacks have one number, 0 stands for none.
//
// Stacks are known by a hash of 64 bits; that two differ and share it is not to be expected. The
// stacks lie one behind the other; a number is the place of the first word.
#ifndef CULPRIT_RUNTIME_STACK_DEPOT_H
#define CULPRIT_RUNTIME_STACK_DEPOT_H

#include "abi/failure.h"
#include "runtime/heap_memory.h"

#include <stdint.h>

namespace culprit {

/// A hash of return addresses, innermost first, as they are seen. Each one reaches the upper bits,
/// which tell stacks apart; they come to the lower ones at the end.
class StackHash {
public:
  void add(uint64_t caller) { mixed_ = (mixed_ ^ caller) * 0x9e37'79b9'7f4a'7c15; }
  uint64_t value() const { return mixed_ ^ mixed_ >> 32; }

private:
  uint64_t mixed_ = 0;
};

/// Return addresses, innermost first, and their hash.
struct CallStack {
  uint64_t callers[abi::kMostBlockCallers]; ///< the first `count`
  uint32_t count = 0;
  StackHash hash;

  void add(uint64_t caller) {
    callers[count++] = caller;
    hash.add(caller);
  }
};

class StackDepot {
public:
  /// The number of the stack; 0 when there is no memory or no number left.
  uint32_t intern(const CallStack &stack) {
    uint32_t known = find(stack.hash.value());
    return known != 0 ? known : add(stack);
  }

  /// The number of the stack with that hash; 0 when it has none yet.
  uint32_t find(uint64_t hash) const {
    for (uint64_t i = hash;; ++i) {
      uint64_t slot = slots_[i & mask_];
      if ((slot ^ hash) >> kIdBits == 0) [[likely]]
        return static_cast<uint32_t>(slot & kMostId);
      if (slot == 0)
        return 0;
    }
  }

  /// Writes the callers of stack `id`, ended by 0 where there are fewer.
  void read(uint32_t id, uint64_t (&callers)[abi::kMostBlockCallers]) const;

  void release();

private:
  static constexpr uint64_t kIdBits = 24;
  static constexpr uint64_t kMostId = (1 << kIdBits) - 1;
  static constexpr uint64_t kFirstCapacity = 1 << 10;
  static constexpr uint64_t kLast = uint64_t{1} << 63; ///< mark of a stack's last word

  static uint64_t *slotsOf(uint64_t capacity) {
    return reinterpret_cast<uint64_t *>(kDepotSlots + capacity * sizeof(uint64_t)); // NOLINT
  }
  uint64_t *freeSlotFor(uint64_t hash) const;
  uint32_t add(const CallStack &stack);
  bool grow();

  static constexpr uint64_t kNoSlots[1] = {0}; ///< the table before there is one

  Stretch words_{kDepotWords};
  const uint64_t *slots_ = kNoSlots;
  uint64_t mask_ = 0;     ///< turns a hash into the number of a slot
  uint64_t next_ = 1;     ///< number that comes next
  uint64_t used_ = 0;     ///< slots
  uint64_t capacity_ = 0; ///< a power of two; the table is at slotsOf(capacity_)
};

} // namespace culprit
#endif

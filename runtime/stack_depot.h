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

/// Return addresses, innermost first, and their hash.
struct CallStack {
  uint64_t callers[abi::kMostBlockCallers]; ///< the first `count`
  uint32_t count = 0;
  uint64_t hash = 0;

  static uint64_t mix(uint64_t hash, uint64_t caller) {
    hash = (hash ^ caller) * 0x9e37'79b9'7f4a'7c15;
    return hash ^ hash >> 29;
  }
  void add(uint64_t caller) {
    callers[count++] = caller;
    hash = mix(hash, caller);
  }
};

class StackDepot {
public:
  /// The number of the stack; 0 when there is no memory or no number left.
  uint32_t intern(const CallStack &stack) {
    if (capacity_ != 0) {
      uint64_t slot = slots()[stack.hash & (capacity_ - 1)];
      if (slot != 0 && (slot ^ stack.hash) >> kIdBits == 0)
        return static_cast<uint32_t>(slot & kMostId);
    }
    return internSlowly(stack);
  }

  /// Writes the callers of stack `id`, ended by 0 where there are fewer.
  void read(uint32_t id, uint64_t (&callers)[abi::kMostBlockCallers]) const;

  void release();

private:
  static constexpr uint64_t kIdBits = 24;
  static constexpr uint64_t kMostId = (1 << kIdBits) - 1;
  static constexpr uint64_t kFirstCapacity = 1 << 10;
  static constexpr uint64_t kLast = uint64_t{1} << 63; ///< mark of a stack's last word

  uint64_t *slots() const {
    return reinterpret_cast<uint64_t *>(kDepotSlots + capacity_ * sizeof(uint64_t)); // NOLINT
  }
  uint64_t *slotFor(uint64_t hash) const;
  uint32_t internSlowly(const CallStack &stack);
  bool grow();

  Stretch words_{kDepotWords};
  uint64_t next_ = 1;     ///< number that comes next
  uint64_t used_ = 0;     ///< slots
  uint64_t capacity_ = 0; ///< a power of two; the table is at kDepotSlots + capacity_ * 8
};

} // namespace culprit
#endif

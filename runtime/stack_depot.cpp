// See stack_depot.h. The table of hashes is open-addressed; a slot holds the upper 40 bits of the
// hash and the number. It doubles by moving to the address range behind its own.
#include "runtime/stack_depot.h"

#include "runtime/heap_block.h"

namespace culprit {

/// Where the stack with that hash, which has no number yet, is to be found.
uint64_t *StackDepot::freeSlotFor(uint64_t hash) const {
  for (uint64_t i = hash;; ++i)
    if (uint64_t *slot = &slotsOf(capacity_)[i & mask_]; *slot == 0)
      return slot;
}

bool StackDepot::grow() {
  uint64_t old = capacity_;
  uint64_t *oldSlots = slotsOf(old);
  uint64_t capacity = old == 0 ? kFirstCapacity : old * 2;
  uint64_t begin = kDepotSlots + capacity * sizeof(uint64_t);
  if (!mapAt(begin, begin + capacity * sizeof(uint64_t)))
    return false;
  capacity_ = capacity;
  mask_ = capacity - 1;
  slots_ = slotsOf(capacity);
  // The lower bits of a hash are not in its slot: they are taken from the stack's own words.
  for (uint64_t i = 0; i < old; ++i)
    if (oldSlots[i] != 0) {
      CallStack stack;
      uint64_t callers[abi::kMostBlockCallers];
      read(static_cast<uint32_t>(oldSlots[i] & kMostId), callers);
      for (uint32_t n = 0; n < abi::kMostBlockCallers && callers[n] != 0; ++n)
        stack.add(callers[n]);
      *freeSlotFor(stack.hash.value()) = oldSlots[i];
    }
  if (old != 0)
    unmap(kDepotSlots + old * sizeof(uint64_t), kDepotSlots + old * 2 * sizeof(uint64_t));
  return true;
}

uint32_t StackDepot::add(const CallStack &stack) {
  if (stack.count == 0 || (used_ * 2 >= capacity_ && !grow()))
    return 0;
  uint64_t end = kDepotWords + (next_ + stack.count) * sizeof(uint64_t);
  if (next_ + stack.count > kMostId || !words_.growTo(end, 16 * kPage))
    return 0;
  auto *words = at<uint64_t>(kDepotWords);
  auto id = static_cast<uint32_t>(next_);
  for (uint32_t i = 0; i < stack.count; ++i)
    words[next_++] = stack.callers[i] | (i + 1 == stack.count ? kLast : 0);
  uint64_t hash = stack.hash.value();
  *freeSlotFor(hash) = (hash & ~kMostId) | id;
  ++used_;
  return id;
}

void StackDepot::read(uint32_t id, uint64_t (&callers)[abi::kMostBlockCallers]) const {
  for (uint64_t &caller : callers)
    caller = 0;
  if (id == 0 || id >= next_)
    return;
  const auto *words = at<const uint64_t>(kDepotWords);
  for (uint32_t i = 0; i < abi::kMostBlockCallers; ++i) {
    callers[i] = words[id + i] & ~kLast;
    if ((words[id + i] & kLast) != 0)
      return;
  }
}

void StackDepot::release() {
  words_.release();
  if (capacity_ != 0)
    unmap(kDepotSlots + capacity_ * sizeof(uint64_t),
          kDepotSlots + capacity_ * 2 * sizeof(uint64_t));
  *this = StackDepot();
}

} // namespace culprit

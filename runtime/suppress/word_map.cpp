// See word_map.h.
#include "runtime/suppress/word_map.h"

#include "runtime/system.h"

#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {

void *memoryForTables(uint64_t size) {
  long made = rawSyscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made < 0 && made > -4096) {
    static const char kMessage[] = "culprit: error: there is no memory for the origins of values\n";
    rawSyscall(SYS_write, 2, address(kMessage), sizeof kMessage - 1);
    rawSyscall(SYS_exit_group, 125);
  }
  return pointerTo<void>(made);
}

/// Keys are addresses of blocks: those of blocks side by side, which are used together, have slots
/// side by side.
WordMap::Slot &WordMap::slotFor(Slot *slots, uint64_t count, uint64_t key) {
  constexpr unsigned kBlockBits = 5, kTogetherBits = 3;
  uint64_t inside = key >> kBlockBits & ((1 << kTogetherBits) - 1);
  uint64_t group = (key >> (kBlockBits + kTogetherBits)) * 0x9e37'79b9'7f4a'7c15 >> 20;
  uint64_t at = group << kTogetherBits | inside;
  uint64_t mask = count - 1; // a power of two
  while (slots[at & mask].key != 0 && slots[at & mask].key != key)
    ++at;
  return slots[at & mask];
}

void WordMap::grow() {
  uint64_t count = count_ == 0 ? 4096 : count_ * 2;
  auto *slots = static_cast<Slot *>(memoryForTables(count * sizeof(Slot)));
  for (uint64_t i = 0; i < count_; ++i)
    if (slots_[i].key != 0)
      slotFor(slots, count, slots_[i].key) = slots_[i];
  if (slots_)
    rawSyscall(SYS_munmap, address(slots_), static_cast<long>(count_ * sizeof(Slot)));
  slots_ = slots;
  count_ = count;
}

uint64_t &WordMap::at(uint64_t key) {
  if (used_ * 2 >= count_)
    grow();
  Slot &slot = slotFor(slots_, count_, key);
  if (slot.key == 0) {
    slot.key = key;
    ++used_;
  }
  return slot.value;
}

uint64_t *WordMap::lookUp(uint64_t key) {
  if (count_ == 0)
    return nullptr;
  Slot &slot = slotFor(slots_, count_, key);
  return slot.key == 0 ? nullptr : &slot.value;
}

uint64_t WordMap::find(uint64_t key) const {
  return count_ == 0 ? 0 : slotFor(slots_, count_, key).value;
}

} // namespace culprit

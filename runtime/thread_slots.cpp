// See thread_slots.h.
#include "runtime/thread_slots.h"

#include "runtime/atfork.h"
#include "runtime/system.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

enum class SlotState : uint8_t {
  Free,
  Joinable,
  Detached, ///< free when the kernel knows the thread no more
  Kept,     ///< by the thread that has joined it
};

struct Slot {
  SlotMemory memory;
  uint32_t tid; ///< 0: the thread has not run yet
  SlotState state;
  uint8_t keptCount; ///< of slots that this one's thread keeps
  uint16_t kept;     ///< the first of them, 0: none
  uint16_t nextKept;
};

constexpr uint8_t kMostKept = 16;

Slot g_slots[abi::kMostThreads];
uint64_t g_highest; ///< slot of those that were given out by number
uint32_t g_lock;
int g_protection = PROT_READ | PROT_WRITE;

__thread uint64_t t_slotPlusOne __attribute__((tls_model("initial-exec"))); ///< 0: none

class SlotLock {
public:
  SlotLock() {
    while (__atomic_exchange_n(&g_lock, 1, __ATOMIC_ACQUIRE) != 0)
      rawSyscall(SYS_sched_yield);
  }
  ~SlotLock() { __atomic_store_n(&g_lock, 0, __ATOMIC_RELEASE); }
  SlotLock(const SlotLock &) = delete;
  SlotLock &operator=(const SlotLock &) = delete;
};

uint32_t threadId() {
  return static_cast<uint32_t>(rawSyscall(SYS_gettid));
}

bool isGone(const Slot &slot) {
  uint32_t tid = __atomic_load_n(&slot.tid, __ATOMIC_ACQUIRE);
  return slot.state == SlotState::Detached && tid != 0 &&
         rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), tid, 0) == -ESRCH;
}

void unmap(uint64_t end, uint64_t size) {
  if (size != 0)
    rawSyscall(SYS_munmap, static_cast<long>(end - size), static_cast<long>(size));
}

void unmapSlot(uint64_t slot) {
  SlotMemory &memory = g_slots[slot].memory;
  unmap(framesEnd(slot), memory.frames);
  unmap(framesEnd(slot) + abi::kNoteDistance, memory.frames);
  unmap(machineStackEnd(slot), memory.machineStack);
  unmap(signalStackOf(slot) + memory.signalStack, memory.signalStack);
  memory = {};
}

void setFree(uint64_t slot) {
  unmapSlot(slot);
  g_slots[slot].state = SlotState::Free;
}

/// The slot's thread is gone, and with it who kept others.
void end(uint64_t slot) {
  for (uint64_t kept = g_slots[slot].kept; kept != 0; kept = g_slots[kept].nextKept)
    setFree(kept);
  g_slots[slot].kept = 0;
  g_slots[slot].keptCount = 0;
}

void endThoseThatAreGone() {
  for (uint64_t i = 1; i <= g_highest; ++i)
    if (isGone(g_slots[i])) {
      end(i);
      setFree(i);
    }
}

void take(uint64_t slot, SlotState state) {
  g_slots[slot].tid = 0;
  g_slots[slot].memory.innermost = nullptr;
  g_slots[slot].state = state;
}

uint64_t takeKept() {
  if (ownSlot() == kNoSlot || g_slots[ownSlot()].kept == 0)
    return kNoSlot;
  Slot &own = g_slots[ownSlot()];
  uint64_t slot = own.kept;
  own.kept = g_slots[slot].nextKept;
  --own.keptCount;
  return slot;
}

uint64_t findFree(uint32_t number) {
  constexpr uint64_t kOthers = abi::kMostThreads - 1;
  endThoseThatAreGone();
  for (uint64_t i = 0; i < kOthers; ++i)
    if (uint64_t slot = (number - 2 + i) % kOthers + 1; g_slots[slot].state == SlotState::Free) {
      g_highest = slot > g_highest ? slot : g_highest;
      return slot;
    }
  return kNoSlot;
}

/// In the child of a fork there is one thread, which keeps its slot whatever its number is now, and
/// those that it has joined. The memory of others is there as well, until their slots are taken.
void keepSlotAfterFork() {
  g_lock = 0;
  for (uint64_t i = 1; i < abi::kMostThreads; ++i)
    if (i != ownSlot())
      g_slots[i].state = SlotState::Free;
  if (ownSlot() == kNoSlot)
    return;
  Slot &own = g_slots[ownSlot()];
  own.tid = threadId();
  for (uint64_t kept = own.kept; kept != 0; kept = g_slots[kept].nextKept)
    g_slots[kept].state = SlotState::Kept;
}

} // namespace

void startSlots() {
  g_slots[0].state = SlotState::Joinable;
  enterSlot(0);
  __register_atfork(nullptr, nullptr, keepSlotAfterFork, nullptr);
}

uint64_t claimSlot(uint32_t number, bool isDetached) {
  SlotLock lock;
  uint64_t slot = takeKept();
  if (slot == kNoSlot)
    slot = findFree(number);
  if (slot != kNoSlot)
    take(slot, isDetached ? SlotState::Detached : SlotState::Joinable);
  return slot;
}

uint64_t claimSlotForStranger() {
  SlotLock lock;
  for (uint64_t slot = abi::kMostThreads - 1; slot > 0; --slot)
    if (g_slots[slot].state == SlotState::Free || isGone(g_slots[slot])) {
      end(slot);
      unmapSlot(slot);
      take(slot, SlotState::Detached);
      enterSlot(slot);
      return slot;
    }
  return kNoSlot;
}

uint64_t ownSlot() {
  return t_slotPlusOne == 0 ? kNoSlot : t_slotPlusOne - 1;
}

void enterSlot(uint64_t slot) {
  t_slotPlusOne = slot + 1;
  __atomic_store_n(&g_slots[slot].tid, threadId(), __ATOMIC_RELEASE);
}

bool isTaken(uint64_t slot) {
  const Slot &taken = g_slots[slot];
  return (taken.state == SlotState::Joinable || taken.state == SlotState::Detached) &&
         __atomic_load_n(&taken.tid, __ATOMIC_ACQUIRE) != 0 && !isGone(taken);
}

void leaveSlot(uint64_t slot) {
  SlotLock lock;
  end(slot);
  uint64_t owner = ownSlot();
  if (owner == kNoSlot || g_slots[owner].keptCount == kMostKept) {
    setFree(slot);
    return;
  }
  g_slots[slot].state = SlotState::Kept;
  g_slots[slot].nextKept = g_slots[owner].kept;
  g_slots[owner].kept = static_cast<uint16_t>(slot);
  ++g_slots[owner].keptCount;
}

void detachSlot(uint64_t slot) {
  SlotLock lock;
  g_slots[slot].state = SlotState::Detached;
}

SlotMemory &memoryOf(uint64_t slot) {
  return g_slots[slot].memory;
}

void makeSlotsExecutable() {
  g_protection |= PROT_EXEC;
}

bool mapForSlot(uint64_t place, uint64_t size) {
  long result =
      rawSyscall(SYS_mmap, static_cast<long>(place), static_cast<long>(size), g_protection,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (result == static_cast<long>(place))
    return true;
  // Kernels before 4.17 take the address for a hint.
  if (result > 0)
    rawSyscall(SYS_munmap, result, static_cast<long>(size));
  return false;
}

bool mapMachineStack(uint64_t slot, uint64_t size) {
  SlotMemory &memory = g_slots[slot].memory;
  uint64_t &mapped = memory.machineStack;
  uint64_t begin = machineStackEnd(slot) - size;
  bool isThere = mapped == size;
  if (isThere && memory.isGuarded)
    isThere = rawSyscall(SYS_mprotect, static_cast<long>(begin), static_cast<long>(size),
                         g_protection) == 0;
  memory.isGuarded = false;
  if (isThere)
    return true;
  unmap(machineStackEnd(slot), mapped);
  mapped = mapForSlot(begin, size) ? size : 0;
  return mapped != 0;
}

bool mapSignalStack(uint64_t slot) {
  uint64_t &mapped = g_slots[slot].memory.signalStack;
  if (mapped == 0 && mapForSlot(signalStackOf(slot), abi::kSignalStackSize))
    mapped = abi::kSignalStackSize;
  return mapped != 0;
}

} // namespace culprit

// Who has which of the thread slots (abi/memory_map.h), and what is mapped there.
//
// A thread's memory must be where it was in every other run, whenever other threads happen to end.
// So a thread that the program makes gets a slot that its maker has itself joined the thread of,
// the last one first, with its memory as it is; that depends on the maker alone. Otherwise it gets
// the slot of its own number. Only when the slots are used up, others that are free are taken.
//
// The machine stack of a slot is libc's to use until the thread is joined, or, detached, has left
// the kernel.
#ifndef CULPRIT_RUNTIME_THREAD_SLOTS_H
#define CULPRIT_RUNTIME_THREAD_SLOTS_H

#include "abi/memory_map.h"

namespace culprit {

inline constexpr uint64_t kNoSlot = abi::kMostThreads;

/// The first byte past a slot's frames, and past its machine stack.
inline uint64_t framesEnd(uint64_t slot) {
  return abi::kThreadSlots + (slot + 1) * abi::kThreadSlotSize;
}
inline uint64_t machineStackEnd(uint64_t slot) {
  return framesEnd(slot) + abi::kMachineStackDistance;
}
/// The lowest address of the stack for signals.
inline uint64_t signalStackOf(uint64_t slot) {
  return machineStackEnd(slot) - abi::kThreadSlotSize + abi::kSignalStackDistance;
}

/// The slot whose machine stack has `place`, or kNoSlot.
inline uint64_t slotOfMachineStack(uint64_t place) {
  uint64_t slot = (place - abi::kThreadSlots - abi::kMachineStackDistance) / abi::kThreadSlotSize;
  return slot < abi::kMostThreads ? slot : kNoSlot;
}

/// Before any constructor.
void startSlots();

/// A slot for the thread of that number, which the calling one is about to make; kNoSlot: all are
/// taken.
uint64_t claimSlot(uint32_t number, bool isDetached);

/// A slot for the calling thread, which something else than the program made, and which is gone
/// when the kernel says so. Such slots are taken from the other end.
uint64_t claimSlotForStranger();

/// The slot's thread is the calling one.
void enterSlot(uint64_t slot);

/// The calling thread's, or kNoSlot.
uint64_t ownSlot();

/// Whether a thread has the slot that has begun to run and not left the kernel, or not been joined.
bool isTaken(uint64_t slot);

/// No thread has the slot: the calling one has joined it, or could not make it.
void leaveSlot(uint64_t slot);

/// Nobody will join the slot's thread.
void detachSlot(uint64_t slot);

/// A stack that the program has provided for a thread; of no size: none.
struct GivenStack {
  void *lowest;
  uint64_t size;
};

/// What is mapped in a slot: bytes up to the end; 0: nothing. Whoever has the slot writes it.
struct SlotMemory {
  uint64_t machineStack;
  uint64_t frames; ///< and as many of notes
  uint64_t signalStack;
  GivenStack given;       ///< what the program takes for the machine stack
  void *const *innermost; ///< where the thread has its innermost frame; null: it has had none
  bool isGuarded;         ///< pages of the machine stack cannot be touched (thread_gap.h)
};
SlotMemory &memoryOf(uint64_t slot);

/// From now on what is mapped for slots can be executed.
void makeSlotsExecutable();

/// Maps memory where nothing is.
bool mapForSlot(uint64_t place, uint64_t size);

/// These leave what is there when it has the right size.
bool mapMachineStack(uint64_t slot, uint64_t size);
bool mapSignalStack(uint64_t slot);

} // namespace culprit
#endif

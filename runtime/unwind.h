// The call stack of a thread, from its registers.
//
// An unwinder of our own, since libgcc's may not be linked, cannot start at a signal's registers,
// and faults where a stack has been overwritten. It reads .eh_frame, which every image has, and
// follows frame pointers where that says nothing. Safe in signal handlers as far as dl_iterate_phdr
// is.
#ifndef CULPRIT_RUNTIME_UNWIND_H
#define CULPRIT_RUNTIME_UNWIND_H

#include "abi/failure.h"

namespace culprit {

inline constexpr uint32_t kStackPointer = 7;
inline constexpr uint32_t kFramePointer = 6;
inline constexpr uint32_t kPc = 16;

/// By DWARF's numbers for x86-64.
struct Registers {
  uint64_t value[abi::kRegisterCount];

  uint64_t &operator[](uint32_t number) { return value[number]; }
  uint64_t operator[](uint32_t number) const { return value[number]; }
};

/// From the `context` that a signal handler gets.
Registers registersOf(const void *context);

/// Of the function that calls this one, as after its call.
__attribute__((noinline)) Registers registersHere();

/// Fills `callers` as FailureRecord::callers wants it; returns how many there are.
uint32_t collectCallers(Registers registers, uint64_t *callers, uint32_t most);

} // namespace culprit
#endif

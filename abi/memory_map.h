// Where an analysed program's memory is: fixed addresses, the same in every run and every mode.
//
// Globals are placed at link time (non-PIE, kDataBase and kBssBase). Everything else is mapped by
// the runtime, far from where the kernel puts things, and only as far as it is needed: a limit on
// address space (`ulimit -v`) counts what is reserved. Each thread has a slot: one stretch of
// *frames* (locals that something may run past, runtime/frames.cpp), one of *notes* at a fixed
// distance that says which function a frame belongs to, and one of machine stack, with the thread's
// thread-locals at its end and the runtime's stack for signals at the other.
//
// No object of the program lies next to anything of the runtime: a linear overflow ends in unmapped
// memory first. The bases differ in bits 12 to 27, which some caches index by.
#ifndef CULPRIT_ABI_MEMORY_MAP_H
#define CULPRIT_ABI_MEMORY_MAP_H

#include <stdint.h>

namespace culprit::abi {

/// The executable is linked below this; nothing else is mapped there.
inline constexpr uint64_t kExecutableLimit = 0x8000'0000;
inline constexpr uint64_t kDataBase = 0x2000'0000; ///< .data of the executable
inline constexpr uint64_t kBssBase = 0x2100'0000;  ///< .bss of the executable
/// .bss of an executable with more .data, or with a layout of more globals, than fit below.
inline constexpr uint64_t kFarBssBase = 0x4800'0000;
/// Variables of libraries that are the program's, those that it knows by name first
/// (externals/models/library_variable.h); externals/variables.h names the other sections.
inline constexpr uint64_t kLibraryVariables = 0x6ff0'0000;
inline constexpr uint64_t kLibraryData = 0x6ff4'0000;
inline constexpr uint64_t kLibraryZeroes = 0x6ff8'0000;
/// The runtime's own variables: runtime/state.h names their sections.
inline constexpr uint64_t kStateBase = 0x7000'0000;
inline constexpr uint64_t kStateDataBase = 0x7020'0000;
inline constexpr uint64_t kGuardTableBase = 0x7040'0000;
inline constexpr uint64_t kCountsBase = 0x7080'0000; ///< the last: up to kExecutableLimit

/// Where the dynamic loader is mapped, and where the memory of brk() starts.
inline constexpr uint64_t kLoaderBase = 0x0300'0000'0000;
inline constexpr uint64_t kBreakBase = 0x0400'0111'0000;
/// Handles that stand for libc's objects (externals/models/tokens.h): nothing is ever mapped there.
inline constexpr uint64_t kTokenBase = 0x0480'0000'0000;
inline constexpr uint64_t kTokenDistance = 16;
inline constexpr uint64_t kTokenLimit = 0x0481'0000'0000;
/// What the program has for itself of libc, by thread (externals/models/thread_cells.h).
inline constexpr uint64_t kCellsBase = 0x0490'0123'0000;

/// Libraries, one after the other; within each its .data and .bss at these distances.
inline constexpr uint64_t kLibraryBase = 0x0500'0000'0000;
inline constexpr uint64_t kLibraryDistance = 0x1'0000'0000;
inline constexpr uint64_t kLibraryDataDistance = 0x0100'0000;
inline constexpr uint64_t kLibraryBssDistance = 0x0180'0000;
/// The same in a library that has more code or data; code reaches no farther than 2 GB.
inline constexpr uint64_t kFarLibraryDataDistance = 0x3000'0000;
inline constexpr uint64_t kFarLibraryBssDistance = 0x5000'0000;

inline constexpr uint64_t kHeapBase = 0x1000'0000'0000;
/// Without a limit on stacks, the kernel maps what has no place of its own not far above.
inline constexpr uint64_t kHeapLimit = 0x1400'0000'0000;
/// The runtime's own tables about heap blocks.
inline constexpr uint64_t kHeapTables = 0x1900'0155'0000;
inline constexpr uint64_t kHeapTablesLimit = 0x1f00'0000'0000;

/// One slot per thread, in the order of their creation; the first is the main thread's. A slot's
/// end is where its stack begins.
inline constexpr uint64_t kThreadSlots = 0x2000'0000'0000;
inline constexpr uint64_t kThreadSlotSize = 0x0000'8000'0000;
inline constexpr uint64_t kMostThreads = 4096;
/// From a frame to its notes, and from a slot of frames to the thread's machine stack.
inline constexpr uint64_t kNoteDistance = 0x0a00'0333'0000;
inline constexpr uint64_t kMachineStackDistance = 0x1400'0666'0000;
/// In a slot of machine stack, from its start: the stack for signals, far below the other.
inline constexpr uint64_t kSignalStackDistance = 0x10'0000;
inline constexpr uint64_t kSignalStackSize = 0x4'0000;
inline constexpr uint64_t kMostMachineStack = 0x6000'0000;

/// Mappings for which the program names no place (runtime/mapping_places.h).
inline constexpr uint64_t kMappingsBase = 0x4800'0777'0000;
inline constexpr uint64_t kMappingsLimit = 0x5f00'0000'0000;

/// While the dynamic loader works, what it maps lies below (runtime/entry_fence.h). The kernel's
/// own choice is above; without a limit on stacks it is far lower.
inline constexpr uint64_t kFence = 0x6000'0000'0000;
inline constexpr uint64_t kFenceOfUnlimitedStack = 0x1440'0000'0000;

/// What generated code notes of a frame when it is entered.
struct FrameNote {
  uint64_t function; ///< FrameTable's key of the function; kBlockNote: a variable-length array
  uint64_t size;     ///< bytes up to the next older frame
};
inline constexpr uint64_t kBlockNote = 1;

/// What the runtime notes, with that in place of the function, of what a layout leaves free beside
/// variable-length arrays and blocks of alloca().
struct GapNote {
  FrameNote note;
  uint64_t guard; ///< where guard words are
  uint64_t bytes; ///< how many; 0: none
};
inline constexpr uint64_t kGapNote = 0;

/// How many blocks the layout's `heap.fence` holds for: each takes pages of its own, and the system
/// has a limit for stretches of different protection.
inline constexpr uint64_t kMostFenced = 1 << 14;

} // namespace culprit::abi
#endif

// The dynamic loader, mapped as the kernel would have, but at a fixed address.
//
// Runs before anything is relocated: see entry.cpp.
#ifndef CULPRIT_RUNTIME_ENTRY_LOADER_H
#define CULPRIT_RUNTIME_ENTRY_LOADER_H

#include "runtime/entry_block.h"

namespace culprit {

/// Returns its entry and notes its place in the auxiliary vector; 0: the program is a static one.
/// Ends the program when the loader cannot be had.
uint64_t mapLoader(EntryBlock &block);

/// The path that the executable names it by; null: the program is a static one.
const char *loaderPath(const EntryBlock &block);

} // namespace culprit
#endif

// Scalars that are read before they are written hold a pattern, not LLVM's `undef`; arrays and
// structs do so when a layout says which.
#ifndef CULPRIT_COMPILER_MEMORY_UNINITIALISED_H
#define CULPRIT_COMPILER_MEMORY_UNINITIALISED_H

#include <llvm/IR/Module.h>

namespace culprit {

/// Stores the runtime's pattern into every scalar local at function entry, and drops the lifetime
/// markers that would let LLVM forget a value between two rounds of a loop. Where the first use is
/// a definition, optimisation removes the store again. With markers (compiler/sites/markers.h) the
/// pattern is defined where the local is declared.
void fillUninitialised(llvm::Module &module, bool hasMarkers);

/// The same for arrays and structs that have stayed allocas, when a layout asks for it: where one
/// comes to life, a branch that is hardly ever taken fills it. Frames must have been built; those
/// are filled by the runtime.
void fillAggregates(llvm::Module &module, bool hasMarkers);

} // namespace culprit
#endif

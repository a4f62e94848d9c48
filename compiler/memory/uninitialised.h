// Scalars that are read before they are written hold a pattern, not LLVM's `undef`.
#ifndef CULPRIT_COMPILER_MEMORY_UNINITIALISED_H
#define CULPRIT_COMPILER_MEMORY_UNINITIALISED_H

#include <llvm/IR/Module.h>

namespace culprit {

/// Stores the runtime's pattern into every scalar local at function entry, and drops the lifetime
/// markers that would let LLVM forget a value between two rounds of a loop. Where the first use is
/// a definition, optimisation removes the store again. With markers (compiler/sites/markers.h) the
/// pattern is defined where the local is declared.
void fillUninitialised(llvm::Module &module, bool hasMarkers);

} // namespace culprit
#endif

// Which locals may be accessed outside of their bounds or after their time.
#ifndef CULPRIT_COMPILER_MEMORY_UNSAFE_LOCALS_H
#define CULPRIT_COMPILER_MEMORY_UNSAFE_LOCALS_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace culprit {

using UnsafeLocals = llvm::DenseSet<const llvm::AllocaInst *>;

/// All allocas that StackSafetyAnalysis cannot prove safe once scalars are promoted. The module
/// itself is not changed.
UnsafeLocals findUnsafeLocals(llvm::Module &module);

} // namespace culprit
#endif

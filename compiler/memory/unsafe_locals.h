// Which locals may be accessed outside of their bounds or after their time.
#ifndef CULPRIT_COMPILER_MEMORY_UNSAFE_LOCALS_H
#define CULPRIT_COMPILER_MEMORY_UNSAFE_LOCALS_H

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <string>

namespace culprit {

using UnsafeLocals = llvm::DenseSet<const llvm::AllocaInst *>;

/// All allocas that StackSafetyAnalysis cannot prove safe once scalars are promoted. The module
/// itself is not changed.
UnsafeLocals findUnsafeLocals(llvm::Module &module);

/// The same as text, by their numbers in the module, and back.
std::string listUnsafeLocals(const llvm::Module &module, const UnsafeLocals &unsafe);
UnsafeLocals readUnsafeLocals(const llvm::Module &module, const std::string &list);

} // namespace culprit
#endif

// The flat memory model: accesses mean what the machine would do.
//
// Before optimising, everything that lets LLVM assume well-defined memory is taken out: inbounds,
// nsw and nuw, TBAA and scoped alias metadata, noalias, nonnull, dereferenceable, noundef, range
// facts, assumptions about progress. Null is an address like any other (reading it faults, instead
// of making the code unreachable). Allocators are plain external calls. Globals count as written
// by code that LLVM does not see.
#ifndef CULPRIT_COMPILER_MEMORY_FLATTEN_H
#define CULPRIT_COMPILER_MEMORY_FLATTEN_H

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Module.h>

namespace culprit {

void flattenMemory(llvm::Module &module);

/// Library knowledge for flat memory: all but the allocators.
llvm::TargetLibraryInfoImpl flatLibraryInfo(const llvm::Module &module);

} // namespace culprit
#endif

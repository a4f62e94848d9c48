// Which memory the statements might have written that are skipped when a branch depends on a
// corrupt value.
//
// Their effects are missing afterwards, so what that memory holds is no evidence of anything. Only
// places that are known without running the statements can be told: variables, and what variables
// point to as they are before the branch. Of functions that are called, the variables that they
// store to by name.
#ifndef CULPRIT_COMPILER_SUPPRESS_SKIPPED_WRITES_H
#define CULPRIT_COMPILER_SUPPRESS_SKIPPED_WRITES_H

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>

namespace culprit {

/// Blocks between a branch and where its ways meet, the nearest first.
using SkippedBlocks = llvm::SmallSetVector<llvm::BasicBlock *, 32>;
SkippedBlocks skippedBlocks(llvm::BasicBlock *branch, llvm::BasicBlock *meeting);

/// Of memory that statements might have written: where it is, and its size.
inline constexpr char kStaleName[] = "culprit.stale";

/// Puts calls of kStaleName at the builder's place, on a way that passes by all statements of the
/// blocks. Values that are used in other blocks must be in memory.
void markSkippedWrites(llvm::IRBuilder<> &builder, const SkippedBlocks &skipped);

} // namespace culprit
#endif

// Which memory the statements might have written that are skipped when a branch depends on a
// corrupt value.
//
// Their effects are missing afterwards, so what that memory holds is no evidence of anything. Only
// places that are known without running the statements can be told: variables, and what variables
// point to as they are before the branch. Of functions that are called, the variables that they
// store to by name.
#ifndef CULPRIT_COMPILER_SUPPRESS_SKIPPED_WRITES_H
#define CULPRIT_COMPILER_SUPPRESS_SKIPPED_WRITES_H

#include <llvm/IR/IRBuilder.h>

namespace culprit {

/// Of memory that statements might have written: where it is, and its size.
inline constexpr char kStaleName[] = "culprit.stale";

/// Puts calls of kStaleName at the builder's place, on the way from the end of `branch` to
/// `meeting` (null: the function's end) that passes by all statements between them. Values that are
/// used in other blocks must be in memory.
void markSkippedWrites(llvm::IRBuilder<> &builder, llvm::BasicBlock *branch,
                       llvm::BasicBlock *meeting);

} // namespace culprit
#endif

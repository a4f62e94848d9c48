// Where a frame can be made late; see frame_plan.h.
#ifndef CULPRIT_COMPILER_MEMORY_LATE_START_H
#define CULPRIT_COMPILER_MEMORY_LATE_START_H

#include "compiler/memory/frame_plan.h"

#include <llvm/IR/Dominators.h>

namespace culprit {

/// Sets lateStarts where that is possible, and takes named locals out of the members that cannot
/// move in the middle of the function because something may point to them by then.
void startLate(llvm::Function &function, const UnsafeLocals &unsafe, FramePlan &plan);

/// Where a use counts: at the end of the block that a phi's value comes from.
llvm::BasicBlock *blockOf(const llvm::Use &use);

} // namespace culprit
#endif

// Results that are missing when the statements which yield them are skipped.
//
// A variable that a skipped statement would have set keeps its old value. What the compiler keeps
// for itself has no old value: the result of `a ? b : c` or `a && b`, the value of a return
// statement, and where to go on after the clean-ups of a scope (`break` out of a block that has
// variables). It depends on the branch alone, so behind a corrupt one it is corrupt: a loop that
// is left by such a break is left, and not begun anew for ever.
//
// Until `followOrigins` (origins.h) an opaque call stands for such a value:
//
//     skip:
//       %lost = call i32 @culprit.lost.i32()
//       store i32 %lost, ptr %cleanup.dest
//       br label %MEET
#ifndef CULPRIT_COMPILER_SUPPRESS_LOST_RESULTS_H
#define CULPRIT_COMPILER_SUPPRESS_LOST_RESULTS_H

#include "compiler/suppress/skipped_writes.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>

namespace culprit {

inline constexpr char kLostPrefix[] = "culprit.lost.";

class LostResults {
public:
  /// Finds what is no variable of the program's, before values go into memory.
  explicit LostResults(llvm::Function &function);

  /// `slot` is where a value goes that joins ways at the begin of `block`.
  void addJoin(llvm::BasicBlock *block, llvm::AllocaInst *slot) { joins_[block].push_back(slot); }

  /// Puts the loss at the builder's place, on the way past the blocks to `meeting`.
  void lose(llvm::IRBuilder<> &builder, const SkippedBlocks &skipped,
            llvm::BasicBlock *meeting) const;

private:
  using Slots = llvm::SmallVector<llvm::AllocaInst *, 4>;

  llvm::DenseMap<llvm::BasicBlock *, Slots> joins_;
  llvm::DenseMap<llvm::BasicBlock *, Slots> stored_; ///< in that block
};

} // namespace culprit
#endif

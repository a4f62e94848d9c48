// Which locals a function keeps in a frame, and from where on it has one.
//
// Decided on the pristine module, so that frames are the same in every mode: what a mode puts in
// must not change them.
//
// Many functions need a frame only where they are about to fail: they build the text of an
// exception or of a last message in a local buffer. From such code no return can be reached. If all
// locals that may be overrun are used there alone, the frame is made there, and the rest of the
// function costs nothing. Named locals that are needed there move into the frame at that moment,
// with the values that they have.
//
//     if (!ok)                          if (!ok) {
//       throw Error(text(name));          push the frame, copy `name` into it, ...
#ifndef CULPRIT_COMPILER_MEMORY_FRAME_PLAN_H
#define CULPRIT_COMPILER_MEMORY_FRAME_PLAN_H

#include "compiler/memory/unsafe_locals.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace culprit {

struct FramePlan {
  llvm::SmallVector<llvm::AllocaInst *, 16> locals; ///< of a fixed size, in clang's order
  llvm::DenseSet<const llvm::AllocaInst *> members; ///< those of them that are in the frame
  llvm::SmallVector<llvm::AllocaInst *, 4> dynamic; ///< of other sizes: all, if one is unsafe
  /// Blocks at whose beginning the frame is made. None of them leads to a return or to itself.
  /// Empty: the function has its frame from the start.
  llvm::SmallVector<llvm::BasicBlock *, 2> lateStarts;

  bool isNeeded() const { return !members.empty() || !dynamic.empty(); }
};

using FramePlans = llvm::DenseMap<const llvm::Function *, FramePlan>;

/// For every function with a body that can have a frame.
FramePlans planFrames(llvm::Module &module, const UnsafeLocals &unsafe);

/// The variable of the source that `local` is; null: a temporary.
const llvm::DILocalVariable *variableOf(llvm::AllocaInst *local);

} // namespace culprit
#endif

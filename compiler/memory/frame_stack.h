// The stack of frames: a function's prologue, epilogue, and what keeps the stack right in between.
//
// Each thread has one (abi/memory_map.h); the hook __culprit_frames holds its lowest live address.
// A function that has a frame lowers it on entry and puts it back on return, as a machine stack
// pointer would be; variable-length arrays lower it further. What leaves functions without
// returning from them is followed: at landing pads and behind calls that return twice (setjmp) this
// function's value is put back. A frame has a slot with the return address, compared on return, and
// a note (abi::FrameNote) far from it.
#ifndef CULPRIT_COMPILER_MEMORY_FRAME_STACK_H
#define CULPRIT_COMPILER_MEMORY_FRAME_STACK_H

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace culprit {

struct FrameRequest {
  size_t shape = 0; ///< number in the module's FrameTable
  uint64_t key = 0; ///< frameKey()
  uint64_t alignment = 16;
  size_t returnSlot = 0; ///< its member
  bool isPrivate = false;
};

/// Moves static allocas to the front of the entry block, so that it can be split behind them;
/// returns what follows.
llvm::Instruction *gatherAllocas(llvm::Function &function);

/// The address of a member, as an offset that the layout fills in. `bytes` is the member's size.
llvm::Value *memberAddress(llvm::IRBuilder<> &builder, llvm::Value *frame, size_t shape,
                           size_t member, uint64_t bytes);

/// Gives `function` a frame, and moves `dynamic` (all its variable-length arrays, or none) to the
/// stack of frames. Returns the frame's address; `place` gets the instruction before which members
/// are to be placed: behind the prologue, in front of everything else.
llvm::Value *pushFrame(llvm::Function &function, const FrameRequest &request,
                       llvm::ArrayRef<llvm::AllocaInst *> dynamic, llvm::Instruction *&place);

/// Frames that a function makes in the middle (frame_plan.h). What is put back at a landing pad
/// depends on where it is: in front of all frames the value on entry, behind one that frame, and
/// where both may have been, nothing: then the stack is at least as deep as it has to be.
class LateFrames {
public:
  LateFrames(llvm::Function &function, const llvm::DominatorTree &tree,
             llvm::ArrayRef<llvm::BasicBlock *> starts);

  /// Makes the frame of that start, as pushFrame does.
  llvm::Value *push(size_t start, const FrameRequest &request, llvm::Instruction *&place);

private:
  llvm::Function &function_;
  llvm::SmallVector<llvm::Instruction *, 2> places_; ///< the first of each start
  llvm::SmallVector<llvm::SmallVector<llvm::LandingPadInst *, 4>, 2> pads_; ///< behind each start
};

/// For functions without a frame: keeps the stack right where callees are left without returning.
void restoreAfterUnwinding(llvm::Function &function);

} // namespace culprit
#endif

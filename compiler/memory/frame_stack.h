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

/// The address of a member, as an offset that the layout fills in. `bytes` is the member's size.
llvm::Value *memberAddress(llvm::IRBuilder<> &builder, llvm::Value *frame, size_t shape,
                           size_t member, uint64_t bytes);

/// Gives `function` a frame, and moves `dynamic` (all its variable-length arrays, or none) to the
/// stack of frames. Returns the frame's address; `place` gets the instruction before which members
/// are to be placed: behind the prologue, in front of everything else.
llvm::Value *pushFrame(llvm::Function &function, const FrameRequest &request,
                       llvm::ArrayRef<llvm::AllocaInst *> dynamic, llvm::Instruction *&place);

/// For functions without a frame: keeps the stack right where callees are left without returning.
void restoreAfterUnwinding(llvm::Function &function);

} // namespace culprit
#endif

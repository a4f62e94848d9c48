// Frames: where a function's locals live when something may run past them.
//
// LLVM's StackSafetyAnalysis says which locals are only ever accessed inside. Those stay as they
// are. All others of a function move into one *frame*, a block on a stack of the program's own
// (frame_stack.h). If one of them is (or holds) an array, all named locals of the function move
// with it, for they are what an overflow would hit. Offsets are absolute symbols that the layout
// fills in (frame_table.h); the default is clang -O0's order, the first declared local at the
// highest address, below the place of the return address.
//
//     %buf = alloca [8 x i8]       %frame = ...
//     %n = alloca i32              %buf = getelementptr i8, ptr %frame, i64 ptrtoint
//     @__culprit_at.0.2
//                                  %n = getelementptr i8, ptr %frame, i64 ptrtoint
//                                  @__culprit_at.0.3
//
// The analysis wants promoted code (a pointer kept in a local hides what it points to), but the
// decision comes before promotion; so it runs on a promoted clone.
#ifndef CULPRIT_COMPILER_MEMORY_FRAMES_H
#define CULPRIT_COMPILER_MEMORY_FRAMES_H

#include "compiler/memory/frame_plan.h"
#include "compiler/memory/frame_table.h"

#include <llvm/IR/Module.h>

namespace culprit {

/// Attribute of the call that yields a frame's address. Its value is "private" when no address of a
/// member leaves the function's own accesses: then only pointers visibly derived from the frame
/// point into it.
inline constexpr char kFrameAttribute[] = "culprit-frame";

/// Metadata of a local that may be reached through other pointers although it is in no frame: those
/// of coroutines, which the splitting of the coroutine has to recognise.
inline constexpr char kSharedLocal[] = "culprit.shared";

/// `plans` must have been made on the pristine module.
FrameTable buildFrames(llvm::Module &module, const FramePlans &plans, const std::string &moduleId);

/// For modules without frames: locals stay where LLVM puts them, what would be in a frame marked as
/// shared.
void keepLocals(llvm::Module &module, const FramePlans &plans);

} // namespace culprit
#endif

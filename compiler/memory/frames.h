// Frames: where a function's locals live when something may run past them.
//
// LLVM's StackSafetyAnalysis says which locals are only ever accessed inside. Those stay as they
// are. All others of a function move into one *frame*, a block whose address LLVM knows nothing
// about. If one of them is (or holds) an array, all named locals of the function move with it, for
// they are what an overflow would hit. The order is that of clang -O0: the first declared local has
// the highest address.
//
//     %buf = alloca [8 x i8]             %frame = alloca [12 x i8]
//     %n = alloca i32                    %0 = call ptr asm "", "=r,0"(ptr %frame)
//                                        %n = getelementptr i8, ptr %0, i64 0
//                                        %buf = getelementptr i8, ptr %0, i64 4
//
// The analysis wants promoted code (a pointer kept in a local hides what it points to), but the
// decision comes before promotion; so it runs on a promoted clone.
#ifndef CULPRIT_COMPILER_MEMORY_FRAMES_H
#define CULPRIT_COMPILER_MEMORY_FRAMES_H

#include "compiler/memory/unsafe_locals.h"

#include <llvm/IR/Module.h>

namespace culprit {

/// Attribute of the call that yields a frame's address. Its value is "private" when no address of a
/// member leaves the function's own accesses: then only pointers visibly derived from the frame
/// point into it.
inline constexpr char kFrameAttribute[] = "culprit-frame";

/// Metadata of a local that may be reached through other pointers although it is in no frame: those
/// of coroutines, which the splitting of the coroutine has to recognise.
inline constexpr char kSharedLocal[] = "culprit.shared";

/// `unsafe` must have been found on the pristine module: markers and counters would hide from the
/// analysis what is safe, and frames would differ from mode to mode.
void buildFrames(llvm::Module &module, const UnsafeLocals &unsafe);

} // namespace culprit
#endif

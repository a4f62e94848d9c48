// Keeps callers on the stack, so that a failing call has the line where it is written.
//
// A call at the end of a function becomes a jump: when the callee then fails, nobody knows any more
// that the function was there, and the report names the call before. So
//
// - a function that was built at -O0, where nothing becomes a jump, keeps all its calls. A
// recursion
//   without end stays one: it is not made a loop that never fails;
// - calls that leave the program, or go through a pointer, which may be null, stay calls.
//
// Other calls of optimised functions may become jumps, as in the program: it may need that to go as
// deep as it goes. `musttail` is kept.
#ifndef CULPRIT_COMPILER_MEMORY_TAIL_CALLS_H
#define CULPRIT_COMPILER_MEMORY_TAIL_CALLS_H

#include <llvm/IR/Module.h>

namespace culprit {

/// Before flattenMemory, which forgets what was built at -O0.
void keepCallers(llvm::Module &module);

} // namespace culprit
#endif

// Arguments passed by value in memory: the callee's copy becomes a local of its own.
//
// The caller leaves such an argument on the machine stack, where an overflow would reach what is
// not the program's. As a local it is placed like any other (frames.h).
#ifndef CULPRIT_COMPILER_MEMORY_BY_VALUE_H
#define CULPRIT_COMPILER_MEMORY_BY_VALUE_H

#include <llvm/IR/Module.h>

namespace culprit {

/// Sites must be numbered already: the copies are none.
void copyByValueArguments(llvm::Module &module);

} // namespace culprit
#endif

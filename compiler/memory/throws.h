// Keeps where exceptions come from.
//
// Who throws into a function that lets nothing out (noexcept, a destructor) ends the program, and
// by then the calls between the two have been left. So the runtime is told before: it keeps the
// last few, by the object that is thrown.
#ifndef CULPRIT_COMPILER_MEMORY_THROWS_H
#define CULPRIT_COMPILER_MEMORY_THROWS_H

#include <llvm/IR/Module.h>

namespace culprit {

void announceThrows(llvm::Module &module);

} // namespace culprit
#endif

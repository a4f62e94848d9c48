// Programs that keep the address of errno, as dash and busybox do.
//
// errno is a cell of the program's, to which each question for its address moves what libc has set
// since the last one (externals/models/error_cells.cpp). Who keeps the address does not ask. In
// such a program errno is libc's own variable.
#ifndef CULPRIT_COMPILER_TWIN_KEPT_ERRNO_H
#define CULPRIT_COMPILER_TWIN_KEPT_ERRNO_H

#include <llvm/IR/Module.h>

namespace culprit {

/// Whether the module keeps the address of errno in a variable, or returns it. To be asked before
/// anything is optimised.
bool keepsErrno(const llvm::Module &module);

/// Lets the models know: the symbol is defined in the program.
void sayThatErrnoIsKept(llvm::Module &module);

} // namespace culprit
#endif

// Functions outside the program that it calls through pointers: hooks for malloc and free, tables
// of system calls.
//
// Who calls through a pointer does not know what the callee reads, writes and allocates. So where
// the address of such a function is taken, it becomes that of a function of ours that does nothing
// but call it, directly, and is followed like a shim: what the call defines is defined where the
// program made it.
#ifndef CULPRIT_COMPILER_SUPPRESS_OUTSIDE_ADDRESSES_H
#define CULPRIT_COMPILER_SUPPRESS_OUTSIDE_ADDRESSES_H

#include "compiler/suppress/origins.h"

#include <llvm/IR/Module.h>
#include <vector>

namespace culprit {

/// Replaces the addresses, and returns the functions that stand for them now.
std::vector<llvm::Function *> replaceOutsideAddresses(llvm::Module &module,
                                                      const OriginRequest &request);

} // namespace culprit
#endif

// Copies of memory into a local that is only ever used as one value: loads, which is what they
// mean.
//
//     call void @llvm.memcpy(ptr %value, ptr %p, i64 4)       %1 = load i32, ptr %p
//                                                             store i32 %1, ptr %value
//
// That is how programs read numbers that are not aligned. As a load it has one origin, as the
// value has; the local is promoted, and where nobody asks for its origin nothing is left to do.
#ifndef CULPRIT_COMPILER_SUPPRESS_SCALAR_COPIES_H
#define CULPRIT_COMPILER_SUPPRESS_SCALAR_COPIES_H

#include "compiler/suppress/suppressed_sites.h"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace culprit {

/// Before promotion, with sites attached. Those in `sites` stay what they are.
void loadScalarCopies(llvm::Module &module, const SuppressedSites &sites);

/// Whether a load was a copy: memory that nothing has defined stays so.
bool wasCopy(const llvm::LoadInst &load);

} // namespace culprit
#endif

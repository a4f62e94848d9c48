// Says plainly where pointers come from, for LLVM's StackSafetyAnalysis.
//
// The analysis follows a pointer to its accesses and into calls, but takes it for lost where it is
// returned, and an access through one of several pointers for one that may be anywhere. In C++ that
// is every object with an operator that returns *this, every argument of std::min. So, in a copy of
// the program that is never executed,
//   - callers use what they have passed in place of what a function returns of it,
//   - an access through one of several pointers becomes an access through each of them.
#ifndef CULPRIT_COMPILER_MEMORY_POINTER_FLOW_H
#define CULPRIT_COMPILER_MEMORY_POINTER_FLOW_H

#include <llvm/IR/Module.h>

namespace culprit {

/// `module` must be promoted. What it computes is another thing afterwards.
void straightenPointers(llvm::Module &module);

} // namespace culprit
#endif

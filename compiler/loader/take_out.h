// Takes out of a module what a flag of the original build put in and an analysis build must not
// have.
#ifndef CULPRIT_COMPILER_LOADER_TAKE_OUT_H
#define CULPRIT_COMPILER_LOADER_TAKE_OUT_H

#include <llvm/IR/Module.h>

namespace culprit {

/// Removes profiling by clang's front end (-fprofile-instr-generate, -fcoverage-mapping): its
/// intrinsics, counters' names and coverage records. The runtime of the original is still linked
/// and finds nothing to write.
void takeOutProfiling(llvm::Module &module);

} // namespace culprit
#endif

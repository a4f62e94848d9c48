// The description of a call from outside the program (abi/external_call.h) as constant data.
#ifndef CULPRIT_COMPILER_SUPPRESS_EXTERNAL_CALL_H
#define CULPRIT_COMPILER_SUPPRESS_EXTERNAL_CALL_H

#include "externals/policy/policy.h"

#include <llvm/IR/Module.h>

namespace culprit {

/// `row` may be null: nothing is known, every pointer may be read.
llvm::Constant *describeExternal(llvm::Module &module, const std::string &name,
                                 const ExternalFunction *row, uint64_t site, bool isFollowed);

} // namespace culprit
#endif

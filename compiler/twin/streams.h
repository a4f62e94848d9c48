// stdin, stdout and stderr of a program are those of its own streams (externals/shims/stream.h).
#ifndef CULPRIT_COMPILER_TWIN_STREAMS_H
#define CULPRIT_COMPILER_TWIN_STREAMS_H

#include <llvm/IR/Module.h>

namespace culprit {

/// Makes the module refer to the variables of our streams in place of libc's, which foreign code
/// keeps. A variable of such a name that the module defines stays, and is what other modules of the
/// program find in place of ours.
void useOwnStreams(llvm::Module &module);

} // namespace culprit
#endif

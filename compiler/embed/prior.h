// What a predictor knows before the first value of a module: what modules have in common, learned
// from many (train-prior). Writer and reader need the same one, so another prior is another
// encoding (abi::Encoding).
#ifndef CULPRIT_COMPILER_EMBED_PRIOR_H
#define CULPRIT_COMPILER_EMBED_PRIOR_H

#include "llvm/ADT/StringRef.h"

namespace culprit {

/// The file bitcode.prior; predictor.cpp has its format.
llvm::StringRef prior();

} // namespace culprit
#endif

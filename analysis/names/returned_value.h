// Values that a function only hands back, as an allocator of the program's own does with a block.
#ifndef CULPRIT_ANALYSIS_NAMES_RETURNED_VALUE_H
#define CULPRIT_ANALYSIS_NAMES_RETURNED_VALUE_H

#include <llvm/IR/Argument.h>

namespace culprit {

/// Whether nothing is done with a value but to compare and return it. It may be passed to functions
/// of which the same is true, as in `return checked(malloc(size));`.
bool isOnlyReturned(const llvm::Value &value);

/// The same, or what is returned is behind a header that the function sets in front of it, or
/// handed out through a parameter; it may be cleared, and asked about.
bool isReturnedBehindHeader(const llvm::Value &value);

/// The parameter that a value is, or is loaded from a local for; null: it is no such one.
const llvm::Argument *parameterIn(const llvm::Value &value);

} // namespace culprit
#endif

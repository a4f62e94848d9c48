// Which arguments a function of a library followed when it failed on the program's behalf: those
// that the policy table says are read, or written, and that may be wrong. The address of a variable
// or of a literal never is, unless the function follows what is in there.
#ifndef CULPRIT_ANALYSIS_NAMES_ARGUMENT_SEARCH_H
#define CULPRIT_ANALYSIS_NAMES_ARGUMENT_SEARCH_H

#include "analysis/names/access_search.h"

namespace culprit {

struct FollowedArguments {
  std::string function;                      ///< as the program calls it
  std::vector<const llvm::Value *> pointers; ///< one of these
};

/// Of the only call of such a function at the place; nothing where there are several, or none.
std::optional<FollowedArguments> followedArgumentsAt(const llvm::Function &function,
                                                     const AccessSite &site);

} // namespace culprit
#endif

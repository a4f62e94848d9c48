// Origin tracking and suppression for a whole module; see function_origins.h.
#ifndef CULPRIT_COMPILER_SUPPRESS_ORIGINS_H
#define CULPRIT_COMPILER_SUPPRESS_ORIGINS_H

#include "compiler/suppress/suppressed_sites.h"

#include <llvm/IR/Module.h>
#include <set>
#include <string>

namespace culprit {

struct OriginRequest {
  uint64_t firstSite = 0; ///< the program's number of the module's first site
  SuppressedSites sites;
  const std::set<std::string> *ownFunctions =
      nullptr;               ///< that the program's modules define, or C++ shims
  bool isShim = false;       ///< what it defines is defined by the program's call
  bool hasShimTwins = false; ///< shims are followed like the program's own functions
  bool tracesCopies = false; ///< of pointers, where the host asks for them
  bool suppresses = true;    ///< else nothing is ever corrupt
  bool checksReads = false;  ///< of guard words; where nothing is suppressed
  bool hasMarks = false;     ///< instead of origins: only whether a value is corrupt is followed
  std::string part;          ///< only that function and what is inlined are wanted; empty: all
};

/// `module` is promoted, with markers and skip edges (skip_edges.h).
void followOrigins(llvm::Module &module, const OriginRequest &request);

} // namespace culprit
#endif

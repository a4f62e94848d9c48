// A mode: what an analysis build does besides running the program. One file per mode; each defines
// its class and registers one instance.
//
// A twin is made in this order (compiler/twin/twin.cpp): number sites, `onPristine`, definition
// markers where the mode wants them, frames and flat memory, promotion and `onPromoted` where the
// mode wants it, full optimisation.
#ifndef CULPRIT_COMPILER_MODES_MODE_H
#define CULPRIT_COMPILER_MODES_MODE_H

#include "compiler/sites/site_table.h"
#include "compiler/suppress/suppressed_sites.h"

#include <llvm/IR/Module.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace culprit {

/// What a mode may know of the module at hand.
struct TwinContext {
  std::string moduleId;
  bool isThreaded = false; ///< the program starts threads
  /// A function of libc's as ours (externals/shims): it has no lines, its caller stands for it.
  bool isShim = false;
  bool hasShimTwins = false; ///< the program's calls of shims reach twins
  /// All functions that the program's modules define, for modes that want it.
  std::shared_ptr<const std::set<std::string>> ownFunctions;
  uint64_t firstSite = 0; ///< the program's number of the module's first site
  SuppressedSites sites;
  std::string part; ///< only that function is wanted, by its linkage name; empty: all of them
};

class Mode {
public:
  virtual ~Mode() = default;
  /// The word for it on command lines and in cache keys.
  virtual const char *name() const = 0;
  /// Whether definition markers stay, and `onPromoted` is called.
  virtual bool wantsPromoted() const { return false; }
  /// Whether sites must not be merged: then nothing is optimised beyond promotion.
  virtual bool keepsSitesApart() const { return false; }
  /// Whether the twin's line table speaks of sites although it is optimised.
  virtual bool wantsSiteLines() const { return keepsSitesApart(); }
  /// Whether functions of libc that only work on memory they are handed are linked as ours
  /// (externals/shims/instrumented), and all shims as twins: they read and write as the program
  /// does, and the mode's code is in them, too.
  virtual bool instrumentsShims() const { return false; }
  /// Whose code is in the shims' twins: modes that agree on it share them.
  virtual const Mode &modeOfShims() const { return *this; }
  /// Whether the build takes part in recordings and replays (runtime/recorder).
  virtual bool records() const { return false; }
  /// Whether the cache keeps the site table beside the twin.
  virtual bool wantsSites() const { return false; }
  /// Whether the context has `ownFunctions`.
  virtual bool wantsOwnFunctions() const { return false; }
  virtual void onPristine(llvm::Module &, const SiteTable &, const TwinContext &) const {}
  virtual void onPromoted(llvm::Module &, const SiteTable &, const TwinContext &) const {}
};

/// The registered mode of that name, or null.
const Mode *findMode(const std::string &name);

/// All registered modes.
const std::vector<const Mode *> &allModes();

/// A static object of this type in a mode's file makes the mode known.
struct ModeRegistration {
  explicit ModeRegistration(const Mode &mode);
};

} // namespace culprit
#endif

// Modes `suppress` and `suppress-exact`: where every value comes from, and runs without the effects
// of chosen executions.
//
// See compiler/suppress/function_origins.h. Line tables speak of sites, so that the address of a
// failing instruction tells which one it was. The optimiser may join or move instructions so that
// no site is left; the second mode, not optimised, runs the same way and keeps them all.
#include "compiler/modes/mode.h"
#include "compiler/suppress/origins.h"
#include "compiler/suppress/skip_edges.h"

namespace culprit {
using namespace llvm;
namespace {

class Suppress : public Mode {
public:
  Suppress(const char *name, bool keepsSitesApart)
      : name_(name), keepsSitesApart_(keepsSitesApart) {}

  const char *name() const override { return name_; }
  bool wantsSites() const override { return true; }
  bool wantsPromoted() const override { return true; }
  bool wantsSiteLines() const override { return true; }
  bool keepsSitesApart() const override { return keepsSitesApart_; }
  bool wantsOwnFunctions() const override { return true; }
  bool instrumentsShims() const override { return true; }

  void onPristine(Module &module, const SiteTable &, const TwinContext &context) const override {
    addSkipEdges(module, /*ticks=*/!context.isShim);
  }

  void onPromoted(Module &module, const SiteTable &, const TwinContext &context) const override {
    followOrigins(module, {context.firstSite, context.sites, context.ownFunctions.get(),
                           context.isShim, context.hasShimTwins, keepsSitesApart_});
  }

private:
  const char *name_;
  bool keepsSitesApart_;
};

const Suppress suppress("suppress", false);
const Suppress exactly("suppress-exact", true);
const ModeRegistration registration(suppress);
const ModeRegistration exactRegistration(exactly);

} // namespace
} // namespace culprit

// Modes `suppress`, `suppress-exact`, `origins` and `reads`: where every value comes from, and runs
// without the effects of chosen executions.
//
// See compiler/suppress/function_origins.h. Line tables speak of sites, so that the address of a
// failing instruction tells which one it was. The first mode says only how an altered run ends: it
// follows what is corrupt, and no origins. The optimiser may join or move instructions so that
// no site is left; the second mode, not optimised, runs the same way, keeps them all, and has the
// origins. The third is for runs in which nothing is suppressed: without the tests for what is
// corrupt most origins are of no use to anybody, and the optimiser takes them out. The fourth looks
// for reads of guard words.
#include "compiler/modes/mode.h"
#include "compiler/suppress/origins.h"
#include "compiler/suppress/scalar_copies.h"
#include "compiler/suppress/skip_edges.h"

namespace culprit {
using namespace llvm;
namespace {

class Suppress : public Mode {
public:
  struct Kind {
    bool keepsSitesApart, suppresses, hasMarks, checksReads;
  };
  Suppress(const char *name, const Kind &kind) : name_(name), kind_(kind) {}

  const char *name() const override { return name_; }
  bool wantsSites() const override { return true; }
  bool wantsPromoted() const override { return true; }
  bool wantsSiteLines() const override { return true; }
  bool keepsSitesApart() const override { return kind_.keepsSitesApart; }
  bool wantsOwnFunctions() const override { return true; }
  bool instrumentsShims() const override { return true; }
  const Mode &modeOfShims() const override;

  void onPristine(Module &module, const SiteTable &, const TwinContext &context) const override {
    if (!kind_.suppresses && !kind_.keepsSitesApart)
      loadScalarCopies(module, context.sites);
    prepareSkips(module,
                 {/*ticks=*/!context.isShim, /*edges=*/kind_.suppresses,
                  /*notes=*/kind_.keepsSitesApart && !context.isShim, &context.sites.branches});
  }

  void onPromoted(Module &module, const SiteTable &, const TwinContext &context) const override {
    followOrigins(module, {context.firstSite, context.sites, context.ownFunctions.get(),
                           context.isShim, context.hasShimTwins, kind_.keepsSitesApart,
                           kind_.suppresses, kind_.checksReads, kind_.hasMarks, context.part});
  }

private:
  const char *name_;
  Kind kind_;
};

const Suppress suppress("suppress", {false, true, true, false});
const Suppress exactly("suppress-exact", {true, true, false, false});
const Suppress origins("origins", {false, false, false, false});
const Suppress reads("reads", {true, false, false, true});
const ModeRegistration registration(suppress);
const ModeRegistration exactRegistration(exactly);
const ModeRegistration originsRegistration(origins);
const ModeRegistration readsRegistration(reads);

const Mode &Suppress::modeOfShims() const {
  bool isQuick = !kind_.keepsSitesApart; // the others are for closer looks, of which few are made
  return isQuick ? *this : exactly;
}

} // namespace
} // namespace culprit

// Mode `exact`: every site keeps its own code and its own count.
//
// After -O2 two stores may share one instruction, and a line holds many sites. This build is not
// optimised beyond promotion, its line table speaks of sites (compiler/sites/site_lines.h), and
// before each site that can fail its counter goes up: what fails is known as site and instance.
// Counters are 64-bit, one per thread and site of the module, in the section that mode `count`
// uses.
#include "abi/contract.h"
#include "abi/counters.h"
#include "compiler/memory/hooks.h"
#include "compiler/modes/mode.h"
#include "compiler/sites/numbering.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

namespace culprit {
using namespace llvm;
namespace {

bool canFail(const Site &site) {
  return site.kind != SiteKind::Branch && site.kind != SiteKind::Jump;
}

class Exact : public Mode {
public:
  const char *name() const override { return "exact"; }
  bool wantsSites() const override { return true; }
  bool keepsSitesApart() const override { return true; }
  bool instrumentsShims() const override { return true; }

  void onPristine(Module &module, const SiteTable &table,
                  const TwinContext &context) const override {
    if (table.sites.empty())
      return;
    ArrayType *sites = ArrayType::get(Type::getInt64Ty(module.getContext()), table.sites.size());
    ArrayType *type = ArrayType::get(sites, abi::kCountBanks);
    auto *counters = new GlobalVariable(
        module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
        ConstantAggregateZero::get(type), abi::kCountSymbolPrefix + context.moduleId);
    counters->setSection(abi::kCountSection);
    counters->setAlignment(Align(8));
    for (Function &function : module)
      if (hasSites(function))
        countSites(function, table, type, counters);
  }

private:
  static void countSites(Function &function, const SiteTable &table, ArrayType *type,
                         GlobalVariable *counters) {
    GlobalVariable *banks = declareVariable(*function.getParent(), Hook::__culprit_count_bank);
    for (Instruction &instruction : instructions(function)) {
      std::optional<uint32_t> site = siteOf(instruction);
      if (!site || !canFail(table.sites[*site]) || isa<PHINode>(instruction) ||
          isa<AllocaInst>(instruction) || instruction.isEHPad())
        continue;
      // A musttail call's result must be returned at once; in front of the call there is room.
      if (auto *end = dyn_cast<ReturnInst>(&instruction);
          end && end->getParent()->getTerminatingMustTailCall())
        continue;
      IRBuilder<> builder(&instruction);
      Value *bank = builder.CreateLoad(builder.getInt64Ty(), banks);
      Value *slot = builder.CreateInBoundsGEP(type, counters,
                                              {builder.getInt64(0), bank, builder.getInt64(*site)});
      Value *count = builder.CreateLoad(builder.getInt64Ty(), slot);
      builder.CreateStore(builder.CreateAdd(count, builder.getInt64(1)), slot);
    }
  }
};

const Exact exactMode;
const ModeRegistration registration(exactMode);

} // namespace
} // namespace culprit

// See take_out.h.
#include "compiler/loader/take_out.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace culprit {
using namespace llvm;

namespace {

bool isProfilingGlobal(const GlobalVariable &global) {
  StringRef name = global.getName();
  return global.getSection().starts_with("__llvm_cov") ||
         global.getSection().starts_with("__llvm_prf") || name.starts_with("__profn_") ||
         name.starts_with("__covrec_") || name.starts_with("__llvm_coverage") ||
         name.starts_with("__llvm_prf") || name.starts_with("__llvm_profile");
}

} // namespace

void takeOutProfiling(Module &module) {
  for (Function &function : module)
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if (isa<InstrProfInstBase>(call))
          call->eraseFromParent();
  SmallPtrSet<Constant *, 16> profiling;
  for (GlobalVariable &global : module.globals())
    if (isProfilingGlobal(global))
      profiling.insert(&global);
  if (profiling.empty())
    return;
  removeFromUsedLists(module, [&](Constant *constant) {
    return profiling.contains(constant->stripPointerCasts());
  });
  for (Constant *constant : profiling) {
    auto *global = cast<GlobalVariable>(constant);
    global->replaceAllUsesWith(PoisonValue::get(global->getType()));
    global->eraseFromParent();
  }
}

} // namespace culprit

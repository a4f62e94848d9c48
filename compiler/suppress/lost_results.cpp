// See lost_results.h.
#include "compiler/suppress/lost_results.h"

#include "compiler/sites/numbering.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace culprit {
using namespace llvm;

namespace {

/// Whether debug information tells which slots are variables.
bool namesVariables(const Function &function) {
  const DISubprogram *described = function.getSubprogram();
  return described && described->getUnit() &&
         described->getUnit()->getEmissionKind() == DICompileUnit::FullDebug;
}

} // namespace

LostResults::LostResults(Function &function) {
  bool hasNames = namesVariables(function);
  for (Instruction &instruction : function.getEntryBlock()) {
    auto *slot = dyn_cast<AllocaInst>(&instruction);
    if (!slot || !isAllocaPromotable(slot) ||
        !(hasNames ? findDVRDeclares(slot).empty() : isCleanupSlot(slot)))
      continue;
    for (User *user : slot->users())
      if (auto *store = dyn_cast<StoreInst>(user))
        stored_[store->getParent()].push_back(slot);
  }
}

void LostResults::lose(IRBuilder<> &builder, const SkippedBlocks &skipped,
                       BasicBlock *meeting) const {
  SmallSetVector<AllocaInst *, 4> lost;
  if (auto slots = joins_.find(meeting); slots != joins_.end())
    lost.insert(slots->second.begin(), slots->second.end());
  for (BasicBlock *block : skipped)
    if (auto slots = stored_.find(block); slots != stored_.end())
      lost.insert(slots->second.begin(), slots->second.end());
  Module &module = *builder.GetInsertBlock()->getModule();
  for (AllocaInst *slot : lost) {
    std::string name = kLostPrefix;
    raw_string_ostream(name) << *slot->getAllocatedType();
    FunctionCallee result = module.getOrInsertFunction(name, slot->getAllocatedType());
    cast<Function>(result.getCallee())->setDoesNotThrow();
    builder.CreateStore(builder.CreateCall(result), slot);
  }
}

} // namespace culprit

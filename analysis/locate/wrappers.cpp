// See wrappers.h. Read from the stored bitcode: a parameter is a slot that holds it from entry on.
#include "analysis/locate/wrappers.h"

#include "compiler/loader/module.h"
#include "compiler/sites/numbering.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>

namespace culprit {
using namespace llvm;

namespace {

bool isParameter(const Value *value) {
  while (auto *cast = dyn_cast<CastInst>(value))
    value = cast->getOperand(0);
  if (isa<Argument>(value))
    return true;
  auto *load = dyn_cast<LoadInst>(value);
  auto *slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  if (!slot)
    return false;
  return all_of(slot->users(), [&](const User *user) {
    auto *store = dyn_cast<StoreInst>(user);
    return !store ||
           (store->getPointerOperand() == slot && isa<Argument>(store->getValueOperand()));
  });
}

bool handsOn(const CallBase &call) {
  bool isAny = false;
  for (const Value *argument : call.args()) {
    if (isa<Constant>(argument))
      continue;
    if (!isParameter(argument))
      return false;
    isAny = true;
  }
  return isAny;
}

} // namespace

bool handsOnParameters(const Program &program, const SiteAddress &site) {
  for (const Image *image : program.images())
    for (const Entry *entry : image->modules()) {
      if (entry->id != site.moduleId)
        continue;
      LLVMContext context;
      std::string bitcode = payloadOf(*image, *entry);
      std::unique_ptr<Module> module = readModule(context, bitcode, image->path.string());
      numberSites(*module, /*attach=*/true);
      for (Function &function : *module)
        for (Instruction &instruction : instructions(function))
          if (auto *call = dyn_cast<CallBase>(&instruction); call && siteOf(*call) == site.site)
            return handsOn(*call);
    }
  return false;
}

} // namespace culprit

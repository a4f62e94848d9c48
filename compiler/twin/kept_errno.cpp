// See kept_errno.h.
#include "compiler/twin/kept_errno.h"

#include "abi/contract.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace culprit {
using namespace llvm;

namespace {

/// Whether the address is there after `use`; a function that is called with it is thought to be
/// done with it when it returns.
bool isKeptBy(const User &use, const Value &address) {
  return getLoadStorePointerOperand(&use) != &address && !isa<CallBase>(use) && !isa<CmpInst>(use);
}

} // namespace

bool keepsErrno(const Module &module) {
  const Function *location = module.getFunction("__errno_location");
  if (!location)
    return false;
  for (const User *user : location->users())
    if (const auto *call = dyn_cast<CallBase>(user))
      for (const User *use : call->users())
        if (isKeptBy(*use, *call))
          return true;
  return false;
}

void sayThatErrnoIsKept(Module &module) {
  Type *type = Type::getInt8Ty(module.getContext());
  auto *mark = new GlobalVariable(module, type, /*isConstant=*/true, GlobalValue::WeakODRLinkage,
                                  ConstantInt::get(type, 1), abi::kErrnoIsKeptSymbol);
  mark->setVisibility(GlobalValue::HiddenVisibility);
  mark->setSection(".rodata.culprit_errno");
  appendToUsed(module, {mark});
}

} // namespace culprit

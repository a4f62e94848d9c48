// See borrowed.h.
#include "compiler/loader/borrowed.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>

namespace culprit {
using namespace llvm;

void ownBorrowedBodies(Module &module) {
  SmallVector<Function *, 32> borrowed;
  for (Function &function : module)
    if (function.hasAvailableExternallyLinkage() &&
        !function.hasFnAttribute(Attribute::AlwaysInline))
      borrowed.push_back(&function);
  for (Function *body : borrowed) {
    std::string name = body->getName().str();
    body->setName(name + kBorrowedMark);
    Function *owner = Function::Create(body->getFunctionType(), GlobalValue::ExternalLinkage,
                                       body->getAddressSpace(), name, &module);
    owner->copyAttributesFrom(body);
    owner->setPersonalityFn(nullptr);
    owner->setComdat(nullptr);
    body->setComdat(nullptr);
    body->setLinkage(GlobalValue::InternalLinkage);
    body->setVisibility(GlobalValue::DefaultVisibility);
    body->setDLLStorageClass(GlobalValue::DefaultStorageClass);
    body->replaceUsesWithIf(owner, [&](Use &use) {
      auto *call = dyn_cast<CallBase>(use.getUser());
      return !call || !call->isCallee(&use);
    });
  }
}

} // namespace culprit

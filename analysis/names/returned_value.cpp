// See returned_value.h. Works on code that is not promoted: variables are slots.
#include "analysis/names/returned_value.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

/// Follows a value to its uses, and the places that it gets to.
class Uses {
public:
  bool areHarmless(const Value &start) {
    open_.push_back(&start);
    while (!open_.empty()) {
      const Value *next = open_.pop_back_val();
      if (!seen_.insert(next).second)
        continue;
      for (const Use &use : next->uses())
        if (!isHarmless(*next, use))
          return false;
    }
    return true;
  }

private:
  bool isHarmless(const Value &value, const Use &use) {
    const User *user = use.getUser();
    if (isa<ReturnInst>(user) || isa<CmpInst>(user) || isa<LifetimeIntrinsic>(user) ||
        isa<DbgInfoIntrinsic>(user))
      return true;
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() != &value)
        return isa<AllocaInst>(value);
      open_.push_back(store->getPointerOperand());
      return isa<AllocaInst>(store->getPointerOperand());
    }
    if (auto *call = dyn_cast<CallBase>(user))
      return isHandedBack(*call, use);
    open_.push_back(user);
    return isa<CastInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user) ||
           (isa<LoadInst>(user) && isa<AllocaInst>(value));
  }

  bool isHandedBack(const CallBase &call, const Use &use) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || !call.isArgOperand(&use) ||
        call.getArgOperandNo(&use) >= callee->arg_size())
      return false;
    open_.push_back(callee->getArg(call.getArgOperandNo(&use)));
    open_.push_back(&call);
    return true;
  }

  SmallPtrSet<const Value *, 16> seen_;
  SmallVector<const Value *, 16> open_;
};

} // namespace

bool isOnlyReturned(const Value &value) {
  return Uses().areHarmless(value);
}

} // namespace culprit

// See returned_value.h. Works on code that is not promoted: variables are slots.
#include "analysis/names/returned_value.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

/// Follows a value to its uses, and the places that it gets to.
class Uses {
public:
  bool areHarmless(const Value &start) {
    open_.push_back({&start, nullptr});
    while (!open_.empty()) {
      Reached next = open_.pop_back_val();
      if (!seen_.insert(next).second)
        continue;
      for (const Use &use : next.first->uses())
        if (!isHarmless(next, use))
          return false;
    }
    return true;
  }

private:
  using Reached = std::pair<const Value *, const StoreInst *>; ///< of a slot: by which store

  bool isHarmless(const Reached &reached, const Use &use) {
    const Value &value = *reached.first;
    const User *user = use.getUser();
    if (isa<ReturnInst>(user) || isa<CmpInst>(user) || isa<LifetimeIntrinsic>(user) ||
        isa<DbgInfoIntrinsic>(user))
      return true;
    if (auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() != &value)
        return isa<AllocaInst>(value);
      open_.push_back({store->getPointerOperand(), store});
      return isa<AllocaInst>(store->getPointerOperand());
    }
    if (auto *call = dyn_cast<CallBase>(user))
      return isHandedBack(*call, use);
    auto *load = dyn_cast<LoadInst>(user);
    if (load && reached.second && !isPotentiallyReachable(reached.second, load))
      return true; // what the slot holds there is something else
    open_.push_back({user, nullptr});
    return isa<CastInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user) ||
           (load && isa<AllocaInst>(value));
  }

  bool isHandedBack(const CallBase &call, const Use &use) {
    const Function *callee = call.getCalledFunction();
    if (!callee || callee->isDeclaration() || !call.isArgOperand(&use) ||
        call.getArgOperandNo(&use) >= callee->arg_size())
      return false;
    open_.push_back({callee->getArg(call.getArgOperandNo(&use)), nullptr});
    open_.push_back({&call, nullptr});
    return true;
  }

  DenseSet<Reached> seen_;
  SmallVector<Reached, 16> open_;
};

} // namespace

bool isOnlyReturned(const Value &value) {
  return Uses().areHarmless(value);
}

} // namespace culprit

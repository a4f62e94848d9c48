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
  explicit Uses(bool mayHaveHeader) : mayHaveHeader_(mayHaveHeader) {}

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
    return headerEnd_ == 0 || (returnedAt_ != kNowhere && headerEnd_ <= returnedAt_);
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
      if (mayHaveHeader_ && parameterIn(*store->getPointerOperand()))
        return true;
      open_.push_back({store->getPointerOperand(), store});
      return isa<AllocaInst>(store->getPointerOperand());
    }
    if (auto *call = dyn_cast<CallBase>(user))
      return isHandedBack(*call, use) || (mayHaveHeader_ && isClearedOrAsked(*call, use));
    if (auto *part = dyn_cast<GetElementPtrInst>(user))
      return mayHaveHeader_ && isPart(*part);
    auto *load = dyn_cast<LoadInst>(user);
    if (load && reached.second && !isPotentiallyReachable(reached.second, load))
      return true; // what the slot holds there is something else
    open_.push_back({user, nullptr});
    return isa<CastInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user) ||
           (load && isa<AllocaInst>(value));
  }

  /// Whether a part of the block is in the header, and only accessed there, or is returned.
  bool isPart(const GetElementPtrInst &part) {
    const DataLayout &data = part.getModule()->getDataLayout();
    APInt offset(data.getIndexTypeSizeInBits(part.getType()), 0);
    const Value *block = part.stripAndAccumulateConstantOffsets(data, offset, true);
    if (block == &part || isa<GetElementPtrInst>(block) || offset.isNegative())
      return false;
    for (const Value *user : part.users()) {
      auto *store = dyn_cast<StoreInst>(user);
      auto *inner = dyn_cast<GetElementPtrInst>(user);
      bool isSet = store && store->getPointerOperand() == &part;
      if (isSet || isa<LoadInst>(user)) {
        Type *type = isSet ? store->getValueOperand()->getType() : user->getType();
        uint64_t size = data.getTypeStoreSize(type);
        headerEnd_ = std::max(headerEnd_, offset.getZExtValue() + size);
      } else if (inner) {
        if (!isPart(*inner))
          return false;
      } else {
        returnedAt_ = std::min(returnedAt_, offset.getZExtValue());
        open_.push_back({&part, nullptr});
      }
    }
    return true;
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

  /// A function that nothing is known of, and that gets the block alone and returns a number, tells
  /// how large it is.
  static bool isClearedOrAsked(const CallBase &call, const Use &use) {
    if (auto *set = dyn_cast<MemSetInst>(&call))
      return &set->getRawDestUse() == &use;
    return call.isIndirectCall() && call.arg_size() == 1 && call.getType()->isIntegerTy();
  }

  static constexpr uint64_t kNowhere = ~uint64_t{0};

  bool mayHaveHeader_;
  uint64_t headerEnd_ = 0;         ///< of what is accessed in the block; 0: nothing is
  uint64_t returnedAt_ = kNowhere; ///< where in the block the part is that is returned
  DenseSet<Reached> seen_;
  SmallVector<Reached, 16> open_;
};

} // namespace

const Argument *parameterIn(const Value &value) {
  auto *load = dyn_cast<LoadInst>(&value);
  auto *slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  if (!slot)
    return dyn_cast<Argument>(&value);
  const Argument *parameter = nullptr;
  for (const User *user : slot->users()) {
    if (isa<LoadInst>(user) || isa<LifetimeIntrinsic>(user) || isa<DbgInfoIntrinsic>(user))
      continue;
    auto *store = dyn_cast<StoreInst>(user);
    if (parameter || !store || store->getPointerOperand() != slot)
      return nullptr; // it may be something else by now
    parameter = dyn_cast<Argument>(store->getValueOperand());
    if (!parameter)
      return nullptr;
  }
  return parameter;
}

bool isOnlyReturned(const Value &value) {
  return Uses(false).areHarmless(value);
}

bool isReturnedBehindHeader(const Value &value) {
  return Uses(true).areHarmless(value);
}

} // namespace culprit

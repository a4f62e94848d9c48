// See pointer_flow.h.
#include "compiler/memory/pointer_flow.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Local.h>

namespace culprit {
using namespace llvm;

namespace {

/// A value that is not computed from other pointers, and how far from it.
using Place = std::pair<Value *, int64_t>;

/// The places that a pointer can be, as far as constant steps and choices tell.
class Places {
public:
  static constexpr size_t kMost = 8;

  Places(Value *pointer, const DataLayout &layout) : layout_(layout) {
    isKnown_ = follow(pointer, 0);
  }

  /// False: there are too many, or a loop moves the pointer.
  bool areKnown() const { return isKnown_; }
  ArrayRef<Place> all() const { return places_; }

private:
  bool follow(Value *pointer, int64_t offset) {
    APInt step(layout_.getIndexTypeSizeInBits(pointer->getType()), 0);
    pointer = pointer->stripAndAccumulateConstantOffsets(layout_, step, /*AllowNonInbounds=*/true);
    offset += step.getSExtValue();
    Place place{pointer, offset};
    if (isa<SelectInst>(pointer) || isa<PHINode>(pointer)) {
      for (const Place &seen : seen_)
        if (seen.first == pointer)
          return seen == place;
      seen_.push_back(place);
      unsigned first = isa<SelectInst>(pointer) ? 1 : 0; // behind the condition
      return all_of(drop_begin(cast<Instruction>(pointer)->operands(), first),
                    [&](Use &value) { return follow(value.get(), offset); });
    }
    if (!is_contained(places_, place))
      places_.push_back(place);
    return places_.size() <= kMost;
  }

  const DataLayout &layout_;
  SmallVector<Place, 4> places_;
  SmallVector<Place, 8> seen_;
  bool isKnown_;
};

Value *pointerTo(IRBuilder<> &builder, const Place &place) {
  return place.second == 0
             ? place.first
             : builder.CreateGEP(builder.getInt8Ty(), place.first, builder.getInt64(place.second));
}

/// What a function returns if that is always null, or one of its arguments or a place in what that
/// points to; else empty.
SmallVector<Place, 4> returnedPlaces(Function &function, const DataLayout &layout) {
  SmallVector<Place, 4> returned;
  if (!function.getReturnType()->isPointerTy() || function.isInterposable())
    return {};
  for (BasicBlock &block : function)
    if (auto *exit = dyn_cast<ReturnInst>(block.getTerminator())) {
      Places places(exit->getReturnValue(), layout);
      if (block.getTerminatingMustTailCall() || !places.areKnown())
        return {};
      for (const Place &place : places.all()) {
        if (!isa<Argument>(place.first) && !isa<Constant>(place.first))
          return {};
        if (!is_contained(returned, place))
          returned.push_back(place);
      }
    }
  bool isPassed = any_of(returned, [](const Place &place) { return isa<Argument>(place.first); });
  return isPassed && returned.size() <= Places::kMost ? returned : SmallVector<Place, 4>{};
}

/// One of the passed pointers, whichever.
Value *passedTo(CallBase &call, ArrayRef<Place> returned) {
  IRBuilder<> builder(&call);
  Value *result = nullptr;
  for (auto [value, offset] : returned) {
    auto *argument = dyn_cast<Argument>(value);
    Value *passed = argument ? call.getArgOperand(argument->getArgNo()) : value;
    if (passed == &call) // as it may in code that no path reaches
      return nullptr;
    Value *pointer = pointerTo(builder, {passed, offset});
    result = result ? builder.CreateSelect(UndefValue::get(builder.getInt1Ty()), result, pointer)
                    : pointer;
  }
  return result;
}

bool forgetReturned(Function &function, const DataLayout &layout) {
  SmallVector<Place, 4> returned = returnedPlaces(function, layout);
  if (returned.empty())
    return false;
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &function)
      if (Value *passed = passedTo(*call, returned))
        call->replaceAllUsesWith(passed);
  for (BasicBlock &block : function)
    if (auto *exit = dyn_cast<ReturnInst>(block.getTerminator()))
      exit->setOperand(0, PoisonValue::get(function.getReturnType()));
  return true;
}

void forgetAllReturned(Module &module) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (Function &function : module)
      isChanged |= !function.isDeclaration() && forgetReturned(function, module.getDataLayout());
  }
}

/// Whether a pointer to it can be had anywhere in the function.
bool isEverywhere(const Value *value) {
  auto *local = dyn_cast<AllocaInst>(value);
  return isa<Argument>(value) || (local && local->isStaticAlloca());
}

/// Whether what an access through the pointer does is not the analysis' business.
bool isNobodys(const Value *value) {
  return isa<Constant>(value) || isa<LoadInst>(value) || isa<CallBase>(value);
}

/// Whether an operand of an instruction is a pointer that is accessed through, and no more.
bool isAccess(const Use &use) {
  if (isa<LoadInst>(use.getUser()))
    return true;
  if (isa<StoreInst>(use.getUser()))
    return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  auto *call = dyn_cast<CallBase>(use.getUser());
  return call && call->isDataOperand(&use) && call->isArgOperand(&use) && !call->isMustTailCall() &&
         !isa<DbgInfoIntrinsic>(call);
}

Instruction *copyOf(Instruction &access) {
  if (auto *invoke = dyn_cast<InvokeInst>(&access))
    return createCallMatchingInvoke(invoke);
  return access.clone();
}

/// Makes an access through a choice one through each place. Those that are none of locals and
/// arguments do not matter.
void spread(Use &use, const DataLayout &layout) {
  auto &access = *cast<Instruction>(use.getUser());
  Places places(use.get(), layout);
  if (!places.areKnown() || !all_of(places.all(), [](const Place &place) {
        return isEverywhere(place.first) || isNobodys(place.first);
      }))
    return;
  use.set(PoisonValue::get(use->getType()));
  IRBuilder<> builder(&access);
  for (const Place &place : places.all())
    if (isEverywhere(place.first)) {
      Value *pointer = pointerTo(builder, place);
      Instruction *copy = copyOf(access);
      copy->setOperand(use.getOperandNo(), pointer);
      if (!copy->getParent())
        builder.Insert(copy);
    }
}

bool isChoice(const Value *pointer, const DataLayout &layout) {
  APInt step(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  pointer = pointer->stripAndAccumulateConstantOffsets(layout, step, /*AllowNonInbounds=*/true);
  return isa<SelectInst>(pointer) || isa<PHINode>(pointer);
}

/// Copies may have choices among their other operands: at most `budget` of them are made.
void spreadChoices(Function &function, const DataLayout &layout) {
  size_t budget = size_t{4} * function.getInstructionCount();
  SmallVector<Instruction *, 64> pending;
  for (Instruction &instruction : instructions(function))
    pending.push_back(&instruction);
  for (; !pending.empty() && budget > 0; --budget) {
    Instruction *instruction = pending.pop_back_val();
    for (Use &use : instruction->operands())
      if (use->getType()->isPointerTy() && isAccess(use) && isChoice(use, layout)) {
        Instruction *before = instruction->getPrevNode();
        spread(use, layout);
        for (Instruction *copy = instruction->getPrevNode(); copy != before;
             copy = copy->getPrevNode())
          pending.push_back(copy);
      }
  }
}

} // namespace

void straightenPointers(Module &module) {
  forgetAllReturned(module);
  for (Function &function : module)
    spreadChoices(function, module.getDataLayout());
}

} // namespace culprit

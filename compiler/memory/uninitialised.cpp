// See uninitialised.h.
#include "compiler/memory/uninitialised.h"

#include "compiler/memory/frame_stack.h"
#include "compiler/memory/hooks.h"
#include "compiler/sites/markers.h"
#include "compiler/sites/numbering.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

namespace {

bool isScalar(const Type *type) {
  return type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
}

/// The pattern's low bits as a value of `type`; repeated for wider integers.
Value *asType(IRBuilder<> &builder, Value *pattern, Type *type) {
  unsigned bits = type->isPointerTy() ? 64 : type->getScalarSizeInBits();
  Value *value = pattern;
  for (unsigned width = 64; width < bits; width *= 2) {
    Type *wider = builder.getIntNTy(width * 2);
    Value *low = builder.CreateZExt(value, wider);
    value = builder.CreateOr(low, builder.CreateShl(low, width));
  }
  value = builder.CreateTrunc(value, builder.getIntNTy(bits));
  return type->isPointerTy() ? builder.CreateIntToPtr(value, type)
                             : builder.CreateBitCast(value, type);
}

/// Behind the locals that a function starts with. What alloca() makes later has a place of its own:
/// there the others hold values.
Instruction *afterDeclarations(BasicBlock &entry) {
  for (Instruction &instruction : entry)
    if (!isa<AllocaInst>(instruction))
      return &instruction;
  return nullptr;
}

void fill(Function &function, GlobalVariable *pattern, bool hasMarkers) {
  SmallVector<AllocaInst *, 32> scalars;
  for (Instruction &instruction : function.getEntryBlock())
    if (auto *local = dyn_cast<AllocaInst>(&instruction))
      if (local->isStaticAlloca() && !local->isArrayAllocation() && !local->isSwiftError() &&
          isScalar(local->getAllocatedType()))
        scalars.push_back(local);
  if (scalars.empty())
    return;
  for (AllocaInst *local : scalars)
    for (User *user : make_early_inc_range(local->users()))
      if (auto *call = dyn_cast<IntrinsicInst>(user); call && call->isLifetimeStartOrEnd())
        call->eraseFromParent();
  Instruction *start = afterDeclarations(function.getEntryBlock());
  IRBuilder<> builder(start);
  Value *bits = builder.CreateLoad(builder.getInt64Ty(), pattern, "pattern");
  for (AllocaInst *local : scalars) {
    builder.SetInsertPoint(local->comesBefore(start) ? start : local->getNextNode());
    Value *value = asType(builder, bits, local->getAllocatedType());
    if (std::optional<uint32_t> site = siteOf(*local); site && hasMarkers)
      value = markDefinition(builder, value, *site);
    builder.CreateStore(value, local);
  }
}

bool isLifetimeStart(const Instruction *instruction) {
  auto *call = dyn_cast_or_null<IntrinsicInst>(instruction);
  return call && call->getIntrinsicID() == Intrinsic::lifetime_start;
}

/// Where arrays and structs come to life: in front of an instruction, several at the entry.
using Births = MapVector<Instruction *, SmallVector<AllocaInst *, 4>>;

Births birthsIn(Function &function) {
  Births births;
  Instruction *start = gatherAllocas(function);
  for (Instruction &instruction : function.getEntryBlock()) {
    auto *local = dyn_cast<AllocaInst>(&instruction);
    if (!local || !local->isStaticAlloca() || local->isArrayAllocation() ||
        !local->getAllocatedType()->isAggregateType())
      continue;
    bool isScoped = false;
    for (User *user : local->users()) {
      Instruction *place = dyn_cast<IntrinsicInst>(user);
      isScoped |= isLifetimeStart(place);
      if (!isLifetimeStart(place))
        continue;
      while (isLifetimeStart(place))
        place = place->getNextNode();
      births[place].push_back(local);
    }
    if (!isScoped)
      births[start].push_back(local);
  }
  return births;
}

/// if (fills) memset(local, pattern, size), for each of `locals`.
void fillAt(Instruction *place, ArrayRef<AllocaInst *> locals, GlobalVariable *fills,
            GlobalVariable *pattern, bool hasMarkers) {
  IRBuilder<> builder(place);
  Value *byte = builder.CreateLoad(builder.getInt8Ty(), pattern, "pattern");
  Value *isWanted = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt64Ty(), fills));
  MDNode *unlikely = MDBuilder(builder.getContext()).createUnlikelyBranchWeights();
  const DataLayout &layout = place->getModule()->getDataLayout();
  builder.SetInsertPoint(
      SplitBlockAndInsertIfThen(isWanted, place, /*Unreachable=*/false, unlikely));
  for (AllocaInst *local : locals) {
    Value *value = byte;
    if (std::optional<uint32_t> site = siteOf(*local); site && hasMarkers)
      value = markDefinition(builder, byte, *site);
    uint64_t size = layout.getTypeAllocSize(local->getAllocatedType()).getFixedValue();
    builder.CreateMemSet(local, value, size, local->getAlign());
  }
}

bool hasLocals(const Function &function) {
  return !function.isDeclaration() && !function.hasFnAttribute(Attribute::Naked) &&
         !function.isPresplitCoroutine();
}

} // namespace

void fillUninitialised(Module &module, bool hasMarkers) {
  GlobalVariable *pattern = declareVariable(module, Hook::__culprit_uninitialised);
  for (Function &function : module)
    if (hasLocals(function))
      fill(function, pattern, hasMarkers);
}

void fillAggregates(Module &module, bool hasMarkers) {
  GlobalVariable *fills = declareVariable(module, Hook::__culprit_fills_locals);
  GlobalVariable *pattern = declareVariable(module, Hook::__culprit_uninitialised);
  for (Function &function : module)
    if (hasLocals(function))
      for (const auto &[place, locals] : birthsIn(function))
        fillAt(place, locals, fills, pattern, hasMarkers);
}

} // namespace culprit

// See uninitialised.h.
#include "compiler/memory/uninitialised.h"

#include "compiler/memory/hooks.h"
#include "compiler/sites/markers.h"
#include "compiler/sites/numbering.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

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

} // namespace

void fillUninitialised(Module &module, bool hasMarkers) {
  GlobalVariable *pattern = declareVariable(module, Hook::__culprit_uninitialised);
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasFnAttribute(Attribute::Naked) &&
        !function.isPresplitCoroutine())
      fill(function, pattern, hasMarkers);
}

} // namespace culprit

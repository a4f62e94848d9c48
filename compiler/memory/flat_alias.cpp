// See flat_alias.h.
#include "compiler/memory/flat_alias.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace culprit {
using namespace llvm;

AnalysisKey FlatAliasAnalysis::Key;

FlatAliasResult FlatAliasAnalysis::run(Function &function, FunctionAnalysisManager &) {
  return FlatAliasResult(function.getParent()->getDataLayout());
}

namespace {

/// Whether a pointer whose underlying object is `object` may still be derived from anything.
bool isOpaqueMix(const Value *object) {
  return isa<PHINode>(object) || isa<SelectInst>(object) || isa<IntToPtrInst>(object) ||
         isa<ConstantExpr>(object);
}

/// A remaining alloca is reached only through pointers visibly derived from it.
bool isPrivateLocal(const Value *object, const Value *other) {
  return isa<AllocaInst>(object) && object != other && !isOpaqueMix(other);
}

bool disjoint(int64_t firstOffset, LocationSize firstSize, int64_t secondOffset) {
  return firstSize.hasValue() && !firstSize.isScalable() &&
         firstOffset + static_cast<int64_t>(firstSize.getValue().getFixedValue()) <= secondOffset;
}

} // namespace

AliasResult FlatAliasResult::alias(const MemoryLocation &a, const MemoryLocation &b, AAQueryInfo &,
                                   const Instruction *) {
  int64_t offsetA = 0;
  int64_t offsetB = 0;
  const Value *baseA = GetPointerBaseWithConstantOffset(a.Ptr, offsetA, layout_);
  const Value *baseB = GetPointerBaseWithConstantOffset(b.Ptr, offsetB, layout_);
  if (baseA == baseB) {
    if (disjoint(offsetA, a.Size, offsetB) || disjoint(offsetB, b.Size, offsetA))
      return AliasResult::NoAlias;
    return offsetA == offsetB ? AliasResult::MustAlias : AliasResult::MayAlias;
  }
  const Value *objectA = getUnderlyingObject(baseA);
  const Value *objectB = getUnderlyingObject(baseB);
  if (isPrivateLocal(objectA, objectB) || isPrivateLocal(objectB, objectA))
    return AliasResult::NoAlias;
  return AliasResult::MayAlias;
}

ModRefInfo FlatAliasResult::getModRefInfoMask(const MemoryLocation &location, AAQueryInfo &,
                                              bool ignoreLocals) {
  const Value *object = getUnderlyingObject(location.Ptr);
  if (auto *global = dyn_cast<GlobalVariable>(object); global && global->isConstant())
    return ModRefInfo::NoModRef;
  if (ignoreLocals && isa<AllocaInst>(object))
    return ModRefInfo::NoModRef;
  return ModRefInfo::ModRef;
}

MemoryEffects FlatAliasResult::getMemoryEffects(const CallBase *call, AAQueryInfo &) {
  return call->getMemoryEffects();
}

MemoryEffects FlatAliasResult::getMemoryEffects(const Function *function) {
  return function->getMemoryEffects();
}

ModRefInfo FlatAliasResult::getModRefInfo(const CallBase *call, const MemoryLocation &location,
                                          AAQueryInfo &) {
  const Value *object = getUnderlyingObject(location.Ptr);
  if (!isa<AllocaInst>(object) || call == location.Ptr)
    return ModRefInfo::ModRef;
  for (const Value *operand : call->data_ops()) {
    if (!operand->getType()->isPtrOrPtrVectorTy())
      continue;
    const Value *source = getUnderlyingObject(operand);
    if (source == object || isOpaqueMix(source))
      return ModRefInfo::ModRef;
  }
  return ModRefInfo::NoModRef;
}

} // namespace culprit

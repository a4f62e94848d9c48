// See flat_alias.h.
#include "compiler/memory/flat_alias.h"

#include "compiler/memory/frames.h"

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

/// A local that stayed an alloca and is not marked as shared.
bool isOwnLocal(const Value *object) {
  auto *local = dyn_cast<AllocaInst>(object);
  return local && !(local->hasMetadataOtherThanDebugLoc() && local->getMetadata(kSharedLocal));
}

bool isFrame(const Value *object) {
  auto *call = dyn_cast<CallInst>(object);
  return call && call->hasFnAttr(kFrameAttribute);
}

bool isPrivateFrame(const Value *object) {
  return isFrame(object) &&
         cast<CallInst>(object)->getFnAttr(kFrameAttribute).getValueAsString() == "private";
}

/// Everything that `pointer` may be based on; empty when that is not known.
SmallVector<const Value *, 4> originsOf(const Value *pointer) {
  SmallVector<const Value *, 4> origins;
  getUnderlyingObjects(pointer, origins);
  for (const Value *origin : origins)
    if (isa<PHINode>(origin) || isa<SelectInst>(origin) || isa<IntToPtrInst>(origin) ||
        isa<ConstantExpr>(origin))
      return {};
  return origins;
}

/// Whether an access to `object`, a local or a frame, cannot be one through a pointer with
/// `origins`. A local's address may lie in memory (a frame keeps pointers to it), from where a
/// loaded pointer may have it.
bool isApart(const Value *object, ArrayRef<const Value *> origins, AAQueryInfo &query) {
  if (origins.empty())
    return false;
  bool isLocal = isOwnLocal(object);
  if (!isLocal && !isFrame(object))
    return false;
  return all_of(origins, [&](const Value *origin) {
    if (origin == object || (!isLocal && isFrame(origin)))
      return false;
    if (isOwnLocal(origin) || isa<GlobalVariable>(origin))
      return true;
    if (!isLocal)
      return isPrivateFrame(object);
    return isa<Argument>(origin) || isFrame(origin) ||
           query.CI->isNotCapturedBefore(object, nullptr, /*OrAt=*/true);
  });
}

/// Whether the same SSA value is the same pointer in both accesses. They may be of different rounds
/// of a loop, where a value computed in the loop differs.
bool isSameInBoth(const Value *base, const AAQueryInfo &query) {
  auto *instruction = dyn_cast<Instruction>(base);
  return !query.MayBeCrossIteration || !instruction || instruction->getParent()->isEntryBlock();
}

/// A pointer taken apart: `base`, plus the place of a frame's member if there is one, plus
/// `offset`.
struct Address {
  const Value *base = nullptr;
  const GlobalVariable *member = nullptr; ///< the symbol that stands for its offset
  int64_t offset = 0;
};

/// Reads `symbol + constant`, as the offset of a member ends up after folding.
const GlobalVariable *memberIn(const Value *index, int64_t &offset) {
  auto *expression = dyn_cast<ConstantExpr>(index);
  if (expression && expression->getOpcode() == Instruction::Add)
    if (auto *constant = dyn_cast<ConstantInt>(expression->getOperand(1))) {
      offset += constant->getSExtValue();
      expression = dyn_cast<ConstantExpr>(expression->getOperand(0));
    }
  if (!expression || expression->getOpcode() != Instruction::PtrToInt)
    return nullptr;
  auto *symbol = dyn_cast<GlobalVariable>(expression->getOperand(0));
  return symbol && symbol->getName().starts_with(kOffsetSymbolPrefix) ? symbol : nullptr;
}

Address takeApart(const Value *pointer, const DataLayout &layout) {
  Address address;
  address.base = GetPointerBaseWithConstantOffset(pointer, address.offset, layout);
  auto *step = dyn_cast<GEPOperator>(address.base);
  if (!step || step->getNumIndices() != 1 || !step->getSourceElementType()->isIntegerTy(8))
    return address;
  int64_t beyond = 0;
  address.member = memberIn(step->getOperand(1), beyond);
  if (!address.member)
    return address;
  int64_t before = 0;
  address.base = GetPointerBaseWithConstantOffset(step->getPointerOperand(), before, layout);
  address.offset += beyond + before;
  return address;
}

/// Whether an access stays inside the member whose address it started from.
bool isInside(const Address &address, LocationSize size, const DataLayout &layout) {
  auto bytes = static_cast<int64_t>(layout.getTypeAllocSize(address.member->getValueType()));
  return size.hasValue() && !size.isScalable() && address.offset >= 0 &&
         address.offset + static_cast<int64_t>(size.getValue().getFixedValue()) <= bytes;
}

bool disjoint(int64_t firstOffset, LocationSize firstSize, int64_t secondOffset) {
  return firstSize.hasValue() && !firstSize.isScalable() &&
         firstOffset + static_cast<int64_t>(firstSize.getValue().getFixedValue()) <= secondOffset;
}

} // namespace

AliasResult FlatAliasResult::alias(const MemoryLocation &a, const MemoryLocation &b,
                                   AAQueryInfo &query, const Instruction *) {
  Address first = takeApart(a.Ptr, layout_);
  Address second = takeApart(b.Ptr, layout_);
  if (first.base == second.base) {
    if (!isSameInBoth(first.base, query))
      return AliasResult::MayAlias;
    if (first.member != second.member)
      return first.member && second.member && isInside(first, a.Size, layout_) &&
                     isInside(second, b.Size, layout_)
                 ? AliasResult::NoAlias
                 : AliasResult::MayAlias;
    if (disjoint(first.offset, a.Size, second.offset) ||
        disjoint(second.offset, b.Size, first.offset))
      return AliasResult::NoAlias;
    return first.offset == second.offset ? AliasResult::MustAlias : AliasResult::MayAlias;
  }
  if (isApart(getUnderlyingObject(first.base), originsOf(second.base), query) ||
      isApart(getUnderlyingObject(second.base), originsOf(first.base), query))
    return AliasResult::NoAlias;
  return AliasResult::MayAlias;
}

ModRefInfo FlatAliasResult::getModRefInfoMask(const MemoryLocation &location, AAQueryInfo &,
                                              bool ignoreLocals) {
  const Value *object = getUnderlyingObject(location.Ptr);
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
                                          AAQueryInfo &query) {
  const Value *object = getUnderlyingObject(location.Ptr);
  if (!isOwnLocal(object) || call == location.Ptr ||
      !query.CI->isNotCapturedBefore(object, call, /*OrAt=*/false))
    return ModRefInfo::ModRef;
  for (const Value *operand : call->data_ops()) {
    if (!operand->getType()->isPtrOrPtrVectorTy())
      continue;
    SmallVector<const Value *, 4> origins = originsOf(operand);
    if (origins.empty() || is_contained(origins, object))
      return ModRefInfo::ModRef;
  }
  return ModRefInfo::NoModRef;
}

} // namespace culprit

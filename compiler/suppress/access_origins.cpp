// See function_origins.h: loads and stores.
#include "abi/memory_map.h"
#include "abi/origins.h"
#include "compiler/sites/numbering.h"
#include "compiler/suppress/function_origins.h"
#include "compiler/suppress/scalar_copies.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

/// `address` is the origin of the pointer: memory that nothing has defined has it, too, for whoever
/// made the pointer vouched for what is there.
Value *FunctionOrigins::loadOrigin(IRBuilder<> &builder, Value *pointer, Type *type,
                                   Align alignment, Value *address) {
  if (originType(type)->isIntegerTy()) {
    Value *found =
        words_.load(builder, pointer, layout_.getTypeStoreSize(type).getFixedValue(), alignment);
    if (isNone(address) || words_.hasMarks())
      return found;
    return builder.CreateSelect(builder.CreateIsNull(found), address, found);
  }
  Value *all = Constant::getNullValue(originType(type));
  unsigned count = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Type *part = type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType();
    uint64_t offset = type->isStructTy()
                          ? layout_.getStructLayout(cast<StructType>(type))->getElementOffset(i)
                          : layout_.getTypeAllocSize(part).getFixedValue() * i;
    Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, offset);
    all = builder.CreateInsertValue(
        all, loadOrigin(builder, place, part, commonAlignment(alignment, offset), address), i);
  }
  return all;
}

void FunctionOrigins::storeOrigin(IRBuilder<> &builder, Value *pointer, Type *type, Align alignment,
                                  Value *origin) {
  if (origin->getType()->isIntegerTy())
    return words_.store(builder, pointer, layout_.getTypeStoreSize(type).getFixedValue(), alignment,
                        origin);
  unsigned count = type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Type *part = type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType();
    uint64_t offset = type->isStructTy()
                          ? layout_.getStructLayout(cast<StructType>(type))->getElementOffset(i)
                          : layout_.getTypeAllocSize(part).getFixedValue() * i;
    Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, offset);
    storeOrigin(builder, place, part, commonAlignment(alignment, offset),
                builder.CreateExtractValue(origin, i));
  }
}

namespace {

/// Memory of the runtime's own: its variables, and the notes about frames.
bool isRuntimeMemory(const Value *pointer, const DataLayout &layout) {
  int64_t offset = 0;
  const Value *base = GetPointerBaseWithConstantOffset(pointer, offset, layout);
  auto *variable = dyn_cast<GlobalVariable>(base);
  return (variable && variable->getName().starts_with("__culprit_")) ||
         offset >= static_cast<int64_t>(abi::kNoteDistance);
}

/// What defines a value: of a load or call that may be omitted, not the join behind it.
const Instruction *definitionOf(const Value *value) {
  auto *join = dyn_cast<PHINode>(value);
  if (join && join->getNumIncomingValues() == 2 && isa<Constant>(join->getIncomingValue(0)))
    value = join->getIncomingValue(1);
  return dyn_cast<Instruction>(value);
}

/// Whether a store stores what another statement has defined.
bool isCopy(const StoreInst &store) {
  const Value *value = store.getValueOperand();
  while (auto *cast = dyn_cast<CastInst>(value)) // a character that was read as an int
    value = cast->getOperand(0);
  const Instruction *definition = definitionOf(value);
  if (!definition)
    return isa<Argument>(value);
  return isa<LoadInst>(definition) || isa<PHINode>(definition) || !definition->getDebugLoc() ||
         !store.getDebugLoc() ||
         definition->getDebugLoc().getLine() != store.getDebugLoc().getLine();
}

} // namespace

/// clang takes a bit-field out of what it has loaded by shifts and masks at the load's own place in
/// the source; those that a program writes are at their operators.
bool FunctionOrigins::takesBitField(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::And:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    break;
  default:
    return false;
  }
  const Instruction *from = definitionOf(instruction.getOperand(0));
  return from && isa<ConstantInt>(instruction.getOperand(1)) && instruction.getDebugLoc() &&
         instruction.getDebugLoc() == from->getDebugLoc() &&
         (isa<LoadInst>(from) || takesBitField(*from));
}

void FunctionOrigins::checkRead(IRBuilder<> &builder, LoadInst &load, Value *origin) {
  if (!origin->getType()->isIntegerTy())
    return;
  Value *plain = builder.CreateAnd(origin, words_.number(~abi::kOriginFlags));
  Value *isGuard = builder.CreateICmpEQ(plain, words_.number(abi::kGuardOrigin));
  IRBuilder<> inside(
      SplitBlockAndInsertIfThen(isGuard, builder.GetInsertPoint(), false, words_.unlikely()));
  uint64_t size = layout_.getTypeStoreSize(load.getType()).getFixedValue();
  atSiteOf(words_.call(inside, Hook::__culprit_guard_read,
                       {load.getPointerOperand(), words_.number(size)}),
           load);
}

void FunctionOrigins::visitLoad(LoadInst &load) {
  Value *pointer = load.getPointerOperand();
  if (isRuntimeMemory(pointer, layout_))
    return;
  words_.markProgram(load);
  IRBuilder<> builder(&load);
  Value *address = wasCopy(load) ? words_.none() : wordOf(builder, pointer);
  Value *flags = flagsOf(builder, pointer);
  if (isNone(flags)) {
    builder.SetInsertPoint(load.getNextNode()); // a wild load fails as itself
    Value *origin = loadOrigin(builder, pointer, load.getType(), load.getAlign(), address);
    set(&load, throughPoint(builder, load, origin));
    if (request_.checksReads && !request_.isShim)
      checkRead(builder, load, origin);
    return;
  }
  Instruction *omitted = nullptr, *made = nullptr;
  SplitBlockAndInsertIfThenElse(words_.isCorrupt(builder, flags), load.getIterator(), &omitted,
                                &made, words_.unlikely());
  Instruction *next = load.getNextNode();
  load.moveBefore(made);
  builder.SetInsertPoint(omitted);
  Value *corrupt = spread(builder, words_.inherited(builder, address), load.getType());
  builder.SetInsertPoint(made);
  Value *origin = loadOrigin(builder, pointer, load.getType(), load.getAlign(), address);
  origin = throughPoint(builder, load, origin);
  builder.SetInsertPoint(next->getParent(), next->getParent()->begin());
  PHINode *value = builder.CreatePHI(load.getType(), 2);
  PHINode *either = builder.CreatePHI(originType(load.getType()), 2);
  load.replaceAllUsesWith(value);
  value->addIncoming(Constant::getNullValue(load.getType()), omitted->getParent());
  value->addIncoming(&load, made->getParent());
  either->addIncoming(corrupt, omitted->getParent());
  either->addIncoming(origin, made->getParent());
  set(value, either);
}

void FunctionOrigins::visitStore(StoreInst &store) {
  Value *pointer = store.getPointerOperand();
  Value *value = store.getValueOperand();
  if (isRuntimeMemory(pointer, layout_))
    return;
  words_.markProgram(store);
  IRBuilder<> builder(&store);
  Value *origin = throughPoint(builder, store, definedBy(builder, value, store), pointer);
  if (siteOf(store) && origin->getType()->isIntegerTy() && isCopy(store) && !words_.hasMarks())
    origin = builder.CreateOr(origin, words_.number(abi::kOriginCopied));
  Value *address = wordOf(builder, pointer);
  Value *defined = wordIn(builder, origin);
  bool isClean = isNone(address) && (isNone(originOf(value)) || !siteOf(store)) && !isPoint(store);
  if (isClean || !request_.suppresses) {
    builder.SetInsertPoint(store.getNextNode());
    return storeOrigin(builder, pointer, value->getType(), store.getAlign(), origin);
  }
  Value *valueFlags = isPoint(store) ? defined : flagsOf(builder, value);
  Value *flags = words_.orTogether(builder, flagsOf(builder, pointer), valueFlags);
  Instruction *omitted = nullptr, *made = nullptr;
  SplitBlockAndInsertIfThenElse(words_.isCorrupt(builder, flags), store.getIterator(), &omitted,
                                &made, words_.unlikely());
  store.moveBefore(made);
  builder.SetInsertPoint(made);
  bool isUnmarked = words_.hasMarks() && !request_.isShim; // that is what was tested
  if (request_.tracesCopies && !request_.isShim && value->getType()->isPointerTy())
    atSiteOf(words_.call(builder, Hook::__culprit_copied, {pointer, origin}), store);
  storeOrigin(builder, pointer, value->getType(), store.getAlign(),
              isUnmarked ? noneFor(value->getType()) : origin);
  builder.SetInsertPoint(omitted);
  uint64_t size = layout_.getTypeStoreSize(value->getType()).getFixedValue();
  words_.call(builder, Hook::__culprit_omit_store,
              {pointer, words_.number(size), words_.forHook(builder, address),
               words_.forHook(builder, defined)});
}

/// An atomic access through a corrupt address is made to a place where it does no harm; what one
/// leaves behind is defined by it.
void FunctionOrigins::visitAtomic(Instruction &access, Value *pointer, Type *type) {
  words_.markProgram(access);
  IRBuilder<> builder(&access);
  Value *address = wordOf(builder, pointer);
  if (!isNone(address)) {
    Value *scratch = declareVariable(words_.module(), Hook::__culprit_scratch);
    pointer = builder.CreateSelect(words_.isCorrupt(builder, address), scratch, pointer);
    access.setOperand(0, pointer);
  }
  Value *origin =
      loadOrigin(builder, pointer, type, Align(layout_.getTypeStoreSize(type)), address);
  if (!isNone(address))
    origin = builder.CreateOr(origin, words_.inherited(builder, address));
  set(&access, spread(builder, origin, access.getType()));
  builder.SetInsertPoint(access.getNextNode());
  if (std::optional<uint32_t> site = siteOf(access))
    storeOrigin(builder, pointer, type, Align(layout_.getTypeStoreSize(type)),
                fresh(builder, *site));
}

} // namespace culprit

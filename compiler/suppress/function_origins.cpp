// See function_origins.h: everything but calls and probes.
#include "compiler/suppress/function_origins.h"

#include "abi/memory_map.h"
#include "abi/origins.h"
#include "compiler/sites/numbering.h"
#include "compiler/suppress/skip_edges.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

FunctionOrigins::FunctionOrigins(Function &function, const OriginWords &words,
                                 const OriginRequest &request)
    : function_(function), words_(words), request_(request),
      layout_(function.getParent()->getDataLayout()) {}

void FunctionOrigins::run() {
  EliminateUnreachableBlocks(function_);
  SmallVector<Instruction *, 256> program;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_))
    for (Instruction &instruction : *block)
      program.push_back(&instruction);
  takeArguments();
  clearLocals();
  for (Instruction *instruction : program)
    visit(*instruction);
  fillJoins();
}

// Origins as values

Type *FunctionOrigins::originType(Type *type) const {
  if (auto *record = dyn_cast<StructType>(type)) {
    SmallVector<Type *, 4> members;
    for (Type *member : record->elements())
      members.push_back(originType(member));
    return StructType::get(type->getContext(), members);
  }
  if (auto *array = dyn_cast<ArrayType>(type))
    return ArrayType::get(originType(array->getElementType()), array->getNumElements());
  return words_.word();
}

Value *FunctionOrigins::noneFor(Type *type) const {
  return Constant::getNullValue(originType(type));
}

bool FunctionOrigins::isNone(Value *origin) const {
  auto *constant = dyn_cast<Constant>(origin);
  return constant && constant->isNullValue();
}

Value *FunctionOrigins::originOf(Value *value) const {
  if (Value *known = origins_.lookup(value))
    return known;
  return noneFor(value->getType());
}

Value *FunctionOrigins::wordIn(IRBuilder<> &builder, Value *origin) const {
  if (origin->getType()->isIntegerTy())
    return origin;
  Value *all = words_.none();
  unsigned count = origin->getType()->isStructTy() ? origin->getType()->getStructNumElements()
                                                   : origin->getType()->getArrayNumElements();
  for (unsigned i = 0; i < count && !isNone(origin); ++i)
    all = words_.orTogether(
        builder, all,
        words_.inherited(builder, wordIn(builder, builder.CreateExtractValue(origin, i))));
  return all;
}

Value *FunctionOrigins::wordOf(IRBuilder<> &builder, Value *value) const {
  return wordIn(builder, originOf(value));
}

Value *FunctionOrigins::flagsOf(IRBuilder<> &builder, Value *value) const {
  if (!request_.suppresses)
    return words_.none();
  Value *origin = originOf(value);
  if (Value *flags = flags_.lookup(origin))
    return flags;
  return wordIn(builder, origin);
}

Value *FunctionOrigins::spread(IRBuilder<> &builder, Value *word, Type *type) const {
  Type *shape = originType(type);
  if (shape->isIntegerTy())
    return word;
  Value *all = Constant::getNullValue(shape);
  unsigned count =
      shape->isStructTy() ? shape->getStructNumElements() : shape->getArrayNumElements();
  for (unsigned i = 0; i < count; ++i) {
    Type *part = type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType();
    all = builder.CreateInsertValue(all, spread(builder, word, part), i);
  }
  return all;
}

Value *FunctionOrigins::definedBy(IRBuilder<> &builder, Value *value,
                                  const Instruction &user) const {
  Value *origin = originOf(value);
  std::optional<uint32_t> site = siteOf(user);
  if (!isNone(origin) || !site)
    return origin;
  return spread(builder, throughPoint(builder, user, fresh(builder, *site)), value->getType());
}

Value *FunctionOrigins::fresh(IRBuilder<> &builder, uint32_t site) const {
  return request_.isShim ? callOrigin_ : words_.fresh(builder, site);
}

void FunctionOrigins::atSiteOf(CallInst *hook, const Instruction &instruction) {
  if (std::optional<uint32_t> site = siteOf(instruction))
    attachSite(*hook, *site);
}

bool FunctionOrigins::isPoint(const Instruction &instruction) const {
  std::optional<uint32_t> site = siteOf(instruction);
  return site && request_.sites.points.contains(*site);
}

Value *FunctionOrigins::throughPoint(IRBuilder<> &builder, const Instruction &at, Value *origin,
                                     Value *target) const {
  if (!isPoint(at) || !origin->getType()->isIntegerTy())
    return origin;
  return words_.call(builder, Hook::__culprit_point,
                     {words_.number(words_.global(*siteOf(at))), origin,
                      target ? target : ConstantPointerNull::get(builder.getPtrTy())});
}

// Entry

void FunctionOrigins::takeArguments() {
  IRBuilder<> builder(&*function_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (request_.isShim) {
    call_ = words_.loadVariable(builder, Hook::__culprit_call_origin, 0);
    callOrigin_ = words_.hasMarks() ? builder.CreateAnd(call_, abi::kOriginCorrupt) : call_;
  }
  if (function_.arg_empty())
    return;
  Value *meant = words_.loadVariable(builder, Hook::__culprit_callee, 0);
  if (words_.hasMarks())
    return takeMarkedArguments(builder, meant);
  Value *isOurs = builder.CreateICmpEQ(meant, &function_);
  unsigned index = 0;
  for (Argument &argument : function_.args())
    if (originType(argument.getType())->isIntegerTy() && index < abi::kMostArgumentOrigins)
      set(&argument, passedOrigin(builder, index++, isOurs));
  words_.storeVariable(builder, Hook::__culprit_callee, 0,
                       ConstantPointerNull::get(builder.getPtrTy()));
}

Value *FunctionOrigins::passedOrigin(IRBuilder<> &builder, unsigned index, Value *isOurs) {
  Value *passed = words_.loadVariable(builder, Hook::__culprit_argument_origins, index);
  return builder.CreateSelect(isOurs, passed, words_.none());
}

/// Only where one of them is marked does the caller say anything.
void FunctionOrigins::takeMarkedArguments(IRBuilder<> &builder, Value *meant) {
  BasicBlock *before = builder.GetInsertBlock();
  Instruction *next = &*builder.GetInsertPoint();
  Instruction *taken = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(meant),
                                                 next->getIterator(), false, words_.unlikely());
  IRBuilder<> inside(taken);
  Value *isOurs = inside.CreateICmpEQ(meant, &function_);
  builder.SetInsertPoint(next->getParent(), next->getParent()->begin());
  unsigned index = 0;
  for (Argument &argument : function_.args()) {
    if (!originType(argument.getType())->isIntegerTy() || index >= abi::kMostArgumentOrigins)
      continue;
    PHINode *either = builder.CreatePHI(words_.word(), 2);
    either->addIncoming(words_.none(), before);
    either->addIncoming(passedOrigin(inside, index++, isOurs), taken->getParent());
    set(&argument, either);
  }
  words_.storeVariable(inside, Hook::__culprit_callee, 0,
                       ConstantPointerNull::get(builder.getPtrTy()));
}

/// Whether its declaration defines all of a local, at once.
bool FunctionOrigins::isDeclared(const AllocaInst &local, uint64_t size) const {
  return !words_.hasMarks() && any_of(local.users(), [&](const User *user) {
    auto *call = dyn_cast<CallInst>(user);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == kDeclareName &&
           match(call->getArgOperand(1), PatternMatch::m_SpecificInt(size));
  });
}

/// What is in memory that a local takes over was not defined for it.
void FunctionOrigins::clearLocals() {
  for (Instruction &instruction : make_early_inc_range(function_.getEntryBlock())) {
    auto *local = dyn_cast<AllocaInst>(&instruction);
    if (!local || !local->isStaticAlloca() || local->isSwiftError())
      continue;
    std::optional<TypeSize> size = local->getAllocationSize(layout_);
    if (!size || size->isScalable())
      continue;
    local->setAlignment(std::max(local->getAlign(), Align(abi::kGranule)));
    uint64_t whole = alignTo(size->getFixedValue(), abi::kGranule);
    if (isDeclared(*local, whole))
      continue;
    IRBuilder<> builder(local->getNextNode());
    words_.clear(builder, local, whole);
  }
}

// Instructions

void FunctionOrigins::visit(Instruction &instruction) {
  if (std::optional<uint32_t> site = siteOf(instruction);
      site && request_.sites.probes.contains(*site))
    probe(instruction);
  if (auto *load = dyn_cast<LoadInst>(&instruction))
    return visitLoad(*load);
  if (auto *store = dyn_cast<StoreInst>(&instruction))
    return visitStore(*store);
  if (auto *access = dyn_cast<AtomicRMWInst>(&instruction))
    return visitAtomic(*access, access->getPointerOperand(), access->getType());
  if (auto *access = dyn_cast<AtomicCmpXchgInst>(&instruction))
    return visitAtomic(*access, access->getPointerOperand(), access->getNewValOperand()->getType());
  if (auto *call = dyn_cast<CallBase>(&instruction))
    return visitCall(*call);
  if (auto *select = dyn_cast<SelectInst>(&instruction))
    return visitSelect(*select);
  if (auto *end = dyn_cast<ReturnInst>(&instruction))
    return visitReturn(*end);
  if (isa<ExtractValueInst>(instruction) || isa<InsertValueInst>(instruction))
    return visitAggregate(instruction);
  if (auto *join = dyn_cast<PHINode>(&instruction)) {
    IRBuilder<> builder(join);
    set(join, builder.CreatePHI(originType(join->getType()), join->getNumIncomingValues()));
    joins_.push_back(join);
    return;
  }
  auto *step = dyn_cast<GetElementPtrInst>(&instruction);
  bool isMember = step && step->hasAllConstantIndices() && step->getNumIndices() > 1 &&
                  match(step->getOperand(1), PatternMatch::m_Zero());
  if (isMember || isa<CastInst>(instruction) || isa<FreezeInst>(instruction) ||
      isa<ExtractElementInst>(instruction) || takesBitField(instruction))
    return copy(instruction);
  if (isa<BinaryOperator>(instruction) || isa<CmpInst>(instruction) ||
      isa<UnaryOperator>(instruction) || isa<GetElementPtrInst>(instruction) ||
      isa<InsertElementInst>(instruction) || isa<ShuffleVectorInst>(instruction))
    return compute(instruction);
}

void FunctionOrigins::copy(Instruction &instruction) {
  IRBuilder<> builder(instruction.getNextNode());
  set(&instruction, throughPoint(builder, instruction, originOf(instruction.getOperand(0))));
}

void FunctionOrigins::compute(Instruction &instruction) {
  divideSafely(instruction);
  IRBuilder<> builder(instruction.getNextNode());
  std::optional<uint32_t> site = siteOf(instruction);
  Value *flags = words_.none();
  Value *first = words_.none();
  for (Value *operand : instruction.operands()) {
    first = isNone(first) ? wordOf(builder, operand) : first;
    flags = words_.orTogether(builder, flags, flagsOf(builder, operand));
  }
  if (!site)
    return set(&instruction, first);
  Value *origin = fresh(builder, *site);
  if (!isNone(flags))
    origin = words_.orTogether(builder, origin, words_.inherited(builder, flags));
  if (!request_.isShim || !isNone(flags)) // else it is the word of all that the call defines
    flags_[origin] = flags;
  set(&instruction, throughPoint(builder, instruction, origin));
}

/// A corrupt divisor must not trap.
void FunctionOrigins::divideSafely(Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    break;
  default:
    return;
  }
  IRBuilder<> builder(&instruction);
  Value *flags = words_.orTogether(builder, flagsOf(builder, instruction.getOperand(0)),
                                   flagsOf(builder, instruction.getOperand(1)));
  if (!isNone(flags))
    instruction.setOperand(1, builder.CreateSelect(words_.isCorrupt(builder, flags),
                                                   ConstantInt::get(instruction.getType(), 1),
                                                   instruction.getOperand(1)));
}

void FunctionOrigins::visitSelect(SelectInst &select) {
  IRBuilder<> builder(&select);
  Value *yes = definedBy(builder, select.getTrueValue(), select);
  Value *no = definedBy(builder, select.getFalseValue(), select);
  if (select.getCondition()->getType()->isVectorTy() || !yes->getType()->isIntegerTy())
    return set(&select, yes);
  Value *chosen = builder.CreateSelect(select.getCondition(), yes, no);
  Value *decision = flagsOf(builder, select.getCondition());
  if (!isNone(decision))
    chosen = builder.CreateOr(chosen, words_.inherited(builder, decision));
  set(&select, chosen);
}

void FunctionOrigins::visitAggregate(Instruction &instruction) {
  IRBuilder<> builder(instruction.getNextNode());
  if (auto *taken = dyn_cast<ExtractValueInst>(&instruction))
    return set(taken, builder.CreateExtractValue(originOf(taken->getAggregateOperand()),
                                                 taken->getIndices()));
  auto *put = cast<InsertValueInst>(&instruction);
  set(put, builder.CreateInsertValue(originOf(put->getAggregateOperand()),
                                     definedBy(builder, put->getInsertedValueOperand(), *put),
                                     put->getIndices()));
}

void FunctionOrigins::visitReturn(ReturnInst &end) {
  Value *value = end.getReturnValue();
  if (!value || end.getParent()->getTerminatingMustTailCall())
    return;
  IRBuilder<> builder(&end);
  Value *origin = end.getMetadata(kSkippedEnd)
                      ? spread(builder, words_.number(abi::kOriginCorrupt), value->getType())
                      : definedBy(builder, value, end);
  SmallVector<Value *, 8> open{origin};
  unsigned index = 0;
  for (size_t i = 0; i < open.size(); ++i) { // parts of an aggregate are in the order of breadth
    Value *part = open[i];
    if (part->getType()->isIntegerTy()) {
      if (index < abi::kMostResultOrigins)
        words_.storeVariable(builder, Hook::__culprit_result_origins, index++, part);
      continue;
    }
    unsigned count = part->getType()->isStructTy() ? part->getType()->getStructNumElements()
                                                   : part->getType()->getArrayNumElements();
    for (unsigned m = 0; m < count; ++m)
      open.push_back(builder.CreateExtractValue(part, m));
  }
}

// Joins

void FunctionOrigins::fillJoins() {
  for (PHINode *join : joins_) {
    auto *origins = cast<PHINode>(origins_.lookup(join));
    SmallDenseMap<BasicBlock *, Value *, 8> known; // a switch may come in more than once
    for (unsigned i = 0; i < join->getNumIncomingValues(); ++i) {
      Value *&origin = known[join->getIncomingBlock(i)];
      origin = origin ? origin : joined(*join, i);
      origins->addIncoming(origin, join->getIncomingBlock(i));
    }
  }
}

/// The origin of what comes in from one side. From a skipped statement comes the old value of what
/// the statement might have set.
Value *FunctionOrigins::joined(PHINode &join, unsigned index) {
  BasicBlock *from = join.getIncomingBlock(index);
  Value *value = join.getIncomingValue(index);
  IRBuilder<> builder(from->getTerminator());
  if (!from->getTerminator()->getMetadata(kSkippedEnd))
    return definedBy(builder, value, *from->getTerminator());
  Value *origin = originOf(value);
  bool isSet = any_of(join.incoming_values(), [&](Value *other) { return other != value; });
  if (!isSet || !origin->getType()->isIntegerTy() || words_.hasMarks())
    return origin;
  return builder.CreateOr(origin, words_.number(abi::kOriginStale));
}

} // namespace culprit

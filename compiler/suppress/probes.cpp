// See probes.h.
#include "compiler/suppress/probes.h"

#include "compiler/sites/markers.h"
#include "compiler/sites/numbering.h"
#include "compiler/suppress/function_origins.h"
#include "compiler/suppress/skip_edges.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

namespace {

Value *withoutCasts(Value *value) {
  for (;;) {
    auto *cast = dyn_cast<CastInst>(value);
    if (!cast)
      return value;
    value = cast->getOperand(0);
  }
}

/// Without what only hands a value on: casts, markers, and the join behind a load that may be
/// omitted.
Value *handedOn(Value *value) {
  for (;;) {
    auto *call = dyn_cast<CallInst>(value);
    auto *join = dyn_cast<PHINode>(value);
    if (call && isMarker(*call))
      value = call->getArgOperand(0);
    else if (join && join->getNumIncomingValues() == 2 &&
             isa<Constant>(join->getIncomingValue(0)) && isa<LoadInst>(join->getIncomingValue(1)))
      value = join->getIncomingValue(1);
    else if (auto *cast = dyn_cast<CastInst>(value))
      value = cast->getOperand(0);
    else
      return value;
  }
}

/// The pointer that `value` was loaded through, without constant offsets; null if it was not.
Value *loadedThrough(Value *value) {
  auto *load = dyn_cast<LoadInst>(handedOn(value));
  if (!load)
    return nullptr;
  Value *pointer = withoutCasts(load->getPointerOperand());
  while (auto *step = dyn_cast<GEPOperator>(pointer))
    pointer = withoutCasts(step->getPointerOperand());
  return isa<Constant>(pointer) || isa<AllocaInst>(pointer) ? nullptr : pointer;
}

} // namespace

/// Where a value was loaded from.
void FunctionOrigins::probePlace(IRBuilder<> &builder, uint64_t number, Value *value) {
  if (auto *load = dyn_cast<LoadInst>(handedOn(value)))
    probeOperand(builder, number, load->getPointerOperand());
}

void FunctionOrigins::probeOperand(IRBuilder<> &builder, uint64_t number, Value *operand) {
  Type *type = operand->getType();
  Value *value = words_.none();
  if (type->isPointerTy())
    value = builder.CreatePtrToInt(operand, words_.word());
  else if (type->isIntegerTy())
    value = builder.CreateSExtOrTrunc(operand, words_.word());
  words_.call(builder, Hook::__culprit_probe_operand,
              {words_.number(number), value, wordOf(builder, operand)});
}

/// The address, and the values that it was computed from in this expression.
void FunctionOrigins::probeAddress(IRBuilder<> &builder, Value *pointer) {
  probeOperand(builder, kProbedAddress, pointer);
  uint64_t index = kProbedIndex;
  Value *base = withoutCasts(pointer);
  while (auto *step = dyn_cast<GEPOperator>(base)) {
    for (Value *added : step->indices()) {
      if (isa<Constant>(added))
        continue;
      if (index < kProbedIndex + kMostOperandWays)
        probePlace(builder, kProbedOperandPlace + index - kProbedIndex, added);
      probeOperand(builder, index++, withoutCasts(added));
    }
    base = withoutCasts(step->getPointerOperand());
  }
  probeOperand(builder, kProbedBase, base);
  probePlace(builder, kProbedPlace, base);
  for (uint64_t depth = 0; depth < 4; ++depth) {
    Value *way = loadedThrough(base);
    if (!way)
      return;
    probeOperand(builder, kProbedWay + depth, way);
    base = way;
  }
}

/// One of the values that something is computed from.
void FunctionOrigins::probeComputed(IRBuilder<> &builder, uint64_t index, Value *value) {
  probeOperand(builder, kProbedIndex + index, withoutCasts(value));
  if (index >= kMostOperandWays)
    return;
  if (Value *way = loadedThrough(value))
    probeOperand(builder, kProbedOperandWay + index, way);
  probePlace(builder, kProbedOperandPlace + index, value);
}

void FunctionOrigins::probeCondition(IRBuilder<> &builder, Value *condition) {
  uint64_t index = 0;
  SmallVector<Value *, 8> open{condition};
  for (size_t i = 0; i < open.size() && i < 16; ++i) {
    Value *value = withoutCasts(open[i]);
    auto *compared = dyn_cast<CmpInst>(value);
    auto *combined = dyn_cast<BinaryOperator>(value);
    if (compared || (combined && combined->getType()->isIntegerTy(1))) {
      for (Value *operand : cast<Instruction>(value)->operands())
        if (!isa<Constant>(operand))
          open.push_back(operand);
      continue;
    }
    probeComputed(builder, index++, value);
  }
}

void FunctionOrigins::probe(Instruction &instruction) {
  auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  bool isStep = callee && callee->getName().starts_with("culprit.");
  if ((isStep && !isMarker(*call)) || isa<PHINode>(instruction) || isa<AllocaInst>(instruction) ||
      instruction.isEHPad())
    return;
  IRBuilder<> builder(&instruction);
  Value *site = words_.number(words_.global(*siteOf(instruction)));
  Value *wanted = words_.loadVariable(builder, Hook::__culprit_probed, 0);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(
      builder.CreateICmpEQ(wanted, site), instruction.getIterator(), false, words_.unlikely()));
  atSiteOf(words_.call(builder, Hook::__culprit_probe, {site}), instruction);
  if (isStep)
    return;
  if (Value *pointer = getLoadStorePointerOperand(&instruction))
    return probeAddress(builder, pointer);
  if (call) {
    if (!call->isInlineAsm() && !isa<Constant>(call->getCalledOperand())) {
      probePlace(builder, kProbedPlace, call->getCalledOperand());
      probeOperand(builder, kProbedCallee, call->getCalledOperand());
    }
    for (unsigned i = 0; i < call->arg_size() && i < 12; ++i) {
      if (call->paramHasAttr(i, Attribute::StructRet))
        continue;
      probeOperand(builder, kProbedArgument + i, withoutCasts(call->getArgOperand(i)));
      if (i < kMostArgumentPlaces)
        probePlace(builder, kProbedArgumentPlace + i, call->getArgOperand(i));
    }
    return;
  }
  if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
    if (branch->isConditional())
      probeCondition(builder, branch->getCondition());
    return;
  }
  if (auto *choice = dyn_cast<SwitchInst>(&instruction))
    return probeCondition(builder, choice->getCondition());
  uint64_t index = 0;
  for (Value *operand : instruction.operands())
    if (!isa<BasicBlock>(operand))
      probeComputed(builder, index++, operand);
}

} // namespace culprit

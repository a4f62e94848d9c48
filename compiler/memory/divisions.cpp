// See divisions.h.
#include "compiler/memory/divisions.h"

#include "compiler/sites/numbering.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

namespace {

bool mayFail(const Instruction &instruction) {
  return instruction.isIntDivRem() && instruction.getType()->isIntegerTy() &&
         !isa<Constant>(instruction.getOperand(1));
}

/// Only these sizes are divided by the processor as they are: smaller ones are extended first.
bool mayNotFit(const Instruction &division) {
  bool isSigned =
      division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
  return isSigned && (division.getType()->isIntegerTy(32) || division.getType()->isIntegerTy(64));
}

constexpr const char *kByZero = "xorl %eax, %eax\nxorl %edx, %edx\ndivl %edx";
constexpr const char *kDoesNotFit = "movl $$0x80000000, %eax\ncltd\nmovl $$-1, %ecx\nidivl %ecx";

void failAt(Instruction *place, const char *code, const Instruction &division) {
  IRBuilder<> builder(place);
  FunctionType *type = FunctionType::get(builder.getVoidTy(), false);
  InlineAsm *assembler = InlineAsm::get(type, code, "~{eax},~{ecx},~{edx},~{flags}",
                                        /*hasSideEffects=*/true);
  CallInst *call = builder.CreateCall(type, assembler);
  call->addFnAttr(Attribute::NoMerge); // it has one place in the source
  call->setDebugLoc(division.getDebugLoc());
  if (std::optional<uint32_t> site = siteOf(division))
    attachSite(*call, *site);
}

void keepDivision(Instruction *division, MDNode *unlikely) {
  Value *dividend = division->getOperand(0), *divisor = division->getOperand(1);
  IRBuilder<> builder(division);
  Instruction *rare = division;
  if (mayNotFit(*division)) {
    Value *next = builder.CreateAdd(divisor, ConstantInt::get(divisor->getType(), 1));
    Value *isRare = builder.CreateICmpULE(next, ConstantInt::get(divisor->getType(), 1));
    rare = SplitBlockAndInsertIfThen(isRare, division, /*Unreachable=*/false, unlikely);
    builder.SetInsertPoint(rare);
    APInt smallest = APInt::getSignedMinValue(divisor->getType()->getIntegerBitWidth());
    Value *isSmallest =
        builder.CreateICmpEQ(dividend, ConstantInt::get(dividend->getType(), smallest));
    Value *doesNotFit = builder.CreateAnd(isSmallest, builder.CreateIsNotNull(divisor));
    failAt(SplitBlockAndInsertIfThen(doesNotFit, rare, /*Unreachable=*/true, unlikely), kDoesNotFit,
           *division);
    builder.SetInsertPoint(rare);
  }
  Value *isZero = builder.CreateIsNull(divisor);
  failAt(SplitBlockAndInsertIfThen(isZero, rare, /*Unreachable=*/true, unlikely), kByZero,
         *division);
}

} // namespace

void keepDivisions(Module &module) {
  SmallVector<Instruction *, 64> divisions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (mayFail(instruction))
        divisions.push_back(&instruction);
  MDNode *unlikely = MDBuilder(module.getContext()).createUnlikelyBranchWeights();
  for (Instruction *division : divisions)
    keepDivision(division, unlikely);
}

} // namespace culprit

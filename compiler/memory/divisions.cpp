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

bool mayDivideByZero(const Instruction &instruction) {
  return instruction.isIntDivRem() && instruction.getType()->isIntegerTy() &&
         !isa<Constant>(instruction.getOperand(1));
}

void divideByZero(IRBuilder<> &builder, const Instruction &division) {
  FunctionType *type = FunctionType::get(builder.getVoidTy(), false);
  InlineAsm *code = InlineAsm::get(type, "xorl %eax, %eax\nxorl %edx, %edx\ndivl %edx",
                                   "~{eax},~{edx},~{flags}", /*hasSideEffects=*/true);
  CallInst *call = builder.CreateCall(type, code);
  call->addFnAttr(Attribute::NoMerge); // it has one place in the source
  call->setDebugLoc(division.getDebugLoc());
  if (std::optional<uint32_t> site = siteOf(division))
    attachSite(*call, *site);
}

} // namespace

void keepDivisions(Module &module) {
  SmallVector<Instruction *, 64> divisions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (mayDivideByZero(instruction))
        divisions.push_back(&instruction);
  MDNode *unlikely = MDBuilder(module.getContext()).createUnlikelyBranchWeights();
  for (Instruction *division : divisions) {
    IRBuilder<> builder(division);
    Value *isZero = builder.CreateIsNull(division->getOperand(1));
    builder.SetInsertPoint(
        SplitBlockAndInsertIfThen(isZero, division, /*Unreachable=*/true, unlikely));
    divideByZero(builder, *division);
  }
}

} // namespace culprit

// See loops.h. Read from the stored bitcode.
#include "analysis/locate/loops.h"

#include "analysis/locate/site_instruction.h"
#include "compiler/sites/numbering.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

namespace culprit {
using namespace llvm;

namespace {

/// The local that a value is loaded from; null if it is not.
const AllocaInst *localOf(const Value *value) {
  while (auto *cast = dyn_cast<CastInst>(value))
    value = cast->getOperand(0);
  auto *load = dyn_cast<LoadInst>(value);
  return load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
}

/// The local that is stepped on by a constant there; null if none is.
const AllocaInst *steppedLocal(const Instruction &step) {
  auto *sum = dyn_cast<BinaryOperator>(&step);
  auto *moved = dyn_cast<GetElementPtrInst>(&step);
  bool isByConstant =
      sum ? (sum->getOpcode() == Instruction::Add || sum->getOpcode() == Instruction::Sub) &&
                isa<ConstantInt>(sum->getOperand(1))
          : moved && moved->hasAllConstantIndices();
  const AllocaInst *local = isByConstant ? localOf(step.getOperand(0)) : nullptr;
  bool isStored = local && any_of(step.users(), [&](const User *user) {
                    auto *store = dyn_cast<StoreInst>(user);
                    return store && store->getPointerOperand() == local;
                  });
  return isStored ? local : nullptr;
}

/// Which operand of a comparison with the local says how far to go; none: it is no such one.
std::optional<unsigned> boundIn(const BranchInst &branch, const AllocaInst *local) {
  auto *compared = branch.isConditional() ? dyn_cast<CmpInst>(branch.getCondition()) : nullptr;
  for (unsigned i = 0; compared && i < 2; ++i)
    if (localOf(compared->getOperand(1 - i)) == local &&
        localOf(compared->getOperand(i)) != local && !isa<Constant>(compared->getOperand(i)))
      return i;
  return std::nullopt;
}

} // namespace

std::optional<LoopEnd> endOfLoop(const Program &program, const SiteAddress &step) {
  return answerAtInstruction(program, step, [&](Instruction &instruction) {
    std::optional<LoopEnd> end;
    const AllocaInst *local = steppedLocal(instruction);
    if (!local)
      return end;
    DominatorTree tree(*instruction.getFunction());
    LoopInfo loops(tree);
    const Loop *loop = loops.getLoopFor(instruction.getParent());
    if (!loop)
      return end;
    for (BasicBlock *block : loop->blocks()) {
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      std::optional<unsigned> bound = branch ? boundIn(*branch, local) : std::nullopt;
      if (bound && loop->isLoopExiting(block) && siteOf(*branch))
        end = LoopEnd{{step.moduleId, *siteOf(*branch)}, *bound};
    }
    return end;
  });
}

} // namespace culprit

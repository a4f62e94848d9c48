// See destroyers.h. Read from the stored bitcode.
#include "analysis/locate/destroyers.h"

#include "analysis/locate/site_instruction.h"

#include <algorithm>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>

namespace culprit {
using namespace llvm;

namespace {

/// Whether a pointer is a parameter, or found by following one.
bool isHanded(const Value *pointer) {
  SmallPtrSet<const Value *, 16> seen;
  SmallVector<const Value *, 16> open{pointer};
  while (!open.empty()) {
    const Value *next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    if (isa<Argument>(next))
      return true;
    if (auto *slot = dyn_cast<AllocaInst>(next)) {
      for (const User *user : slot->users())
        if (auto *store = dyn_cast<StoreInst>(user); store && store->getPointerOperand() == slot)
          open.push_back(store->getValueOperand());
    } else if (isa<LoadInst>(next) || isa<GetElementPtrInst>(next) || isa<CastInst>(next)) {
      open.push_back(cast<User>(next)->getOperand(0));
    } else if (isa<PHINode>(next) || isa<SelectInst>(next)) {
      for (const Value *operand : cast<User>(next)->operands())
        open.push_back(operand);
    }
  }
  return false;
}

/// Whether it asks if there is something where the parameters lead.
bool isNullTest(const Instruction &end) {
  auto *branch = dyn_cast<BranchInst>(&end);
  auto *test =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  return test && test->isEquality() && isa<ConstantPointerNull>(test->getOperand(1)) &&
         isHanded(test->getOperand(0));
}

/// Whether nothing decides that the block is executed but tests for null pointers, and loops that
/// it is in.
bool isAlwaysReached(BasicBlock &block) {
  Function &function = *block.getParent();
  PostDominatorTree after(function);
  DominatorTree before(function);
  LoopInfo loops(before);
  auto decides = [&](BasicBlock &other, BasicBlock &reached) {
    return other.getTerminator()->getNumSuccessors() > 1 &&
           !after.properlyDominates(&reached, &other) &&
           any_of(successors(&other),
                  [&](BasicBlock *next) { return after.dominates(&reached, next); });
  };
  auto isAllowed = [&](BasicBlock &other) {
    const Loop *loop = loops.getLoopFor(&block);
    while (loop && !(loop->contains(&other) && loop->isLoopExiting(&other)))
      loop = loop->getParentLoop();
    return loop || isNullTest(*other.getTerminator()) || isa<InvokeInst>(other.getTerminator());
  };
  SmallPtrSet<BasicBlock *, 8> seen;
  SmallVector<BasicBlock *, 8> open{&block};
  while (!open.empty()) {
    BasicBlock *reached = open.pop_back_val();
    if (!seen.insert(reached).second)
      continue;
    for (BasicBlock &other : function)
      if (decides(other, *reached)) {
        if (!isAllowed(other))
          return false;
        open.push_back(&other);
      }
  }
  return true;
}

/// Whether a value is a parameter itself, or what a walk from one has come to.
bool isParameter(const Value *value) {
  auto *load = dyn_cast<LoadInst>(value);
  auto *slot = load ? dyn_cast<AllocaInst>(load->getPointerOperand()) : nullptr;
  return isa<Argument>(value) || (slot && isHanded(slot));
}

/// Whether the function gives up what it is handed, in the call or in another one of the same
/// function: else it frees a part of something that goes on.
bool givesUpParameter(CallBase &call) {
  for (BasicBlock &block : *call.getFunction())
    for (Instruction &instruction : block)
      if (auto *other = dyn_cast<CallBase>(&instruction);
          other && other->getCalledOperand() == call.getCalledOperand() &&
          any_of(other->args(), [](const Use &use) { return isParameter(use); }))
        return true;
  return false;
}

std::vector<const StackFrame *> ofProgram(const CallStack &stack, size_t from) {
  std::vector<const StackFrame *> frames;
  for (size_t i = from; i < stack.size(); ++i)
    if (stack[i].origin == FrameOrigin::Program)
      frames.push_back(&stack[i]);
  return frames;
}

bool isSameLine(const StackFrame &frame, const StackFrame &other) {
  return frame.linkageName == other.linkageName && frame.line == other.line;
}

} // namespace

bool alwaysHandsOn(const Program &program, const SiteAddress &site) {
  return answerAt(program, site, [](CallBase &call) {
    return any_of(call.args(),
                  [](const Use &use) { return use->getType()->isPointerTy() && isHanded(use); }) &&
           givesUpParameter(call) && isAlwaysReached(*call.getParent());
  });
}

bool isStillRunning(const CallStack &stack, size_t level, const CallStack &later) {
  std::vector<const StackFrame *> around = ofProgram(stack, level);
  std::vector<const StackFrame *> now = ofProgram(later, 0);
  if (around.empty() || now.size() < around.size())
    return false;
  const StackFrame *same = now[now.size() - around.size()];
  if (same == now.front() && isSameLine(*same, *around.front()))
    return false; // the same statement once more
  return same->linkageName == around.front()->linkageName &&
         std::equal(around.begin() + 1, around.end(),
                    now.end() - static_cast<ptrdiff_t>(around.size()) + 1,
                    [](const StackFrame *a, const StackFrame *b) { return isSameLine(*a, *b); });
}

} // namespace culprit

// See late_start.h. A block is *doomed* if no return can be reached from it. The frame starts at
// the topmost doomed dominator of each block that uses an unsafe local.
#include "compiler/memory/late_start.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

using Blocks = SmallPtrSet<const BasicBlock *, 32>;

/// All blocks from which a return can be reached.
Blocks blocksThatReturn(Function &function) {
  Blocks found;
  SmallVector<const BasicBlock *, 32> pending;
  for (const BasicBlock &block : function)
    if (isa<ReturnInst>(block.getTerminator()))
      pending.push_back(&block);
  while (!pending.empty()) {
    const BasicBlock *block = pending.pop_back_val();
    if (found.insert(block).second)
      append_range(pending, predecessors(block));
  }
  return found;
}

Blocks blocksBehind(const BasicBlock *start) {
  Blocks found;
  SmallVector<const BasicBlock *, 32> pending(successors(start));
  while (!pending.empty()) {
    const BasicBlock *block = pending.pop_back_val();
    if (found.insert(block).second)
      append_range(pending, successors(block));
  }
  return found;
}

/// Whether a use needs the local itself at that place: not those that only mark its lifetime.
bool counts(const Use &use) {
  auto *call = dyn_cast<IntrinsicInst>(use.getUser());
  return !call || !call->isLifetimeStartOrEnd();
}

/// Whether a use reads or writes the local and lets nobody keep its address.
bool isDirect(const Use &use) {
  if (auto *store = dyn_cast<StoreInst>(use.getUser()))
    return use.getOperandNo() == StoreInst::getPointerOperandIndex() && !store->isVolatile();
  auto *load = dyn_cast<LoadInst>(use.getUser());
  return load && !load->isVolatile();
}

class LateStarts {
public:
  explicit LateStarts(Function &function)
      : function_(function), tree_(function), returning_(blocksThatReturn(function)) {}

  /// False: the frame is needed from the beginning.
  bool find(const FramePlan &plan, const UnsafeLocals &unsafe) {
    if (function_.callsFunctionThatReturnsTwice())
      return false;
    for (AllocaInst *local : plan.locals)
      if (unsafe.contains(local) && !addStartFor(*local))
        return false;
    return !starts_.empty() &&
           none_of(starts_, [](BasicBlock *start) { return blocksBehind(start).contains(start); });
  }

  /// Whether the local can move into the frame at each of the starts: from there on it is used only
  /// where the frame is, and nothing points to it by then.
  bool canMove(AllocaInst &local) const {
    return all_of(starts_, [&](BasicBlock *start) {
      Blocks behind = blocksBehind(start);
      return all_of(local.uses(), [&](const Use &use) {
        BasicBlock *block = blockOf(use);
        if (!counts(use) || tree_.dominates(start, block))
          return true;
        return !behind.contains(block) && (isDirect(use) || isInAnotherFrame(block));
      });
    });
  }

  ArrayRef<BasicBlock *> starts() const { return starts_.getArrayRef(); }

private:
  bool isInAnotherFrame(BasicBlock *block) const {
    return any_of(starts_, [&](BasicBlock *start) { return tree_.dominates(start, block); });
  }

  bool addStartFor(AllocaInst &local) {
    BasicBlock *start = nullptr;
    for (const Use &use : local.uses()) {
      BasicBlock *block = blockOf(use);
      if (!counts(use) || !tree_.isReachableFromEntry(block))
        continue;
      BasicBlock *found = startFor(block);
      if (!found || (start && start != found))
        return false;
      start = found;
    }
    if (start)
      starts_.insert(start);
    return true;
  }

  BasicBlock *startFor(BasicBlock *block) const {
    BasicBlock *start = nullptr;
    for (DomTreeNode *node = tree_.getNode(block); node && !returning_.contains(node->getBlock());
         node = node->getIDom())
      start = node->getBlock();
    return start && !start->isEntryBlock() ? start : nullptr;
  }

  Function &function_;
  DominatorTree tree_;
  Blocks returning_;
  SmallSetVector<BasicBlock *, 4> starts_;
};

} // namespace

BasicBlock *blockOf(const Use &use) {
  if (auto *phi = dyn_cast<PHINode>(use.getUser()))
    return phi->getIncomingBlock(use);
  return cast<Instruction>(use.getUser())->getParent();
}

void startLate(Function &function, const UnsafeLocals &unsafe, FramePlan &plan) {
  LateStarts late(function);
  if (!late.find(plan, unsafe))
    return;
  append_range(plan.lateStarts, late.starts());
  for (AllocaInst *local : plan.locals)
    if (plan.members.contains(local) && !unsafe.contains(local) && !late.canMove(*local))
      plan.members.erase(local);
}

} // namespace culprit

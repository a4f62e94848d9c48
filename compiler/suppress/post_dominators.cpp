// See post_dominators.h. The algorithm is that of Cooper, Harvey and Kennedy, on the reversed
// graph.
#include "compiler/suppress/post_dominators.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace culprit {
using namespace llvm;

PostDominators::PostDominators(Function &function) {
  for (BasicBlock &block : function) {
    numbers_[&block] = blocks_.size();
    blocks_.push_back(&block);
  }
  end_ = blocks_.size();
  next_.resize(end_ + 1);
  before_.resize(end_ + 1);
  addEdges(function);
  findReturning();
  endLoopsWithoutExit(function);
  order();
  solve();
}

void PostDominators::addEdges(Function &function) {
  for (BasicBlock &block : function) {
    Node from = numbers_[&block];
    if (isa<ReturnInst>(block.getTerminator())) {
      next_[from].push_back(end_);
      continue;
    }
    for (BasicBlock *successor : successors(&block))
      if (!successor->isEHPad())
        next_[from].push_back(numbers_[successor]);
  }
  for (Node from = 0; from < end_; ++from)
    for (Node to : next_[from])
      before_[to].push_back(from);
}

/// A loop that only a call ends (`for (;;) ... exit(0)`) is taken to end after each round.
void PostDominators::endLoopsWithoutExit(Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 8> backward;
  FindFunctionBackedges(function, backward);
  bool isChanged = false;
  for (auto [from, to] : backward) {
    Node latch = numbers_[const_cast<BasicBlock *>(from)];
    if (returns_[latch])
      continue;
    next_[latch].push_back(end_);
    before_[end_].push_back(latch);
    isChanged = true;
  }
  if (isChanged)
    findReturning();
}

void PostDominators::findReturning() {
  returns_.assign(end_ + 1, false);
  SmallVector<Node, 32> open{end_};
  returns_[end_] = true;
  while (!open.empty()) {
    Node node = open.pop_back_val();
    for (Node from : before_[node])
      if (!returns_[from]) {
        returns_[from] = true;
        open.push_back(from);
      }
  }
}

/// Reverse post-order of the reversed graph, from the end.
void PostDominators::order() {
  position_.assign(end_ + 1, 0);
  std::vector<bool> seen(end_ + 1, false);
  SmallVector<std::pair<Node, size_t>, 32> stack{{end_, 0}};
  seen[end_] = true;
  while (!stack.empty()) {
    auto &[node, child] = stack.back();
    if (child == before_[node].size()) {
      order_.push_back(node);
      stack.pop_back();
      continue;
    }
    Node from = before_[node][child++];
    if (!seen[from]) {
      seen[from] = true;
      stack.push_back({from, 0});
    }
  }
  std::reverse(order_.begin(), order_.end());
  for (size_t i = 0; i < order_.size(); ++i)
    position_[order_[i]] = static_cast<unsigned>(i);
}

PostDominators::Node PostDominators::meet(Node a, Node b) const {
  while (a != b) {
    while (position_[a] > position_[b])
      a = static_cast<Node>(immediate_[a]);
    while (position_[b] > position_[a])
      b = static_cast<Node>(immediate_[b]);
  }
  return a;
}

void PostDominators::solve() {
  immediate_.assign(end_ + 1, -1);
  immediate_[end_] = static_cast<int>(end_);
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (Node node : order_) {
      if (node == end_)
        continue;
      int best = -1;
      for (Node to : next_[node])
        if (returns_[to] && immediate_[to] >= 0)
          best =
              best < 0 ? static_cast<int>(to) : static_cast<int>(meet(static_cast<Node>(best), to));
      if (best != immediate_[node]) {
        immediate_[node] = best;
        isChanged = true;
      }
    }
  }
}

BasicBlock *PostDominators::immediate(BasicBlock *block) const {
  int found = immediate_[numbers_.lookup(block)];
  return found < 0 || static_cast<Node>(found) == end_ ? nullptr
                                                       : blocks_[static_cast<Node>(found)];
}

} // namespace culprit

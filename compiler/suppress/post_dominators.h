// Where control comes together again after a branch, whatever the branch decides.
//
// That is the branch's immediate post-dominator, with two exceptions to the textbook: ways that end
// in a call that does not return, and ways of exceptions, do not count. One `if (bad) exit(1);` in
// a loop would otherwise put everything behind the loop out of reach.
#ifndef CULPRIT_COMPILER_SUPPRESS_POST_DOMINATORS_H
#define CULPRIT_COMPILER_SUPPRESS_POST_DOMINATORS_H

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Function.h>
#include <vector>

namespace culprit {

class PostDominators {
public:
  explicit PostDominators(llvm::Function &function);

  /// The block where all ways from `block` meet first; null if that is the function's end.
  llvm::BasicBlock *immediate(llvm::BasicBlock *block) const;

private:
  using Node = unsigned;

  void addEdges(llvm::Function &function);
  void endLoopsWithoutExit(llvm::Function &function);
  void findReturning();
  void order();
  void solve();
  Node meet(Node a, Node b) const;

  std::vector<llvm::BasicBlock *> blocks_;
  llvm::DenseMap<llvm::BasicBlock *, Node> numbers_;
  Node end_ = 0; ///< stands for the function's end
  std::vector<std::vector<Node>> next_, before_;
  std::vector<bool> returns_;      ///< whether the end can be reached from it
  std::vector<Node> order_;        ///< from the end backwards, each after all it leads to
  std::vector<unsigned> position_; ///< in that order
  std::vector<int> immediate_;     ///< -1: not known
};

} // namespace culprit
#endif

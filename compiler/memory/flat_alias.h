// Alias analysis for flat memory: only offsets from the same base are told apart.
//
// The C rules say that distinct objects do not overlap, and LLVM's own analyses use them. In a
// failing program they do overlap: an overflowed neighbour must read as overwritten. So two
// accesses are kept apart only
//   - when both are at known, disjoint offsets from one base pointer,
//   - when both stay inside different members of one frame, wherever the layout puts those,
//   - when one is a local that stayed an alloca (compiler/memory/frames.h leaves only those whose
//     every access is provably inside), and the other cannot have been derived from it,
//   - when one is in a frame and the other is in a global, or is through a pointer that cannot have
//     come from the frame. Frames lie apart from globals and heap, so what runs over one comes from
//     the frame itself, from another frame, or from a function that is called.
// Constants count as memory like any other: told that nothing can write to one, LLVM leaves out the
// stores to it, which fail.
#ifndef CULPRIT_COMPILER_MEMORY_FLAT_ALIAS_H
#define CULPRIT_COMPILER_MEMORY_FLAT_ALIAS_H

#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/IR/PassManager.h>

namespace culprit {

class FlatAliasResult : public llvm::AAResultBase {
public:
  explicit FlatAliasResult(const llvm::DataLayout &layout) : layout_(layout) {}

  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &,
                  llvm::FunctionAnalysisManager::Invalidator &) {
    return false;
  }
  llvm::AliasResult alias(const llvm::MemoryLocation &a, const llvm::MemoryLocation &b,
                          llvm::AAQueryInfo &, const llvm::Instruction *);
  llvm::ModRefInfo getModRefInfoMask(const llvm::MemoryLocation &location, llvm::AAQueryInfo &,
                                     bool ignoreLocals);
  llvm::MemoryEffects getMemoryEffects(const llvm::CallBase *call, llvm::AAQueryInfo &);
  llvm::MemoryEffects getMemoryEffects(const llvm::Function *function);
  llvm::ModRefInfo getModRefInfo(const llvm::CallBase *call, const llvm::MemoryLocation &location,
                                 llvm::AAQueryInfo &query);
  using llvm::AAResultBase::getModRefInfo;

private:
  const llvm::DataLayout &layout_;
};

class FlatAliasAnalysis : public llvm::AnalysisInfoMixin<FlatAliasAnalysis> {
public:
  using Result = FlatAliasResult;
  Result run(llvm::Function &function, llvm::FunctionAnalysisManager &);

private:
  friend llvm::AnalysisInfoMixin<FlatAliasAnalysis>;
  static llvm::AnalysisKey Key;
};

} // namespace culprit
#endif

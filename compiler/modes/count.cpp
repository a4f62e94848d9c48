// Mode `count`: how often every block and every critical edge was executed.
//
// Counters are a 64-bit array per module, one slot per block and one per critical edge (the count
// of any other edge follows from its blocks). They lie in section `culprit_counts`, over which the
// runtime maps a file: whatever ends the program, the counts are there. The host finds a module's
// array by the symbol `__culprit_counts.ID`.
#include "abi/contract.h"
#include "compiler/modes/mode.h"
#include "compiler/sites/numbering.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace culprit {
using namespace llvm;
namespace {

class Counters {
public:
  Counters(Module &module, const SiteTable &table, const TwinContext &context)
      : table_(table), isThreaded_(context.isThreaded),
        type_(ArrayType::get(Type::getInt64Ty(module.getContext()), table.counterCount)) {
    array_ = new GlobalVariable(module, type_, /*isConstant=*/false, GlobalValue::InternalLinkage,
                                ConstantAggregateZero::get(type_),
                                abi::kCountSymbolPrefix + context.moduleId);
    array_->setSection(abi::kCountSection);
    array_->setAlignment(Align(8));
  }

  void addTo(Function &function, const SiteFunction &row) {
    // Blocks are listed before any edge is split, so that positions are those of the table.
    SmallVector<BasicBlock *, 32> blocks;
    for (BasicBlock &block : function)
      blocks.push_back(&block);
    for (size_t i = 0; i < blocks.size(); ++i) {
      count(*blocks[i]->getFirstInsertionPt(), row.firstBlock + static_cast<uint32_t>(i));
      countEdges(*blocks[i], table_.blocks[row.firstBlock + i]);
    }
  }

private:
  void countEdges(BasicBlock &block, const SiteBlock &row) {
    Instruction *end = block.getTerminator();
    for (uint32_t i = 0; i < row.edgeCount; ++i) {
      uint32_t counter = table_.edges[row.firstEdge + i].counter;
      if (counter != kNoCounter)
        if (BasicBlock *middle = SplitCriticalEdge(end, i))
          count(*middle->getFirstInsertionPt(), counter);
    }
  }

  void count(Instruction &before, uint32_t counter) {
    IRBuilder<> builder(&before);
    Value *slot = builder.CreateConstInBoundsGEP2_64(type_, array_, 0, counter);
    if (isThreaded_) {
      builder.CreateAtomicRMW(AtomicRMWInst::Add, slot, builder.getInt64(1), Align(8),
                              AtomicOrdering::Monotonic);
      return;
    }
    Value *count = builder.CreateLoad(builder.getInt64Ty(), slot);
    builder.CreateStore(builder.CreateAdd(count, builder.getInt64(1)), slot);
  }

  const SiteTable &table_;
  bool isThreaded_;
  ArrayType *type_;
  GlobalVariable *array_;
};

class Count : public Mode {
public:
  const char *name() const override { return "count"; }
  bool wantsSites() const override { return true; }

  void onPristine(Module &module, const SiteTable &table,
                  const TwinContext &context) const override {
    if (table.counterCount == 0)
      return;
    Counters counters(module, table, context);
    size_t next = 0;
    SmallVector<Function *, 64> counted;
    for (Function &function : module)
      if (hasSites(function))
        counted.push_back(&function);
    for (Function *function : counted)
      counters.addTo(*function, table.functions[next++]);
  }
};

const Count countMode;
const ModeRegistration registration(countMode);

} // namespace
} // namespace culprit

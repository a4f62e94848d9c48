// See skipped_writes.h.
#include "compiler/suppress/skipped_writes.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>
#include <set>

namespace culprit {
using namespace llvm;

namespace {

constexpr unsigned kMostMarks = 16;  ///< on one way: they take room in the code
constexpr unsigned kMostBlocks = 64; ///< that are looked at, the nearest ones
constexpr unsigned kMostSteps = 6;   ///< from a variable to the address
constexpr unsigned kMostCalls = 3;   ///< one in the other

struct Write {
  Value *pointer;
  uint64_t size;
};

std::optional<Write> writeOf(Instruction &instruction, const DataLayout &layout) {
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    TypeSize size = layout.getTypeStoreSize(store->getValueOperand()->getType());
    if (!size.isScalable())
      return Write{store->getPointerOperand(), size.getFixedValue()};
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
    if (auto *length = dyn_cast<ConstantInt>(memory->getLength()))
      return Write{memory->getRawDest(), length->getZExtValue()};
  }
  return std::nullopt;
}

/// Whether it is there on every way: a block of a variable size is made where it is declared.
bool isLocal(const Value *value) {
  auto *local = dyn_cast<AllocaInst>(value);
  return local && local->isStaticAlloca();
}

bool isVariable(const Value *value) {
  auto *global = dyn_cast<GlobalVariable>(value);
  return (global && !global->isThreadLocal() && !global->isConstant()) || isLocal(value);
}

class Marker {
public:
  explicit Marker(IRBuilder<> &builder)
      : builder_(builder), module_(*builder.GetInsertBlock()->getModule()),
        layout_(module_.getDataLayout()) {}

  void markBlock(BasicBlock &block) {
    for (Instruction &instruction : block) {
      if (std::optional<Write> write = writeOf(instruction, layout_))
        mark(*write);
      else if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction())
          markVariablesOf(*callee, kMostCalls);
    }
  }

  bool isFull() const { return marked_.size() >= kMostMarks; }

private:
  void mark(const Write &write) {
    auto *local = dyn_cast<AllocaInst>(write.pointer);
    bool isFollowed = local && isAllocaPromotable(local); // a value: joins see to it
    if (isFollowed || isFull() || marked_.contains(write.pointer) ||
        !canBeMade(write.pointer, kMostSteps))
      return;
    marked_.insert(write.pointer);
    Value *place = make(write.pointer);
    if (!places_.insert(place))
      return;
    FunctionCallee stale = module_.getOrInsertFunction(kStaleName, builder_.getVoidTy(),
                                                       builder_.getPtrTy(), builder_.getInt64Ty());
    cast<Function>(stale.getCallee())->setDoesNotThrow();
    builder_.CreateCall(stale, {place, builder_.getInt64(write.size)});
  }

  void markVariablesOf(Function &function, unsigned deeper) {
    if (deeper == 0 || function.isDeclaration() || !visited_.insert(&function).second)
      return;
    for (Instruction &instruction : instructions(function)) {
      if (isFull())
        return;
      std::optional<Write> write = writeOf(instruction, layout_);
      if (write && isa<Constant>(write->pointer) &&
          isVariable(write->pointer->stripInBoundsConstantOffsets()))
        mark(*write);
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction())
          markVariablesOf(*callee, deeper - 1);
    }
  }

  /// Whether the value can be had on another way: from variables, by steps that cannot fail.
  bool canBeMade(const Value *value, unsigned steps) const {
    if (isa<Argument>(value) || isa<Constant>(value) || isLocal(value))
      return true;
    if (steps == 0)
      return false;
    if (auto *load = dyn_cast<LoadInst>(value))
      return isVariable(load->getPointerOperand()) && !load->isVolatile() && !load->isAtomic();
    if (!isa<GetElementPtrInst>(value) && !isa<CastInst>(value))
      return false;
    return all_of(cast<Instruction>(value)->operands(),
                  [&](const Use &operand) { return canBeMade(operand, steps - 1); });
  }

  Value *make(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || isa<AllocaInst>(instruction))
      return value;
    if (Value *made = made_.lookup(value))
      return made;
    SmallVector<Value *, 4> operands;
    for (Value *operand : instruction->operands())
      operands.push_back(make(operand));
    Instruction *copy = instruction->clone();
    copy->dropUnknownNonDebugMetadata();
    for (unsigned i = 0; i < operands.size(); ++i)
      copy->setOperand(i, operands[i]);
    builder_.Insert(copy);
    return made_[value] = copy;
  }

  IRBuilder<> &builder_;
  Module &module_;
  const DataLayout &layout_;
  SmallPtrSet<Value *, 16> marked_;
  SmallSetVector<Value *, 16> places_;
  DenseMap<Value *, Value *> made_;
  SmallPtrSet<Function *, 8> visited_;
};

} // namespace

SkippedBlocks skippedBlocks(BasicBlock *branch, BasicBlock *meeting) {
  SkippedBlocks skipped;
  auto addAfter = [&](BasicBlock *block) {
    for (BasicBlock *next : successors(block))
      if (next != meeting)
        skipped.insert(next);
  };
  addAfter(branch);
  for (size_t i = 0; i < skipped.size(); ++i)
    addAfter(skipped[i]);
  return skipped;
}

void markSkippedWrites(IRBuilder<> &builder, const SkippedBlocks &skipped) {
  Marker marker(builder);
  for (size_t i = 0; i < skipped.size() && i < kMostBlocks && !marker.isFull(); ++i)
    marker.markBlock(*skipped[i]);
}

} // namespace culprit

// See skip_edges.h.
#include "compiler/suppress/skip_edges.h"

#include "abi/origins.h"
#include "compiler/sites/numbering.h"
#include "compiler/suppress/lost_results.h"
#include "compiler/suppress/post_dominators.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Local.h>

namespace culprit {
using namespace llvm;

namespace {

/// Bytes of a local whose declaration is followed: it costs time at every call of its function.
constexpr uint64_t kLargestDeclared = 16 << 10;

bool isUsedElsewhere(const Instruction &instruction) {
  return any_of(instruction.users(), [&](const User *user) {
    auto *use = cast<Instruction>(user);
    return use->getParent() != instruction.getParent() || isa<PHINode>(use);
  });
}

/// A new way into a block must not pass by a definition: values that are used in other blocks go
/// through memory, from which promotion takes them back.
void putValuesIntoMemory(Function &function, LostResults &results) {
  BasicBlock &entry = function.getEntryBlock();
  Instruction *place = &*entry.getFirstNonPHIOrDbgOrAlloca();
  SmallVector<PHINode *, 16> joins;
  SmallVector<Instruction *, 16> values;
  for (Instruction &instruction : instructions(function)) {
    if (auto *join = dyn_cast<PHINode>(&instruction))
      joins.push_back(join);
    else if (!isa<AllocaInst>(instruction) && !instruction.getType()->isTokenTy() &&
             isUsedElsewhere(instruction))
      values.push_back(&instruction);
  }
  for (Instruction *value : values)
    DemoteRegToStack(*value, /*VolatileLoads=*/false, place->getIterator());
  for (PHINode *join : joins) {
    BasicBlock *block = join->getParent();
    if (AllocaInst *slot = DemotePHIToStack(join, place->getIterator()))
      results.addJoin(block, slot);
  }
}

FunctionCallee corruptTest(Module &module, Type *type) {
  std::string name = kCorruptPrefix;
  raw_string_ostream(name) << *type;
  FunctionCallee test =
      module.getOrInsertFunction(name, Type::getInt1Ty(module.getContext()), type);
  cast<Function>(test.getCallee())->setDoesNotThrow();
  return test;
}

/// The value that decides where a block goes on; null if nothing does.
Value *decisionOf(Instruction *end) {
  auto *branch = dyn_cast<BranchInst>(end);
  if (branch && branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1))
    return branch->getCondition();
  auto *choice = dyn_cast<SwitchInst>(end);
  return choice && choice->getNumCases() > 0 ? choice->getCondition() : nullptr;
}

class Skipper {
public:
  explicit Skipper(Function &function)
      : function_(function), module_(*function.getParent()), context_(function.getContext()),
        results_(function) {}

  void run(const SkipOptions &options) {
    putValuesIntoMemory(function_, results_);
    PostDominators meetings(function_);
    SmallVector<std::pair<Instruction *, BasicBlock *>, 32> branches;
    for (BasicBlock &block : function_)
      if (Value *decision = decisionOf(block.getTerminator()); decision && !isa<Constant>(decision))
        branches.push_back({block.getTerminator(), meetings.immediate(&block)});
    if (options.ticks) {
      declareLocals();
      tick();
    }
    for (auto [branch, meeting] : branches)
      if (options.edges)
        addSkip(branch, meeting, options);
  }

private:
  FunctionCallee step(const char *name) {
    FunctionCallee callee = module_.getOrInsertFunction(name, Type::getVoidTy(context_));
    cast<Function>(callee.getCallee())->setDoesNotThrow();
    return callee;
  }

  void tick() {
    SmallSetVector<BasicBlock *, 8> places;
    places.insert(&function_.getEntryBlock());
    SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 8> backward;
    FindFunctionBackedges(function_, backward);
    for (auto [from, to] : backward)
      places.insert(const_cast<BasicBlock *>(to));
    for (BasicBlock *block : places)
      IRBuilder<>(&*block->getFirstNonPHIOrDbgOrAlloca()).CreateCall(step(kTickName));
  }

  void declareLocals() {
    Type *size = Type::getInt64Ty(context_);
    BasicBlock &entry = function_.getEntryBlock();
    Instruction *place = &*entry.getFirstNonPHIOrDbgOrAlloca();
    for (Instruction &instruction : entry) {
      auto *local = dyn_cast<AllocaInst>(&instruction);
      if (!local || !local->isStaticAlloca() || !siteOf(*local) ||
          local->getAllocatedType()->isSingleValueType())
        continue;
      std::optional<TypeSize> bytes = local->getAllocationSize(module_.getDataLayout());
      if (!bytes || bytes->isScalable() || bytes->getFixedValue() > kLargestDeclared)
        continue;
      FunctionCallee declare = module_.getOrInsertFunction(kDeclareName, Type::getVoidTy(context_),
                                                           PointerType::getUnqual(context_), size);
      cast<Function>(declare.getCallee())->setDoesNotThrow();
      CallInst *call = IRBuilder<>(place).CreateCall(
          declare, {local, ConstantInt::get(size, bytes->getFixedValue())});
      call->addParamAttr(0, Attribute::getWithAlignment(context_, local->getAlign()));
      attachSite(*call, *siteOf(*local));
    }
  }

  void addSkip(Instruction *branch, BasicBlock *meeting, const SkipOptions &options) {
    Value *decision = decisionOf(branch);
    BasicBlock *block = branch->getParent();
    BasicBlock *rest = block->splitBasicBlock(branch, block->getName() + ".branch");
    block->getTerminator()->eraseFromParent();
    BasicBlock *skip = BasicBlock::Create(context_, block->getName() + ".skip", &function_, rest);
    IRBuilder<> builder(block);
    builder.SetCurrentDebugLocation(branch->getDebugLoc());
    Value *isCorrupt = builder.CreateCall(corruptTest(module_, decision->getType()), decision);
    builder.CreateCondBr(isCorrupt, skip, rest);
    builder.SetInsertPoint(skip);
    if (!options.ticks)
      builder.CreateCall(step(kLeftName));
    std::optional<uint32_t> site = siteOf(*branch);
    bool isChoosing = site && options.choosing && options.choosing->contains(*site);
    CallInst *way = site && (isChoosing || options.notes) ? askWay(builder, *site) : nullptr;
    if (isChoosing)
      choose(builder, way, branch);
    SkippedBlocks skipped = skippedBlocks(rest, meeting);
    markSkippedWrites(builder, skipped);
    if (meeting)
      results_.lose(builder, skipped, meeting);
    Type *result = function_.getReturnType();
    Instruction *end = meeting              ? static_cast<Instruction *>(builder.CreateBr(meeting))
                       : result->isVoidTy() ? builder.CreateRetVoid()
                                            : builder.CreateRet(Constant::getNullValue(result));
    end->setMetadata(kSkippedEnd, MDNode::get(context_, {}));
  }

  CallInst *askWay(IRBuilder<> &builder, uint32_t site) {
    FunctionCallee skip = module_.getOrInsertFunction(kSkipName, builder.getInt64Ty());
    cast<Function>(skip.getCallee())->setDoesNotThrow();
    CallInst *way = builder.CreateCall(skip);
    attachSite(*way, site);
    return way;
  }

  /// Leaves the builder where none of the branch's sides was taken.
  void choose(IRBuilder<> &builder, Value *way, Instruction *branch) {
    BasicBlock *rest = branch->getParent();
    BasicBlock *turned = BasicBlock::Create(context_, rest->getName() + ".turned", &function_);
    BasicBlock *past = BasicBlock::Create(context_, rest->getName() + ".past", &function_);
    SwitchInst *choice = builder.CreateSwitch(way, past, 2);
    choice->addCase(builder.getInt64(static_cast<uint64_t>(abi::Way::Computed)), rest);
    choice->addCase(builder.getInt64(static_cast<uint64_t>(abi::Way::Other)), turned);
    Instruction *other = branch->clone();
    other->insertInto(turned, turned->end());
    BasicBlock *first = other->getSuccessor(0); // of a switch, that of all other values
    other->setSuccessor(0, other->getSuccessor(1));
    for (unsigned i = 1; i < other->getNumSuccessors(); ++i)
      other->setSuccessor(i, first);
    builder.SetInsertPoint(past);
  }

  Function &function_;
  Module &module_;
  LLVMContext &context_;
  LostResults results_;
};

} // namespace

bool canBeSuppressed(const Function &function) {
  return hasSites(function) && !function.isPresplitCoroutine() &&
         !function.hasFnAttribute(Attribute::Naked);
}

void prepareSkips(Module &module, const SkipOptions &options) {
  for (Function &function : module)
    if (canBeSuppressed(function))
      Skipper(function).run(options);
}

} // namespace culprit

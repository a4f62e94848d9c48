// See numbering.h. Debug intrinsics, lifetime markers and allocas are no sites in their blocks:
// whether they are there depends on flags, and nothing happens in them. Named locals are sites
// behind all others.
#include "compiler/sites/numbering.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace culprit {
using namespace llvm;

bool isCleanupSlot(const Value *pointer) {
  auto *slot = dyn_cast<AllocaInst>(pointer);
  if (!slot || !slot->getAllocatedType()->isIntegerTy(32) ||
      !findDVRDeclares(const_cast<AllocaInst *>(slot)).empty())
    return false;
  return all_of(slot->users(), [](const User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return isa<ConstantInt>(store->getValueOperand());
    return isa<LoadInst>(user) && user->hasOneUse() &&
           (isa<SwitchInst>(*user->user_begin()) || isa<ICmpInst>(*user->user_begin()));
  });
}

namespace {

bool isSite(const Instruction &instruction) {
  return !isa<AllocaInst>(instruction) && !isa<DbgInfoIntrinsic>(instruction) &&
         !instruction.isLifetimeStartOrEnd();
}

bool setsCleanupSlot(const Instruction *instruction) {
  auto *store = dyn_cast_or_null<StoreInst>(instruction);
  return store && isCleanupSlot(store->getPointerOperand());
}

/// Whether a jump into clean-ups comes from another place in the source than the end of the scope:
/// it is a statement (`} break;`).
bool isJumpOfItsOwn(const Instruction &instruction) {
  auto *branch = dyn_cast<BranchInst>(&instruction);
  const Instruction *before = branch ? branch->getPrevNonDebugInstruction() : nullptr;
  return before && branch->isUnconditional() && branch->getDebugLoc() &&
         (before->isLifetimeStartOrEnd() || setsCleanupSlot(before)) &&
         branch->getDebugLoc() != before->getDebugLoc();
}

/// Whether an instruction only steers through the clean-ups of a scope; no statement is behind it.
/// At -O1 and above clang also emits such code where there is nothing to clean up.
bool isCleanupStep(const Instruction &instruction) {
  if (const Value *pointer = getLoadStorePointerOperand(&instruction))
    return isCleanupSlot(pointer);
  if (isa<ICmpInst>(instruction) || isa<SwitchInst>(instruction)) {
    auto *load = dyn_cast<LoadInst>(instruction.getOperand(0));
    return load && isCleanupSlot(load->getPointerOperand());
  }
  auto *branch = dyn_cast<BranchInst>(&instruction);
  if (!branch)
    return false;
  if (branch->isConditional()) {
    auto *test = dyn_cast<ICmpInst>(branch->getCondition());
    return test && isCleanupStep(*test);
  }
  return setsCleanupSlot(branch->getPrevNonDebugInstruction()) && !isJumpOfItsOwn(instruction);
}

/// Whether control comes to the end of a scope here, where at -O0 there is a jump: clang notes 0
/// for what is to be done after the clean-ups, and goes on from there by a jump on the same line.
/// (At the end of a loop's body that jump belongs to the loop.)
bool endsScope(const Instruction &instruction) {
  if (!setsCleanupSlot(&instruction) || !instruction.getDebugLoc())
    return false;
  auto *noted = dyn_cast<ConstantInt>(cast<StoreInst>(instruction).getValueOperand());
  const BasicBlock *cleanUps = instruction.getParent()->getSingleSuccessor();
  auto *onward = cleanUps ? dyn_cast<SwitchInst>(cleanUps->getTerminator()) : nullptr;
  if (!noted || !noted->isZero() || !onward || !isCleanupStep(*onward))
    return false;
  auto next = onward->findCaseValue(ConstantInt::get(noted->getIntegerType(), 0));
  if (next == onward->case_default())
    return false;
  const DebugLoc &jump = next->getCaseSuccessor()->getTerminator()->getDebugLoc();
  return jump && jump.getLine() == instruction.getDebugLoc().getLine();
}

/// Whether a jump follows the end of a lifetime. On the way of an exception it stands for nothing:
/// at -O0 it is on the line of the clean-up before.
bool isAfterLifetime(const Instruction &instruction) {
  auto *branch = dyn_cast<BranchInst>(&instruction);
  const Instruction *before = branch ? branch->getPrevNonDebugInstruction() : nullptr;
  return before && branch->isUnconditional() && before->isLifetimeStartOrEnd();
}

/// The blocks that control reaches without an exception, or once one is caught.
SmallPtrSet<const BasicBlock *, 32> blocksWithoutException(const Function &function) {
  SmallVector<const BasicBlock *, 32> open{&function.getEntryBlock()};
  for (const Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction())
        if (callee->getName() == "__cxa_begin_catch")
          open.push_back(instruction.getParent());
  SmallPtrSet<const BasicBlock *, 32> reached;
  while (!open.empty()) {
    const BasicBlock *block = open.pop_back_val();
    if (reached.insert(block).second)
      for (const BasicBlock *next : successors(block))
        if (!next->isLandingPad())
          open.push_back(next);
  }
  return reached;
}

/// Whether a block does nothing but end lifetimes and steer through clean-ups.
bool isScopeExit(const BasicBlock &block) {
  bool isExit = false;
  for (const Instruction &instruction : block) {
    if (isa<DbgInfoIntrinsic>(instruction))
      continue;
    auto *branch = dyn_cast<BranchInst>(&instruction);
    bool isOnward = branch && branch->isUnconditional() && !isJumpOfItsOwn(instruction);
    if (!instruction.isLifetimeStartOrEnd() && !isOnward && !isCleanupStep(instruction))
      return false;
    isExit |= instruction.isLifetimeStartOrEnd() || (isOnward && isCleanupStep(instruction));
  }
  return isExit;
}

/// The head of `while (1)`: a lone jump, entered by a jump from the very same place in the source,
/// and again from within the loop. clang at -O0 leaves it out, but not other lone jumps (`default:`
/// before a label).
bool isLoopForwarder(const BasicBlock &block) {
  auto *jump = dyn_cast<BranchInst>(&*block.getFirstNonPHIOrDbg());
  if (!jump || jump->isConditional() || !jump->getDebugLoc())
    return false;
  bool isEnteredFromItsPlace = any_of(predecessors(&block), [&](const BasicBlock *from) {
    return from->getUniqueSuccessor() &&
           from->getTerminator()->getDebugLoc() == jump->getDebugLoc();
  });
  return isEnteredFromItsPlace && any_of(predecessors(&block), [&](const BasicBlock *from) {
           return isPotentiallyReachable(&block, from);
         });
}

/// Whether what follows a call runs only if that failed to execute another program.
bool executesProgram(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() &&
         StringSwitch<bool>(callee->getName())
             .Cases("execl", "execle", "execlp", true)
             .Cases("execv", "execve", "execvp", "execvpe", true)
             .Default(false);
}

/// Ends blocks at such calls, as clang's --coverage does.
void endBlocksAtExec(Module &module) {
  SmallVector<Instruction *, 8> calls;
  for (Function &function : module)
    if (hasSites(function))
      for (Instruction &instruction : instructions(function))
        if (executesProgram(instruction))
          calls.push_back(&instruction);
  for (Instruction *call : calls) {
    BasicBlock *block = call->getParent();
    block->splitBasicBlock(std::next(call->getIterator()));
    block->getTerminator()->setDebugLoc(call->getDebugLoc());
  }
}

class Numberer {
public:
  Numberer(Module &module, bool attach) : module_(module), attach_(attach) {}

  SiteTable run() {
    endBlocksAtExec(module_);
    for (Function &function : module_)
      if (hasSites(function))
        addFunction(function);
    for (const Declaration &declaration : declarations_)
      addDeclaration(declaration);
    table_.counterCount = static_cast<uint32_t>(table_.blocks.size());
    for (SiteEdge &edge : table_.edges)
      if (edge.counter != kNoCounter)
        edge.counter = table_.counterCount++;
    return std::move(table_);
  }

private:
  struct Declaration {
    AllocaInst *local;
    const DILocalVariable *variable;
    DebugLoc location;
    uint32_t function, block;
  };

  uint32_t intern(StringRef text) {
    if (text.empty())
      return 0;
    auto [slot, isNew] = strings_.try_emplace(text, static_cast<uint32_t>(table_.strings.size()));
    if (isNew)
      table_.strings.push_back(text.str());
    return slot->second;
  }

  uint32_t internFile(const DIFile *file) {
    if (!file)
      return 0;
    auto [slot, isNew] = files_.try_emplace(file, 0);
    if (isNew) {
      slot->second = static_cast<uint32_t>(table_.files.size());
      table_.files.push_back({intern(file->getFilename()), intern(file->getDirectory())});
    }
    return slot->second;
  }

  void addFunction(Function &function) {
    collectVariables(function);
    DISubprogram *subprogram = function.getSubprogram();
    SiteFunction row{intern(nameFor(function)),
                     internFile(subprogram ? subprogram->getFile() : nullptr),
                     subprogram && !subprogram->isArtificial() ? subprogram->getLine() : 0,
                     static_cast<uint32_t>(table_.sites.size()),
                     0,
                     static_cast<uint32_t>(table_.blocks.size()),
                     static_cast<uint32_t>(function.size())};
    uint32_t index = static_cast<uint32_t>(table_.functions.size());
    DenseMap<const BasicBlock *, uint32_t> blockIndex;
    for (BasicBlock &block : function)
      blockIndex[&block] = row.firstBlock + static_cast<uint32_t>(blockIndex.size());
    df_iterator_default_set<BasicBlock *> reachable;
    for (BasicBlock *block : depth_first_ext(&function, reachable))
      (void)block;
    SmallPtrSet<const BasicBlock *, 32> withoutException = blocksWithoutException(function);
    for (BasicBlock &block : function) {
      bool isStep = isScopeExit(block) || isLoopForwarder(block);
      inSource_ = reachable.contains(&block) && !isStep;
      isUnwinding_ = !withoutException.contains(&block);
      SiteBlock blockRow{static_cast<uint32_t>(table_.sites.size()), 0,
                         static_cast<uint32_t>(table_.edges.size()), 0, isStep};
      for (Instruction &instruction : block)
        if (isSite(instruction))
          addSite(instruction, index, blockIndex[&block]);
      addEdges(block, blockIndex);
      blockRow.siteCount = static_cast<uint32_t>(table_.sites.size()) - blockRow.firstSite;
      blockRow.edgeCount = static_cast<uint32_t>(table_.edges.size()) - blockRow.firstEdge;
      table_.blocks.push_back(blockRow);
    }
    row.siteCount = static_cast<uint32_t>(table_.sites.size()) - row.firstSite;
    table_.functions.push_back(row);
    collectDeclarations(function, index, row.firstBlock);
  }

  /// A local holds what was there before it is set. That is what it was declared with.
  void collectDeclarations(Function &function, uint32_t index, uint32_t block) {
    SmallPtrSet<const Value *, 16> seen;
    for (Instruction &instruction : instructions(function))
      for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange())) {
        auto *local =
            dyn_cast_or_null<AllocaInst>(record.isDbgDeclare() ? record.getAddress() : nullptr);
        const DILocalVariable *variable = record.getVariable();
        if (local && variable->getArg() == 0 && !variable->isArtificial() &&
            seen.insert(local).second)
          declarations_.push_back({local, variable, record.getDebugLoc(), index, block});
      }
  }

  void addDeclaration(const Declaration &declaration) {
    const DebugLoc &location = declaration.location;
    uint32_t number = static_cast<uint32_t>(table_.sites.size());
    table_.sites.push_back({internFile(location ? location->getFile() : nullptr),
                            location ? location.getLine() : 0, location ? location.getCol() : 0,
                            declaration.function, declaration.block,
                            intern(declaration.variable->getName()), SiteKind::Declare});
    if (attach_)
      attachSite(*declaration.local, number);
  }

  void addEdges(BasicBlock &block, DenseMap<const BasicBlock *, uint32_t> &blockIndex) {
    Instruction *end = block.getTerminator();
    for (unsigned i = 0; i < end->getNumSuccessors(); ++i) {
      BasicBlock *to = end->getSuccessor(i);
      bool isUnwind = isa<InvokeInst>(end) && i == 1;
      bool canSplit = !isa<IndirectBrInst>(end) && !isa<CallBrInst>(end) && !isUnwind;
      bool isCritical = canSplit && isCriticalEdge(end, i, /*AllowIdenticalEdges=*/false);
      table_.edges.push_back(
          {blockIndex[&block], blockIndex[to], isCritical ? 0 : kNoCounter, isUnwind});
    }
  }

  void addSite(Instruction &instruction, uint32_t function, uint32_t block) {
    const DebugLoc &location = instruction.getDebugLoc();
    uint32_t number = static_cast<uint32_t>(table_.sites.size());
    bool isStep = isCleanupStep(instruction) && !endsScope(instruction);
    bool inSource = inSource_ && location && !location->isImplicitCode() && !isStep &&
                    !(isUnwinding_ && isAfterLifetime(instruction));
    table_.sites.push_back({inSource ? internFile(location->getFile()) : 0,
                            inSource ? location.getLine() : 0, inSource ? location.getCol() : 0,
                            function, block, intern(variableOf(instruction)), kindOf(instruction)});
    if (attach_)
      attachSite(instruction, number);
  }

  static StringRef nameFor(const Function &function) {
    if (const DISubprogram *subprogram = function.getSubprogram())
      if (!subprogram->getName().empty() && subprogram->getLinkageName().empty())
        return subprogram->getName();
    return function.getName();
  }

  void collectVariables(Function &function) {
    variables_.clear();
    for (Instruction &instruction : instructions(function)) {
      for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
        if (record.isDbgDeclare() && record.getAddress())
          variables_[record.getAddress()] = record.getVariable()->getName();
      if (auto *declare = dyn_cast<DbgDeclareInst>(&instruction))
        if (declare->getAddress())
          variables_[declare->getAddress()] = declare->getVariable()->getName();
    }
  }

  StringRef variableAt(const Value *pointer) {
    const Value *base = pointer->stripInBoundsConstantOffsets();
    if (auto found = variables_.find(base); found != variables_.end())
      return found->second;
    if (auto *global = dyn_cast<GlobalVariable>(base)) {
      SmallVector<DIGlobalVariableExpression *, 1> infos;
      global->getDebugInfo(infos);
      return infos.empty() ? global->getName() : infos[0]->getVariable()->getName();
    }
    return "";
  }

  StringRef variableOf(const Instruction &instruction) {
    if (const Value *pointer = getLoadStorePointerOperand(&instruction))
      return variableAt(pointer);
    return "";
  }

  SiteKind kindOf(const Instruction &instruction) {
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      return variables_.contains(store->getPointerOperand()) ? SiteKind::Define : SiteKind::Store;
    if (isa<LoadInst>(instruction))
      return SiteKind::Load;
    if (isa<CallBase>(instruction))
      return SiteKind::Call;
    if (isa<ReturnInst>(instruction))
      return SiteKind::Return;
    if (instruction.isTerminator())
      return instruction.getNumSuccessors() > 1 ? SiteKind::Branch : SiteKind::Jump;
    return SiteKind::Compute;
  }

  Module &module_;
  bool attach_;
  std::vector<Declaration> declarations_;
  SiteTable table_;
  StringMap<uint32_t> strings_;
  DenseMap<const DIFile *, uint32_t> files_;
  DenseMap<const Value *, StringRef> variables_;
  bool isUnwinding_ = false; ///< an exception is on its way through the block at hand
  bool inSource_ = true;     ///< the block at hand stands for something in the source
};

} // namespace

bool hasSites(const Function &function) {
  return !function.isDeclaration();
}

SiteTable numberSites(Module &module, bool attach) {
  return Numberer(module, attach).run();
}

std::optional<uint32_t> siteOf(const Instruction &instruction) {
  const MDNode *node = instruction.getMetadata(kSiteMetadata);
  if (!node)
    return std::nullopt;
  return static_cast<uint32_t>(mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue());
}

void attachSite(Instruction &instruction, uint32_t site) {
  LLVMContext &context = instruction.getContext();
  auto *number = ConstantInt::get(Type::getInt32Ty(context), site);
  instruction.setMetadata(kSiteMetadata, MDNode::get(context, ConstantAsMetadata::get(number)));
}

} // namespace culprit

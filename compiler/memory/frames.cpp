// See frames.h.
#include "compiler/memory/frames.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

bool isBuffer(const Type *type) {
  if (type->isArrayTy())
    return true;
  auto *record = dyn_cast<StructType>(type);
  return record && any_of(record->elements(), isBuffer);
}

bool hasName(AllocaInst *local) {
  return !findDbgDeclares(local).empty() || !findDVRDeclares(local).empty();
}

/// Hides where a pointer came from. `noalias` makes it a local object of its own; what that means
/// for an overflow is flat_alias.h's to say.
CallInst *launder(IRBuilder<> &builder, Value *pointer, bool isPrivate) {
  FunctionType *type = FunctionType::get(pointer->getType(), pointer->getType(), false);
  InlineAsm *nothing = InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false);
  CallInst *hidden = builder.CreateCall(type, nothing, pointer);
  hidden->addRetAttr(Attribute::NoAlias);
  hidden->addFnAttr(
      Attribute::get(builder.getContext(), kFrameAttribute, isPrivate ? "private" : "shared"));
  return hidden;
}

bool isPrivate(const AllocaInst *local) {
  return !PointerMayBeCaptured(local, /*ReturnCaptures=*/true, /*StoreCaptures=*/true,
                               /*MaxUsesToExplore=*/~0U);
}

void dropLifetimes(AllocaInst *local) {
  for (User *user : make_early_inc_range(local->users()))
    if (auto *call = dyn_cast<IntrinsicInst>(user); call && call->isLifetimeStartOrEnd())
      call->eraseFromParent();
}

class FrameBuilder {
public:
  FrameBuilder(Function &function, const UnsafeLocals &unsafe)
      : function_(function), layout_(function.getParent()->getDataLayout()) {
    bool keepsBuffer = false;
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        keepsBuffer |= unsafe.contains(local) &&
                       (isBuffer(local->getAllocatedType()) || local->isArrayAllocation());
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction)) {
        if (local->isSwiftError() || local->isUsedWithInAlloca())
          continue;
        if (!local->isStaticAlloca()) {
          if (unsafe.contains(local))
            dynamic_.push_back(local);
        } else if (unsafe.contains(local) || (keepsBuffer && hasName(local))) {
          members_.push_back(local);
        }
      }
  }

  void run() {
    if (!members_.empty())
      placeMembers();
    for (AllocaInst *local : dynamic_)
      hideDynamic(local);
  }

private:
  /// The first declared local gets the highest address.
  void placeMembers() {
    uint64_t size = 0;
    Align alignment(16);
    SmallVector<std::pair<AllocaInst *, uint64_t>, 16> places;
    for (AllocaInst *local : reverse(members_)) {
      size = alignTo(size, local->getAlign());
      places.emplace_back(local, size);
      size += *local->getAllocationSize(layout_);
      alignment = std::max(alignment, local->getAlign());
    }
    BasicBlock &entry = function_.getEntryBlock();
    IRBuilder<> builder(&entry, entry.begin());
    AllocaInst *block = builder.CreateAlloca(
        ArrayType::get(builder.getInt8Ty(), alignTo(std::max<uint64_t>(size, 1), alignment)));
    block->setAlignment(alignment);
    Value *frame = launder(builder, block, all_of(members_, isPrivate));
    frame->setName("frame");
    for (auto [local, offset] : places) {
      dropLifetimes(local);
      Value *place = builder.CreateConstGEP1_64(builder.getInt8Ty(), frame, offset);
      place->takeName(local);
      local->replaceAllUsesWith(place);
      local->eraseFromParent();
    }
  }

  static void hideDynamic(AllocaInst *local) {
    dropLifetimes(local);
    IRBuilder<> builder(local->getNextNode());
    Value *hidden = launder(builder, local, isPrivate(local));
    local->replaceUsesWithIf(hidden, [&](Use &use) { return use.getUser() != hidden; });
  }

  Function &function_;
  const DataLayout &layout_;
  SmallVector<AllocaInst *, 16> members_;
  SmallVector<AllocaInst *, 4> dynamic_;
};

void markShared(Function &coroutine) {
  MDNode *empty = MDNode::get(coroutine.getContext(), {});
  for (Instruction &instruction : instructions(coroutine))
    if (isa<AllocaInst>(instruction))
      instruction.setMetadata(kSharedLocal, empty);
}

} // namespace

void buildFrames(Module &module, const UnsafeLocals &unsafe) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked))
      continue;
    if (function.isPresplitCoroutine())
      markShared(function);
    else
      FrameBuilder(function, unsafe).run();
  }
}

} // namespace culprit

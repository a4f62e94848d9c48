// See frames.h.
#include "compiler/memory/frames.h"

#include "compiler/memory/buffers.h"
#include "compiler/memory/frame_stack.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

const DILocalVariable *variableOf(AllocaInst *local) {
  for (DbgDeclareInst *declare : findDbgDeclares(local))
    return declare->getVariable();
  for (DbgVariableRecord *declare : findDVRDeclares(local))
    return declare->getVariable();
  return nullptr;
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
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction);
          local && !local->isSwiftError() && !local->isUsedWithInAlloca())
        (local->isStaticAlloca() ? static_ : dynamic_).push_back(local);
    auto mayBeOverrun = [&](AllocaInst *local) {
      return unsafe.contains(local) &&
             (isBuffer(local->getAllocatedType()) || local->isArrayAllocation());
    };
    bool keepsBuffer = any_of(static_, mayBeOverrun) || any_of(dynamic_, mayBeOverrun);
    for (AllocaInst *local : static_)
      if (unsafe.contains(local) || (keepsBuffer && variableOf(local)))
        members_.insert(local);
    if (none_of(dynamic_, [&](AllocaInst *local) { return unsafe.contains(local); }))
      dynamic_.clear();
  }

  bool isNeeded() const { return !members_.empty() || !dynamic_.empty(); }

  FrameShape build(size_t number, uint64_t key) {
    FrameShape shape = describe();
    FrameRequest request{number, key, 16, 0, true};
    for (const FrameMember &member : shape.members)
      if (member.kind != MemberKind::Gap)
        request.alignment = std::max(request.alignment, member.alignment);
    for (AllocaInst *local : static_)
      request.isPrivate &= !members_.contains(local) || isPrivate(local);
    for (AllocaInst *local : concat<AllocaInst *>(static_, dynamic_))
      if (!local->isStaticAlloca() || members_.contains(local))
        dropLifetimes(local);
    Instruction *place = nullptr;
    Value *frame = pushFrame(function_, request, dynamic_, place);
    IRBuilder<> builder(place);
    for (size_t i = 0; i < static_.size(); ++i)
      if (members_.contains(static_[i]))
        moveMember(builder, frame, static_[i], number, i + kFirstLocal);
    return shape;
  }

private:
  static constexpr size_t kFirstLocal = 2; ///< behind the return slot and the saved base

  FrameShape describe() const {
    FrameShape shape;
    shape.function = function_.getName().str();
    if (DISubprogram *source = function_.getSubprogram()) {
      shape.file = source->getFilename().str();
      shape.line = source->getLine();
    }
    shape.members.push_back({MemberKind::ReturnSlot, "", 0, 8, 8, false});
    shape.members.push_back({MemberKind::SavedBase, "", 0, 8, 8, false});
    for (AllocaInst *local : static_)
      shape.members.push_back(describe(local));
    return shape;
  }

  FrameMember describe(AllocaInst *local) const {
    FrameMember member;
    member.size = sizeOf(local);
    member.alignment = local->getAlign().value();
    member.isBuffer = isBuffer(local->getAllocatedType()) || local->isArrayAllocation();
    member.kind = MemberKind::Gap;
    if (members_.contains(local)) {
      const DILocalVariable *variable = variableOf(local);
      member.kind = variable ? MemberKind::Local : MemberKind::Temporary;
      if (variable) {
        member.name = variable->getName().str();
        member.line = variable->getLine();
      }
    } else if (member.alignment > 16) {
      member.alignment = 16; // what is not there needs no alignment
    }
    return member;
  }

  void moveMember(IRBuilder<> &builder, Value *frame, AllocaInst *local, size_t shape,
                  size_t member) {
    Value *address = memberAddress(builder, frame, shape, member, sizeOf(local));
    address->takeName(local);
    local->replaceAllUsesWith(address);
    local->eraseFromParent();
  }

  uint64_t sizeOf(const AllocaInst *local) const {
    return local->getAllocationSize(layout_).value_or(TypeSize::getFixed(0)).getFixedValue();
  }

  Function &function_;
  const DataLayout &layout_;
  SmallVector<AllocaInst *, 16> static_;  ///< in clang's order
  SmallVector<AllocaInst *, 16> dynamic_; ///< all, if one is unsafe
  DenseSet<AllocaInst *> members_;
};

void markShared(AllocaInst &local) {
  local.setMetadata(kSharedLocal, MDNode::get(local.getContext(), {}));
}

void markAllShared(Function &coroutine) {
  for (Instruction &instruction : instructions(coroutine))
    if (auto *local = dyn_cast<AllocaInst>(&instruction))
      markShared(*local);
}

} // namespace

FrameTable buildFrames(Module &module, const UnsafeLocals &unsafe, const std::string &moduleId) {
  FrameTable table;
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked))
      continue;
    if (function.isPresplitCoroutine()) {
      markAllShared(function);
      continue;
    }
    FrameBuilder builder(function, unsafe);
    size_t number = table.size();
    if (builder.isNeeded())
      table.push_back(builder.build(number, frameKey(moduleId, number)));
    else
      restoreAfterUnwinding(function);
  }
  return table;
}

void keepLocals(Module &module, const UnsafeLocals &unsafe) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked))
      continue;
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction); local && unsafe.contains(local))
        markShared(*local);
    restoreAfterUnwinding(function);
  }
}

} // namespace culprit

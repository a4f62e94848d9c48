// See frames.h.
#include "compiler/memory/frames.h"

#include "compiler/memory/buffers.h"
#include "compiler/memory/frame_stack.h"
#include "compiler/memory/late_start.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

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
  FrameBuilder(Function &function, const FramePlan &plan)
      : function_(function), layout_(function.getParent()->getDataLayout()), plan_(plan) {}

  FrameShape build(size_t number, uint64_t key) {
    FrameShape shape = describe();
    FrameRequest request{number, key, 16, 0, true};
    for (const FrameMember &member : shape.members)
      if (member.kind != MemberKind::Gap)
        request.alignment = std::max(request.alignment, member.alignment);
    for (AllocaInst *local : plan_.locals)
      request.isPrivate &= !plan_.members.contains(local) || isPrivate(local);
    for (AllocaInst *local : plan_.dynamic)
      dropLifetimes(local);
    for (AllocaInst *local : plan_.locals)
      if (plan_.members.contains(local))
        dropLifetimes(local);
    if (plan_.lateStarts.empty())
      startAtEntry(request);
    else
      startLate(request);
    return shape;
  }

private:
  static constexpr size_t kFirstLocal = 2; ///< behind the return slot and the saved base

  void startAtEntry(const FrameRequest &request) {
    Instruction *place = nullptr;
    Value *frame = pushFrame(function_, request, plan_.dynamic, place);
    IRBuilder<> builder(place);
    for (size_t i = 0; i < plan_.locals.size(); ++i)
      if (AllocaInst *local = plan_.locals[i]; plan_.members.contains(local)) {
        Value *address =
            memberAddress(builder, frame, request.shape, i + kFirstLocal, sizeOf(local));
        address->takeName(local);
        local->replaceAllUsesWith(address);
        local->eraseFromParent();
      }
  }

  void startLate(const FrameRequest &request) {
    DominatorTree tree(function_);
    LateFrames frames(function_, tree, plan_.lateStarts);
    SmallVector<SmallVector<Moves, 16>, 2> moves;
    for (BasicBlock *start : plan_.lateStarts)
      moves.push_back(movesAt(start, tree));
    for (size_t i = 0; i < plan_.lateStarts.size(); ++i) {
      Instruction *place = nullptr;
      Value *frame = frames.push(i, request, place);
      IRBuilder<> builder(place);
      for (const Moves &move : moves[i])
        moveLate(builder, frame, request.shape, move);
    }
    for (AllocaInst *local : plan_.locals)
      if (plan_.members.contains(local) && local->use_empty())
        local->eraseFromParent();
  }

  /// The uses of a member that are of the frame which starts at a place.
  struct Moves {
    size_t local = 0; ///< its number
    SmallVector<Use *, 8> uses;
    bool isUsedElsewhere = false;
  };

  SmallVector<Moves, 16> movesAt(BasicBlock *start, const DominatorTree &tree) {
    SmallVector<Moves, 16> all;
    for (size_t i = 0; i < plan_.locals.size(); ++i) {
      if (!plan_.members.contains(plan_.locals[i]))
        continue;
      Moves moves{i, {}, false};
      for (Use &use : plan_.locals[i]->uses())
        if (tree.dominates(start, blockOf(use)))
          moves.uses.push_back(&use);
        else
          moves.isUsedElsewhere = true;
      if (!moves.uses.empty())
        all.push_back(std::move(moves));
    }
    return all;
  }

  /// From now on the local is in the frame, with the value that it has.
  void moveLate(IRBuilder<> &builder, Value *frame, size_t shape, const Moves &moves) {
    AllocaInst *local = plan_.locals[moves.local];
    uint64_t size = sizeOf(local);
    Value *address = memberAddress(builder, frame, shape, moves.local + kFirstLocal, size);
    address->setName(local->getName());
    Type *type = local->getAllocatedType();
    if (moves.isUsedElsewhere && type->isSingleValueType() && !local->isArrayAllocation())
      builder.CreateAlignedStore(builder.CreateAlignedLoad(type, local, local->getAlign()), address,
                                 local->getAlign());
    else if (moves.isUsedElsewhere)
      builder.CreateMemCpy(address, local->getAlign(), local, local->getAlign(), size);
    for (Use *use : moves.uses)
      use->set(address);
  }

  FrameShape describe() const {
    FrameShape shape;
    shape.function = function_.getName().str();
    if (DISubprogram *source = function_.getSubprogram()) {
      shape.file = source->getFilename().str();
      shape.line = source->getLine();
    }
    shape.members.push_back({MemberKind::ReturnSlot, "", 0, 8, 8, false});
    shape.members.push_back({MemberKind::SavedBase, "", 0, 8, 8, false});
    for (AllocaInst *local : plan_.locals)
      shape.members.push_back(describe(local));
    return shape;
  }

  FrameMember describe(AllocaInst *local) const {
    FrameMember member;
    member.size = sizeOf(local);
    member.alignment = local->getAlign().value();
    member.isBuffer = isBuffer(local->getAllocatedType()) || local->isArrayAllocation();
    member.kind = MemberKind::Gap;
    if (plan_.members.contains(local)) {
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

  uint64_t sizeOf(const AllocaInst *local) const {
    return local->getAllocationSize(layout_).value_or(TypeSize::getFixed(0)).getFixedValue();
  }

  Function &function_;
  const DataLayout &layout_;
  const FramePlan &plan_;
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

FrameTable buildFrames(Module &module, const FramePlans &plans, const std::string &moduleId) {
  FrameTable table;
  for (Function &function : module) {
    if (!function.isDeclaration() && function.isPresplitCoroutine())
      markAllShared(function);
    auto plan = plans.find(&function);
    if (plan == plans.end())
      continue;
    size_t number = table.size();
    if (plan->second.isNeeded())
      table.push_back(
          FrameBuilder(function, plan->second).build(number, frameKey(moduleId, number)));
    else
      restoreAfterUnwinding(function);
  }
  return table;
}

void keepLocals(Module &module, const FramePlans &plans) {
  for (Function &function : module) {
    auto plan = plans.find(&function);
    if (plan == plans.end())
      continue;
    for (AllocaInst *local : plan->second.locals)
      if (plan->second.members.contains(local))
        markShared(*local);
    for (AllocaInst *local : plan->second.dynamic)
      markShared(*local);
    restoreAfterUnwinding(function);
  }
}

} // namespace culprit

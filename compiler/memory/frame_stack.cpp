// See frame_stack.h.
#include "compiler/memory/frame_stack.h"

#include "abi/memory_map.h"
#include "compiler/memory/frame_table.h"
#include "compiler/memory/frames.h"
#include "compiler/memory/hooks.h"
#include "compiler/sites/numbering.h"

#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

Instruction *gatherAllocas(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  SmallVector<AllocaInst *, 16> locals;
  for (Instruction &instruction : entry)
    if (auto *local = dyn_cast<AllocaInst>(&instruction); local && local->isStaticAlloca())
      locals.push_back(local);
  BasicBlock::iterator place = entry.begin();
  for (AllocaInst *local : locals) {
    if (&*place == local)
      ++place;
    else
      local->moveBefore(entry, place);
  }
  return &*place;
}

namespace {

/// An absolute symbol as a number. Its type tells how many bytes are at that offset; the range says
/// that it fits an immediate operand.
Constant *symbolValue(Module &module, const std::string &name, uint64_t bytes, bool isNegative) {
  LLVMContext &context = module.getContext();
  Type *type = ArrayType::get(Type::getInt8Ty(context), bytes);
  GlobalVariable *symbol = module.getNamedGlobal(name);
  if (!symbol) {
    symbol = new GlobalVariable(module, type, false, GlobalValue::ExternalLinkage, nullptr, name);
    symbol->setVisibility(GlobalValue::HiddenVisibility);
    symbol->setDSOLocal(true);
    Type *word = Type::getInt64Ty(context);
    constexpr int64_t kReach = int64_t{1} << 31;
    MDBuilder metadata(context);
    symbol->setMetadata(
        LLVMContext::MD_absolute_symbol,
        MDNode::get(
            context,
            {metadata.createConstant(ConstantInt::getSigned(word, isNegative ? -kReach : 0)),
             metadata.createConstant(ConstantInt::getSigned(word, isNegative ? 0 : kReach))}));
  }
  return ConstantExpr::getPtrToInt(symbol, Type::getInt64Ty(context));
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

/// Code for one function.
class StackCode {
public:
  explicit StackCode(Function &function)
      : function_(function), module_(*function.getParent()), context_(function.getContext()),
        top_(declareVariable(module_, Hook::__culprit_frames)) {}

  Value *loadTop(Instruction *place) {
    IRBuilder<> builder(place);
    return builder.CreateLoad(builder.getPtrTy(), top_, "older");
  }

  Value *push(const FrameRequest &request, Instruction *place) {
    request_ = request;
    older_ = orFirst(loadTop(place), place);
    IRBuilder<> builder(place);
    Value *raw = builder.CreateGEP(builder.getInt8Ty(), older_,
                                   symbolValue(module_, descentSymbol(request.shape), 0, true));
    Value *size = symbolValue(module_, sizeSymbol(request.shape), 0, false);
    if (request.alignment > 16) {
      raw = builder.CreateIntrinsic(
          Intrinsic::ptrmask, {raw->getType(), builder.getInt64Ty()},
          {raw, builder.getInt64(-static_cast<int64_t>(request.alignment))});
      size = builder.CreatePtrDiff(builder.getInt8Ty(), older_, raw);
    }
    builder.CreateStore(raw, top_);
    note(builder, raw, builder.getInt64(request.key), size);
    frame_ = launder(builder, raw, request.isPrivate);
    frame_->setName("frame");
    slot_ = memberAddress(builder, frame_, request.shape, request.returnSlot, 8);
    builder.CreateStore(returnAddress(builder), slot_);
    whenThereIsWork(builder, place, Hook::__culprit_enter_frame);
    return frame_;
  }

  void popAtReturns() {
    SmallVector<Instruction *, 8> places;
    for (BasicBlock &block : function_)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
        CallInst *call = block.getTerminatingMustTailCall();
        places.push_back(call ? static_cast<Instruction *>(call) : end);
      }
    for (Instruction *place : places)
      popBefore(place);
  }

  /// After an exception or longjmp the stack is as deep as it was in the callee.
  void restoreWhereControlComesBack(Value *own) {
    SmallVector<CallBase *, 4> twice;
    for (BasicBlock &block : function_) {
      if (LandingPadInst *pad = block.getLandingPadInst())
        restoreAt(*pad, own);
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallInst>(&instruction); call && call->canReturnTwice())
          twice.push_back(call);
    }
    for (CallBase *call : twice) {
      IRBuilder<> builder(call);
      Value *before = builder.CreateLoad(builder.getPtrTy(), top_);
      builder.SetInsertPoint(call->getNextNode());
      builder.CreateStore(before, top_);
    }
  }

  void restoreAt(LandingPadInst &pad, Value *own) {
    IRBuilder<> builder(pad.getNextNode());
    builder.CreateStore(isa<AllocaInst>(own) ? builder.CreateLoad(builder.getPtrTy(), own) : own,
                        top_);
  }

  void moveDynamic(ArrayRef<AllocaInst *> locals, AllocaInst *current) {
    SmallVector<IntrinsicInst *, 4> restores;
    for (Instruction &instruction : make_early_inc_range(instructions(function_))) {
      auto *call = dyn_cast<IntrinsicInst>(&instruction);
      if (!call)
        continue;
      IRBuilder<> builder(call);
      if (call->getIntrinsicID() == Intrinsic::stacksave) {
        call->replaceAllUsesWith(builder.CreateLoad(builder.getPtrTy(), top_));
        call->eraseFromParent();
      } else if (call->getIntrinsicID() == Intrinsic::stackrestore) {
        restores.push_back(call);
      }
    }
    for (IntrinsicInst *call : restores) {
      IRBuilder<> builder(whenThereIsWork(call));
      builder.CreateCall(declareFunction(module_, Hook::__culprit_leave_blocks),
                         {call->getArgOperand(0)});
      builder.SetInsertPoint(call);
      lower(builder, call->getArgOperand(0), current);
      call->eraseFromParent();
    }
    for (AllocaInst *local : locals)
      carve(local, current);
  }

private:
  void lower(IRBuilder<> &builder, Value *top, AllocaInst *current) {
    builder.CreateStore(top, top_);
    builder.CreateStore(top, current);
  }

  void carve(AllocaInst *local, AllocaInst *current) {
    const DataLayout &layout = module_.getDataLayout();
    IRBuilder<> builder(local);
    Type *word = builder.getInt64Ty();
    Value *count = builder.CreateZExtOrTrunc(local->getArraySize(), word);
    Value *size = builder.CreateMul(
        count, builder.getInt64(layout.getTypeAllocSize(local->getAllocatedType())));
    // An empty block, too, has a note of its own.
    Value *bytes = builder.CreateBinaryIntrinsic(Intrinsic::umax, size, builder.getInt64(1));
    Value *older = builder.CreateLoad(builder.getPtrTy(), top_);
    uint64_t alignment = std::max<uint64_t>(16, local->getAlign().value());
    Instruction *prepared = nullptr;
    Instruction *plain = nullptr;
    SplitBlockAndInsertIfThenElse(isThereWork(builder), local->getIterator(), &prepared, &plain,
                                  unlikely());
    builder.SetInsertPoint(prepared);
    Value *placed = builder.CreateCall(declareFunction(module_, Hook::__culprit_place_block),
                                       {older, bytes, builder.getInt64(alignment)});
    builder.SetInsertPoint(plain);
    Value *below = builder.CreateGEP(builder.getInt8Ty(), older, builder.CreateNeg(bytes));
    Value *raw =
        builder.CreateIntrinsic(Intrinsic::ptrmask, {below->getType(), word},
                                {below, builder.getInt64(-static_cast<int64_t>(alignment))});
    builder.CreateStore(raw, top_);
    note(builder, raw, builder.getInt64(abi::kBlockNote),
         builder.CreatePtrDiff(builder.getInt8Ty(), older, raw));
    builder.SetInsertPoint(local);
    PHINode *either = builder.CreatePHI(builder.getPtrTy(), 2);
    either->addIncoming(placed, prepared->getParent());
    either->addIncoming(raw, plain->getParent());
    builder.CreateStore(builder.CreateLoad(builder.getPtrTy(), top_), current);
    Value *block = launder(builder, either, /*isPrivate=*/false);
    block->takeName(local);
    local->replaceAllUsesWith(block);
    local->eraseFromParent();
  }

  Value *orFirst(Value *older, Instruction *place) {
    IRBuilder<> builder(place);
    Value *isFirst = builder.CreateIsNull(older);
    BasicBlock *before = place->getParent();
    Instruction *then = SplitBlockAndInsertIfThen(isFirst, place->getIterator(), false, unlikely());
    builder.SetInsertPoint(then);
    Value *first = builder.CreateCall(declareFunction(module_, Hook::__culprit_first_frame));
    builder.SetInsertPoint(place->getParent(), place->getParent()->begin());
    PHINode *either = builder.CreatePHI(builder.getPtrTy(), 2, "older");
    either->addIncoming(older, before);
    either->addIncoming(first, then->getParent());
    return either;
  }

  void note(IRBuilder<> &builder, Value *raw, Value *key, Value *size) {
    Value *note = builder.CreateConstGEP1_64(builder.getInt8Ty(), raw, abi::kNoteDistance);
    builder.CreateStore(key, note);
    builder.CreateStore(size, builder.CreateConstGEP1_64(builder.getInt8Ty(), note, 8));
  }

  Value *returnAddress(IRBuilder<> &builder) {
    return builder.CreateIntrinsic(Intrinsic::returnaddress, {}, {builder.getInt32(0)});
  }

  Value *isThereWork(IRBuilder<> &builder) {
    return builder.CreateIsNotNull(builder.CreateLoad(
        builder.getInt64Ty(), declareVariable(module_, Hook::__culprit_frame_work)));
  }

  /// Where to put what is done only then.
  Instruction *whenThereIsWork(Instruction *place) {
    IRBuilder<> builder(place);
    return SplitBlockAndInsertIfThen(isThereWork(builder), place->getIterator(), false, unlikely());
  }

  void whenThereIsWork(IRBuilder<> &builder, Instruction *place, Hook hook) {
    builder.SetInsertPoint(whenThereIsWork(place));
    standFor(*place, builder.CreateCall(declareFunction(module_, hook),
                                        {frame_, builder.getInt64(request_.key)}));
    builder.SetInsertPoint(place);
  }

  void popBefore(Instruction *place) {
    IRBuilder<> builder(place);
    Value *expected = returnAddress(builder);
    Value *found = builder.CreateLoad(builder.getPtrTy(), slot_);
    Instruction *broken = SplitBlockAndInsertIfThen(builder.CreateICmpNE(found, expected),
                                                    place->getIterator(), true, unlikely());
    builder.SetInsertPoint(broken);
    Value *address = builder.CreatePtrToInt(expected, builder.getInt64Ty());
    standFor(*place, builder.CreateCall(declareFunction(module_, Hook::__culprit_broken_return),
                                        {slot_, address}));
    builder.SetInsertPoint(place);
    whenThereIsWork(builder, place, Hook::__culprit_leave_frame);
    builder.CreateStore(older_, top_);
  }

  /// A check that fails is reported at the site that it is made for.
  static void standFor(const Instruction &place, CallInst *check) {
    if (std::optional<uint32_t> site = siteOf(place))
      attachSite(*check, *site);
  }

  MDNode *unlikely() { return MDBuilder(context_).createUnlikelyBranchWeights(); }

  Function &function_;
  Module &module_;
  LLVMContext &context_;
  GlobalVariable *top_;
  FrameRequest request_;
  Value *older_ = nullptr;
  Value *frame_ = nullptr;
  Value *slot_ = nullptr;
};

} // namespace

Value *memberAddress(IRBuilder<> &builder, Value *frame, size_t shape, size_t member,
                     uint64_t bytes) {
  Module &module = *builder.GetInsertBlock()->getModule();
  return builder.CreateGEP(builder.getInt8Ty(), frame,
                           symbolValue(module, offsetSymbol(shape, member), bytes, false));
}

Value *pushFrame(Function &function, const FrameRequest &request, ArrayRef<AllocaInst *> dynamic,
                 Instruction *&place) {
  place = gatherAllocas(function);
  StackCode code(function);
  Value *frame = code.push(request, place);
  code.popAtReturns();
  Value *own = frame;
  if (!dynamic.empty()) {
    IRBuilder<> atEntry(&function.getEntryBlock(), function.getEntryBlock().begin());
    AllocaInst *current = atEntry.CreateAlloca(atEntry.getPtrTy());
    IRBuilder<>(place).CreateStore(frame, current);
    code.moveDynamic(dynamic, current);
    own = current;
  }
  code.restoreWhereControlComesBack(own);
  return frame;
}

LateFrames::LateFrames(Function &function, const DominatorTree &tree, ArrayRef<BasicBlock *> starts)
    : function_(function), pads_(starts.size()) {
  for (BasicBlock *start : starts) {
    LandingPadInst *pad = start->getLandingPadInst();
    places_.push_back(pad ? pad->getNextNode() : start->getFirstNonPHI());
  }
  SmallPtrSet<const BasicBlock *, 32> behind;
  for (BasicBlock *start : starts)
    for (BasicBlock *block : depth_first(start))
      if (block != start)
        behind.insert(block);
  SmallVector<LandingPadInst *, 8> inFront;
  for (BasicBlock &block : function) {
    LandingPadInst *pad = block.getLandingPadInst();
    if (!pad)
      continue;
    if (!behind.contains(&block))
      inFront.push_back(pad);
    for (size_t i = 0; i < starts.size(); ++i)
      if (tree.properlyDominates(starts[i], &block))
        pads_[i].push_back(pad);
  }
  if (inFront.empty())
    return;
  StackCode code(function);
  Value *top = code.loadTop(gatherAllocas(function));
  for (LandingPadInst *pad : inFront)
    code.restoreAt(*pad, top);
}

Value *LateFrames::push(size_t start, const FrameRequest &request, Instruction *&place) {
  place = places_[start];
  StackCode code(function_);
  Value *frame = code.push(request, place);
  for (LandingPadInst *pad : pads_[start])
    code.restoreAt(*pad, frame);
  return frame;
}

void restoreAfterUnwinding(Function &function) {
  bool comesBack = any_of(function, [](BasicBlock &block) {
    return block.isLandingPad() || any_of(block, [](Instruction &instruction) {
             auto *call = dyn_cast<CallInst>(&instruction);
             return call && call->canReturnTwice();
           });
  });
  if (!comesBack)
    return;
  StackCode code(function);
  code.restoreWhereControlComesBack(code.loadTop(gatherAllocas(function)));
}

} // namespace culprit

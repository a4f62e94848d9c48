// See function_origins.h: memory that is copied or filled as a block.
#include "abi/origins.h"
#include "compiler/sites/numbering.h"
#include "compiler/suppress/function_origins.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

namespace {

/// What LLVM would call.
StringRef functionFor(const MemIntrinsic &call) {
  if (isa<MemSetInst>(call))
    return "memset";
  return isa<MemMoveInst>(call) ? "memmove" : "memcpy";
}

/// Whether LLVM makes loads and stores of it.
bool isInline(const MemIntrinsic &call) {
  constexpr uint64_t kLargestInline = 128;
  auto *size = dyn_cast<ConstantInt>(call.getLength());
  return isa<MemCpyInlineInst>(call) || isa<MemSetInlineInst>(call) ||
         (size && size->getZExtValue() <= kLargestInline);
}

} // namespace

/// Whether LLVM would call a twin, which would follow origins byte by byte. The functions that a
/// program brings are its own.
bool FunctionOrigins::isByTwin(const MemIntrinsic &call) const {
  bool isOwn = request_.ownFunctions && request_.ownFunctions->contains(functionFor(call).str());
  return !isOwn && !isInline(call) && (request_.hasShimTwins || request_.isShim);
}

/// Whether the shadow of the memory is a few whole words, and nobody wants to see them copied.
bool FunctionOrigins::isByGranules(const MemIntrinsic &call) const {
  auto *size = dyn_cast<ConstantInt>(call.getLength());
  auto *copy = dyn_cast<MemTransferInst>(&call);
  Align alignment = call.getDestAlign().valueOrOne();
  alignment = copy ? std::min(alignment, copy->getSourceAlign().valueOrOne()) : alignment;
  bool isSeen = request_.suppresses || request_.tracesCopies || request_.checksReads;
  return !isSeen && size && words_.isFewGranules(size->getZExtValue(), alignment);
}

/// The runtime does it instead, memory and origins.
void FunctionOrigins::replaceByHook(MemIntrinsic &call, Value *content) {
  IRBuilder<> builder(&call);
  Value *size = builder.CreateZExtOrTrunc(call.getLength(), words_.word());
  CallInst *hook = nullptr;
  if (auto *copy = dyn_cast<MemTransferInst>(&call)) {
    hook = words_.call(builder, Hook::__culprit_copy_memory,
                       {call.getRawDest(), copy->getRawSource(), size});
  } else {
    Value *byte = builder.CreateZExt(cast<MemSetInst>(call).getValue(), words_.word());
    hook = words_.call(builder, Hook::__culprit_fill_memory,
                       {call.getRawDest(), byte, size, words_.forHook(builder, content)});
  }
  hook->setDebugLoc(call.getDebugLoc());
  atSiteOf(hook, call);
  call.eraseFromParent();
}

void FunctionOrigins::visitMemoryIntrinsic(MemIntrinsic &call) {
  IRBuilder<> builder(&call);
  Value *target = call.getRawDest();
  Value *size = builder.CreateZExtOrTrunc(call.getLength(), words_.word());
  Value *address =
      words_.orTogether(builder, wordOf(builder, target), wordOf(builder, call.getLength()));
  auto *copy = dyn_cast<MemTransferInst>(&call);
  Value *content = copy ? wordOf(builder, copy->getRawSource())
                        : definedBy(builder, cast<MemSetInst>(call).getValue(), call);
  content = throughPoint(builder, call, content, target);
  bool isReplaced = isByTwin(call);
  auto *known = dyn_cast<ConstantInt>(call.getLength());
  bool isSmall = words_.hasMarks() && known && known->getZExtValue() <= words_.kLargestMarked;
  auto define = [&](IRBuilder<> &at) {
    if (isByGranules(call) && copy)
      return atSiteOf(words_.copy(at, target, copy->getRawSource(), known->getZExtValue()), call);
    if (isByGranules(call))
      return words_.fill(at, target, known->getZExtValue(), content);
    if (isSmall && !copy)
      return words_.store(at, target, known->getZExtValue(), Align(1), content);
    if (isSmall)
      onlyIfMarked(at, copy, known->getZExtValue());
    if (copy)
      atSiteOf(words_.call(at, Hook::__culprit_copy_origins, {target, copy->getRawSource(), size}),
               call);
    else
      words_.call(at, Hook::__culprit_store_origin, {target, size, words_.forHook(at, content)});
  };
  Value *flags = words_.orTogether(builder, address, content);
  if (isNone(flags) || !request_.suppresses) {
    if (isReplaced)
      return replaceByHook(call, content);
    builder.SetInsertPoint(call.getNextNode());
    return define(builder);
  }
  Instruction *omitted = nullptr, *made = nullptr;
  SplitBlockAndInsertIfThenElse(words_.isCorrupt(builder, flags), call.getIterator(), &omitted,
                                &made, words_.unlikely());
  call.moveBefore(made);
  builder.SetInsertPoint(made);
  if (!isReplaced)
    define(builder);
  builder.SetInsertPoint(omitted);
  words_.call(builder, Hook::__culprit_omit_store,
              {target, size, words_.forHook(builder, address), words_.forHook(builder, content)});
  if (isReplaced)
    replaceByHook(call, content);
}

/// Puts what is built next behind a test: whether the copy changes any mark.
void FunctionOrigins::onlyIfMarked(IRBuilder<> &builder, const MemTransferInst *copy,
                                   uint64_t size) const {
  Value *marks = words_.orTogether(builder, words_.loadMarks(builder, copy->getRawDest(), size),
                                   words_.loadMarks(builder, copy->getRawSource(), size));
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(
      builder.CreateIsNotNull(marks), builder.GetInsertPoint(), false, words_.unlikely()));
}

} // namespace culprit

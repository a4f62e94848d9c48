// See function_origins.h: calls.
#include "abi/memory_map.h"
#include "abi/origins.h"
#include "compiler/memory/frames.h"
#include "compiler/sites/markers.h"
#include "compiler/sites/numbering.h"
#include "compiler/suppress/external_call.h"
#include "compiler/suppress/function_origins.h"
#include "compiler/suppress/lost_results.h"
#include "compiler/suppress/skip_edges.h"
#include "compiler/suppress/skipped_writes.h"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

namespace {

/// What shims call the functions of the process's heap (externals/program_heap.h).
constexpr StringLiteral kProgramHeap = "culprit_program_";

} // namespace

void FunctionOrigins::visitCall(CallBase &call) {
  if (call.isInlineAsm() || call.hasFnAttr(kFrameAttribute))
    return visitAssembler(call);
  const Function *callee = call.getCalledFunction();
  auto *plain = dyn_cast<CallInst>(&call);
  if (callee && plain && callee->getName().starts_with("culprit."))
    return visitSteps(*plain);
  if (callee && callee->getName().starts_with("__culprit_"))
    return;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return visitIntrinsic(*intrinsic);
  if (request_.isShim && callee && callee->getName().starts_with(kProgramHeap))
    return callExternal(call, callee->getName().drop_front(kProgramHeap.size()));
  // What the arguments are is said for this callee, so LLVM must not choose another (puts for
  // printf).
  call.addFnAttr(Attribute::NoBuiltin);
  bool isOwn =
      !callee || !callee->isDeclarationForLinker() ||
      (request_.ownFunctions && request_.ownFunctions->contains(callee->getName().str())) ||
      isShim(callee->getName());
  bool isAsked = isPoint(call) || (request_.checksReads && !request_.isShim);
  bool isShimAtPoint =
      callee && callee->isDeclarationForLinker() && isShim(callee->getName()) && isAsked;
  if ((isOwn && !isShimAtPoint) || isa<CallBrInst>(call))
    return callOwn(call);
  callExternal(call, callee->getName());
}

/// Markers, and what skip_edges.h has left.
void FunctionOrigins::visitSteps(CallInst &call) {
  IRBuilder<> builder(&call);
  StringRef name = call.getCalledFunction()->getName();
  if (isMarker(call)) {
    Value *origin = definedBy(builder, call.getArgOperand(0), call);
    return set(&call, origin);
  }
  if (name == kTickName) {
    words_.countUp(builder, Hook::__culprit_clock);
  } else if (name == kLeftName) {
    words_.countUp(builder, Hook::__culprit_left);
  } else if (name == kDeclareName) {
    Value *origin = throughPoint(builder, call, fresh(builder, *siteOf(call)));
    uint64_t size = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
    if (!words_.hasMarks() && words_.isFewGranules(size, call.getParamAlign(0).valueOrOne()))
      words_.fill(builder, call.getArgOperand(0), size, origin);
    else if (!isNone(origin))
      words_.call(builder, Hook::__culprit_store_origin,
                  {call.getArgOperand(0), call.getArgOperand(1), origin});
  } else if (name == kSkipName) {
    call.replaceAllUsesWith(
        words_.call(builder, Hook::__culprit_skip, {words_.number(words_.global(*siteOf(call)))}));
  } else if (name == kStaleName) {
    Value *place = call.getArgOperand(0);
    if (!words_.hasMarks())
      words_.call(builder, Hook::__culprit_stale,
                  {place, call.getArgOperand(1), flagsOf(builder, place)});
  } else if (name.starts_with(kCorruptPrefix)) {
    call.replaceAllUsesWith(words_.isCorrupt(builder, flagsOf(builder, call.getArgOperand(0))));
  } else if (name.starts_with(kLostPrefix)) {
    Value *result = builder.CreateFreeze(Constant::getNullValue(call.getType()));
    set(result, spread(builder, words_.number(abi::kOriginCorrupt), call.getType()));
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

/// What is read of a frame when its function has returned is as wrong as guard words are.
void FunctionOrigins::leaveFrame(CallBase &frame, Value *size) {
  DominatorTree dominators(*frame.getFunction());
  for (BasicBlock &block : *frame.getFunction())
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator());
        end && dominators.dominates(cast<Instruction>(size), end)) {
      IRBuilder<> builder(end);
      words_.call(builder, Hook::__culprit_store_origin,
                  {&frame, size, words_.number(abi::kGuardOrigin)});
    }
}

void FunctionOrigins::visitAssembler(CallBase &call) {
  Instruction *next = after(call);
  if (!next)
    return;
  IRBuilder<> builder(next);
  if (call.hasFnAttr(kFrameAttribute)) {
    Value *note = builder.CreateConstGEP1_64(builder.getInt8Ty(), &call, abi::kNoteDistance + 8);
    Value *size = builder.CreateLoad(words_.word(), note);
    words_.call(builder, Hook::__culprit_store_origin, {&call, size, words_.none()});
    if (request_.checksReads)
      leaveFrame(call, size);
    return;
  }
  std::optional<uint32_t> site = siteOf(call);
  if (!site)
    return;
  Value *now = fresh(builder, *site);
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (Type *type = call.getParamElementType(i))
      storeOrigin(builder, call.getArgOperand(i), type, Align(1), spread(builder, now, type));
  if (!call.getType()->isVoidTy())
    set(&call, spread(builder, now, call.getType()));
}

void FunctionOrigins::visitIntrinsic(IntrinsicInst &call) {
  if (auto *memory = dyn_cast<MemIntrinsic>(&call))
    return visitMemoryIntrinsic(*memory);
  if (call.getType()->isVoidTy() || call.getType()->isTokenTy() || call.isTerminator())
    return;
  if (originType(call.getType())->isIntegerTy())
    return compute(call);
  IRBuilder<> builder(call.getNextNode());
  if (std::optional<uint32_t> site = siteOf(call)) {
    Value *word = fresh(builder, *site);
    for (Value *operand : call.args())
      word = words_.orTogether(builder, word, words_.inherited(builder, flagsOf(builder, operand)));
    set(&call, spread(builder, word, call.getType()));
  }
}

Instruction *FunctionOrigins::after(CallBase &call) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  if (!invoke)
    return call.isTerminator() || call.isMustTailCall() ? nullptr : call.getNextNode();
  BasicBlock *normal = SplitEdge(invoke->getParent(), invoke->getNormalDest());
  return &*normal->getFirstInsertionPt();
}

Instruction *FunctionOrigins::guard(CallBase &call, Value *isOmitted, Value *&wasOmitted,
                                    Value *&result) {
  auto *invoke = dyn_cast<InvokeInst>(&call);
  BasicBlock *meeting = invoke ? SplitEdge(invoke->getParent(), invoke->getNormalDest()) : nullptr;
  BasicBlock *before = call.getParent();
  BasicBlock *making = before->splitBasicBlock(&call, "call");
  if (!meeting)
    meeting = making->splitBasicBlock(call.getNextNode(), "called");
  BasicBlock *omitting = BasicBlock::Create(call.getContext(), "omit", &function_, making);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  builder.CreateCondBr(isOmitted, omitting, making, words_.unlikely());
  builder.SetInsertPoint(omitting);
  builder.CreateBr(meeting);
  builder.SetInsertPoint(meeting, meeting->begin());
  PHINode *omission = builder.CreatePHI(builder.getInt1Ty(), 2);
  omission->addIncoming(builder.getTrue(), omitting);
  omission->addIncoming(builder.getFalse(), call.getParent());
  wasOmitted = omission;
  result = nullptr;
  if (!call.getType()->isVoidTy()) {
    PHINode *either = builder.CreatePHI(call.getType(), 2);
    call.replaceAllUsesWith(either);
    either->addIncoming(Constant::getNullValue(call.getType()), omitting);
    either->addIncoming(&call, call.getParent());
    result = either;
  }
  return &*meeting->getFirstInsertionPt();
}

// Calls of the program's own functions

void FunctionOrigins::passArguments(IRBuilder<> &builder, CallBase &call) {
  SmallVector<Value *, 8> origins;
  for (Value *argument : call.args())
    if (originType(argument->getType())->isIntegerTy() &&
        origins.size() < abi::kMostArgumentOrigins)
      origins.push_back(definedBy(builder, argument, call));
  if (words_.hasMarks())
    return passMarks(builder, call, origins);
  for (unsigned i = 0; i < origins.size(); ++i)
    words_.storeVariable(builder, Hook::__culprit_argument_origins, i, origins[i]);
  words_.storeVariable(builder, Hook::__culprit_callee, 0, call.getCalledOperand());
  if (!call.getType()->isVoidTy())
    words_.storeVariable(builder, Hook::__culprit_result_origins, 0,
                         words_.number(abi::kOriginUnknown));
}

/// Nothing is said of arguments of which none is marked. A callee that says nothing of its result,
/// because it is not ours, has not marked it.
void FunctionOrigins::passMarks(IRBuilder<> &builder, CallBase &call, ArrayRef<Value *> origins) {
  Value *marks = words_.none();
  for (Value *origin : origins)
    marks = words_.orTogether(builder, marks, origin);
  if (!isNone(marks)) {
    IRBuilder<> inside(SplitBlockAndInsertIfThen(builder.CreateIsNotNull(marks), call.getIterator(),
                                                 false, words_.unlikely()));
    for (unsigned i = 0; i < origins.size(); ++i)
      words_.storeVariable(inside, Hook::__culprit_argument_origins, i, origins[i]);
    words_.storeVariable(inside, Hook::__culprit_callee, 0, call.getCalledOperand());
    builder.SetInsertPoint(&call);
  }
  Type *result = call.getType();
  unsigned words = result->isVoidTy()                  ? 0
                   : originType(result)->isIntegerTy() ? 1
                                                       : abi::kMostResultOrigins;
  for (unsigned i = 0; i < words; ++i)
    words_.storeVariable(builder, Hook::__culprit_result_origins, i, words_.none());
}

/// What the callee said of its result; where it said nothing, the call has defined it.
Value *FunctionOrigins::takeResult(IRBuilder<> &builder, CallBase &call) {
  Value *first = words_.loadVariable(builder, Hook::__culprit_result_origins, 0);
  Value *isUnknown = words_.hasMarks()
                         ? static_cast<Value *>(builder.getFalse())
                         : builder.CreateICmpEQ(first, words_.number(abi::kOriginUnknown));
  std::optional<uint32_t> site = siteOf(call);
  Value *now = site ? fresh(builder, *site) : words_.none();
  unsigned index = 0;
  SmallVector<std::pair<Type *, SmallVector<unsigned, 4>>, 8> open{{call.getType(), {}}};
  Value *all = noneFor(call.getType());
  for (size_t i = 0; i < open.size(); ++i) {
    auto [type, path] = open[i];
    if (originType(type)->isIntegerTy()) {
      Value *said = index < abi::kMostResultOrigins
                        ? words_.loadVariable(builder, Hook::__culprit_result_origins, index++)
                        : words_.none();
      Value *word = builder.CreateSelect(isUnknown, now, said);
      all = path.empty() ? word : builder.CreateInsertValue(all, word, path);
      continue;
    }
    unsigned count =
        type->isStructTy() ? type->getStructNumElements() : type->getArrayNumElements();
    for (unsigned m = 0; m < count; ++m) {
      SmallVector<unsigned, 4> deeper(path);
      deeper.push_back(m);
      open.push_back(
          {type->isStructTy() ? type->getStructElementType(m) : type->getArrayElementType(),
           deeper});
    }
  }
  return all;
}

/// In shims every function is that has no model: they call each other.
bool FunctionOrigins::isShim(StringRef callee) const {
  const ExternalFunction *row = policy().find(callee.str());
  if (request_.isShim)
    return !row || row->category != Category::Model;
  return request_.hasShimTwins && row && row->category == Category::Shim;
}

Value *FunctionOrigins::executionOf(IRBuilder<> &builder, uint32_t site) const {
  return request_.isShim ? call_ : words_.execution(builder, site);
}

/// Whether the result of a call can only be trusted if its arguments can: a shim's, other than one
/// of them. Inside, only what is computed with them is followed, not what they decide.
bool FunctionOrigins::dependsOnArguments(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  const ExternalFunction *row =
      callee && callee->isDeclarationForLinker() ? policy().find(callee->getName().str()) : nullptr;
  return request_.suppresses && !request_.isShim && row && isShim(callee->getName()) &&
         row->result.word != "same" && !call.getType()->isVoidTy();
}

void FunctionOrigins::callOwn(CallBase &call) {
  IRBuilder<> builder(&call);
  Value *callee = flagsOf(builder, call.getCalledOperand());
  Value *inputs = nullptr, *left = nullptr;
  if (dependsOnArguments(call)) {
    inputs = words_.none();
    for (Value *argument : call.args())
      inputs = words_.orTogether(builder, inputs, flagsOf(builder, argument));
    left = words_.loadVariable(builder, Hook::__culprit_left, 0);
  }
  passArguments(builder, call);
  std::optional<uint32_t> site = siteOf(call);
  const Function *known = call.getCalledFunction();
  if (site && (request_.isShim || !known || known->isDeclarationForLinker()))
    words_.storeVariable(builder, Hook::__culprit_call_origin, 0,
                         throughPoint(builder, call, executionOf(builder, *site)));
  bool canGuard = !isNone(callee) && !call.isMustTailCall() && !isa<CallBrInst>(call);
  Instruction *next = nullptr;
  Value *wasOmitted = nullptr;
  Value *result = &call;
  if (canGuard)
    next = guard(call, words_.isCorrupt(builder, callee), wasOmitted, result);
  else
    next = after(call);
  if (!next || call.getType()->isVoidTy())
    return;
  builder.SetInsertPoint(next);
  Value *origin = takeResult(builder, call);
  if (wasOmitted) {
    Value *corrupt = spread(builder, words_.number(abi::kOriginCorrupt), call.getType());
    origin = builder.CreateSelect(wasOmitted, corrupt, origin);
  }
  if (left) {
    Value *hasLeft =
        builder.CreateICmpNE(left, words_.loadVariable(builder, Hook::__culprit_left, 0));
    Value *isWrong = builder.CreateOr(hasLeft, words_.isCorrupt(builder, inputs));
    Value *corrupt = spread(builder, words_.number(abi::kOriginCorrupt), call.getType());
    origin = builder.CreateSelect(isWrong, corrupt, origin);
  }
  set(result, origin);
}

// Calls that leave the program

namespace {

/// Functions that take part in unwinding or return twice: nothing may come in between.
bool isUntouchable(const CallBase &call, StringRef callee) {
  return call.hasFnAttr(Attribute::ReturnsTwice) || call.isMustTailCall() ||
         callee.starts_with("__cxa_") || callee.starts_with("_Unwind") ||
         callee.starts_with("__clang_call");
}

Value *asWord(IRBuilder<> &builder, Value *value, IntegerType *word) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, word);
  if (type->isIntegerTy())
    return builder.CreateZExtOrTrunc(value, word);
  if (type->isDoubleTy())
    return builder.CreateBitCast(value, word);
  return ConstantInt::get(word, 0);
}

} // namespace

void FunctionOrigins::callExternal(CallBase &call, StringRef callee) {
  std::optional<uint32_t> site = siteOf(call);
  const ExternalFunction *row = policy().find(callee.str());
  if (!row && request_.isShim && callee.consume_front("__")) // libc's own name for it
    row = policy().find(callee.str());
  bool isPure = row && row->category == Category::Pure &&
                none_of(call.args(), [](Value *a) { return a->getType()->isPointerTy(); });
  if (isPure && !call.getType()->isVoidTy() && originType(call.getType())->isIntegerTy() &&
      isa<CallInst>(call))
    return compute(call);
  if (!site || isUntouchable(call, callee))
    return;
  bool isFollowed = call.getCalledFunction()->isDeclarationForLinker() && isShim(callee);
  unsigned count = call.arg_size();
  IRBuilder<> entry(&function_.getEntryBlock(), function_.getEntryBlock().begin());
  ArrayType *list = ArrayType::get(words_.word(), std::max(count, 1U));
  Value *arguments = entry.CreateAlloca(list);
  Value *origins = entry.CreateAlloca(list);
  IRBuilder<> builder(&call);
  Value *suppressed =
      request_.isShim ? builder.CreateAnd(callOrigin_, abi::kOriginCorrupt) : nullptr;
  for (unsigned i = 0; i < count; ++i) {
    Value *argument = call.getArgOperand(i);
    builder.CreateStore(asWord(builder, argument, words_.word()),
                        builder.CreateConstInBoundsGEP2_64(list, arguments, 0, i));
    // A function that only calls this one is suppressed where the program calls that.
    Value *word = wordOf(builder, argument);
    word = request_.isShim ? words_.orTogether(builder, word, suppressed) : word;
    builder.CreateStore(words_.forHook(builder, word),
                        builder.CreateConstInBoundsGEP2_64(list, origins, 0, i));
  }
  Constant *description = describeExternal(words_.module(), callee.str(), row,
                                           request_.isShim ? 0 : words_.global(*site), isFollowed);
  CallInst *verdict = words_.call(builder, Hook::__culprit_external,
                                  {description, arguments, origins, words_.number(count)});
  atSiteOf(verdict, call);
  if (isFollowed) {
    passArguments(builder, call);
    words_.storeVariable(builder, Hook::__culprit_call_origin, 0, executionOf(builder, *site));
  }
  Value *wasOmitted = nullptr;
  Value *result = nullptr;
  Instruction *next = guard(call, builder.CreateIsNotNull(verdict), wasOmitted, result);
  builder.SetInsertPoint(next);
  Value *now = fresh(builder, *site);
  now = builder.CreateSelect(wasOmitted, builder.CreateOr(now, words_.number(abi::kOriginCorrupt)),
                             now);
  words_.call(builder, Hook::__culprit_external_done,
              {description, arguments,
               result ? asWord(builder, result, words_.word()) : words_.none(), now});
  if (!result)
    return;
  if (isFollowed)
    return set(result, builder.CreateSelect(wasOmitted, spread(builder, now, call.getType()),
                                            takeResult(builder, call)));
  bool isSame = row && row->result.word == "same" && row->result.argument <= count;
  Value *copied = isSame ? originOf(call.getArgOperand(row->result.argument - 1)) : words_.none();
  set(result, isNone(copied) ? spread(builder, now, call.getType())
                             : builder.CreateSelect(wasOmitted, now, copied));
}

} // namespace culprit

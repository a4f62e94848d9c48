// See origin_words.h.
#include "compiler/suppress/origin_words.h"

#include "abi/origins.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

OriginWords::OriginWords(Module &module, uint64_t firstSite, bool hasMarks)
    : module_(module), word_(Type::getInt64Ty(module.getContext())), firstSite_(firstSite),
      hasMarks_(hasMarks) {
  MDBuilder metadata(module.getContext());
  MDNode *domain = metadata.createAnonymousAliasScopeDomain("culprit");
  auto scope = [&](const char *name) {
    return MDNode::get(module.getContext(), {metadata.createAnonymousAliasScope(domain, name)});
  };
  programScope_ = scope("program");
  ownScope_ = scope("origins");
}

void OriginWords::markProgram(Instruction &access) const {
  access.setMetadata(LLVMContext::MD_alias_scope, programScope_);
  access.setMetadata(LLVMContext::MD_noalias, ownScope_);
}

MDNode *OriginWords::unlikely() const {
  return MDBuilder(module_.getContext()).createUnlikelyBranchWeights();
}

Value *OriginWords::variable(IRBuilder<> &builder, Hook hook, unsigned index) const {
  GlobalVariable *first = declareVariable(module_, hook);
  return index == 0 ? first : builder.CreateConstGEP1_64(word_, first, index);
}

Value *OriginWords::loadVariable(IRBuilder<> &builder, Hook hook, unsigned index) const {
  GlobalVariable *first = declareVariable(module_, hook);
  return own(builder.CreateLoad(first->getValueType(), variable(builder, hook, index)));
}

void OriginWords::storeVariable(IRBuilder<> &builder, Hook hook, unsigned index,
                                Value *value) const {
  own(builder.CreateStore(value, variable(builder, hook, index)));
}

CallInst *OriginWords::call(IRBuilder<> &builder, Hook hook, ArrayRef<Value *> arguments) const {
  FunctionCallee callee = declareFunction(module_, hook);
  CallInst *made = builder.CreateCall(callee, arguments);
  if (auto *function = dyn_cast<Function>(callee.getCallee()))
    made->setCallingConv(function->getCallingConv());
  made->setDoesNotThrow();
  return made;
}

Value *OriginWords::fresh(IRBuilder<> &builder, uint32_t site) const {
  return hasMarks_ ? none() : execution(builder, site);
}

Value *OriginWords::execution(IRBuilder<> &builder, uint32_t site) const {
  Value *time = loadVariable(builder, Hook::__culprit_clock, 0);
  return builder.CreateOr(time, number(abi::makeOrigin(global(site), 0)));
}

void OriginWords::countUp(IRBuilder<> &builder, Hook counter) const {
  Value *count = loadVariable(builder, counter, 0);
  storeVariable(builder, counter, 0, builder.CreateAdd(count, number(1)));
}

Value *OriginWords::shadow(IRBuilder<> &builder, Value *pointer) const {
  Value *address = builder.CreatePtrToInt(pointer, word_);
  Value *moved = builder.CreateAdd(builder.CreateShl(address, 1), number(abi::kShadowBase));
  return builder.CreateIntToPtr(builder.CreateAnd(moved, number(abi::kShadowMask)),
                                builder.getPtrTy());
}

namespace {

/// Whether an access covers whole granules, or lies in one.
bool fitsGranules(uint64_t size, Align alignment) {
  return size == 1 || (size == 2 && alignment >= 2) ||
         ((size == 4 || size == 8) && alignment >= abi::kGranule);
}

} // namespace

/// The index of a byte's word in a cell for halves is half of that in one for bytes.
Value *OriginWords::wordOfByte(IRBuilder<> &builder, Value *granule, Value *pointer,
                               uint64_t offset) const {
  Value *words = builder.CreateIntToPtr(builder.CreateAnd(granule, number(abi::kMixedWordsMask)),
                                        builder.getPtrTy());
  Value *index =
      builder.CreateAnd(builder.CreatePtrToInt(pointer, word_), number(abi::kGranule - 1));
  Value *isHalf = builder.CreateIsNotNull(builder.CreateAnd(granule, number(abi::kOriginHalves)));
  index = builder.CreateLShr(builder.CreateAdd(index, number(offset)),
                             builder.CreateZExt(isHalf, word_));
  return builder.CreateGEP(word_, words, index);
}

/// What nobody asks for need not be called.
Value *OriginWords::callLoad(IRBuilder<> &builder, Value *pointer, uint64_t size) const {
  CallInst *made = call(builder, Hook::__culprit_load_origin, {pointer, number(size)});
  made->setOnlyReadsMemory();
  made->addFnAttr(Attribute::WillReturn);
  return made;
}

/// Whether a granule is mixed, and has words that can be written to: one for each byte if those are
/// wanted.
Value *OriginWords::isOpen(IRBuilder<> &builder, Value *granule, bool wantsBytes) const {
  uint64_t kind = abi::kOriginMixed | abi::kOriginPacked | (wantsBytes ? abi::kOriginHalves : 0);
  return builder.CreateICmpEQ(builder.CreateAnd(granule, number(kind)), number(abi::kOriginMixed));
}

Value *OriginWords::loadUnclear(IRBuilder<> &builder, Value *granule, Value *pointer, uint64_t size,
                                Align alignment) const {
  if (size > 2 || !fitsGranules(size, alignment))
    return callLoad(builder, pointer, size);
  Instruction *open = nullptr, *packed = nullptr;
  Instruction *next = &*builder.GetInsertPoint();
  SplitBlockAndInsertIfThenElse(isOpen(builder, granule), next->getIterator(), &open, &packed);
  builder.SetInsertPoint(open);
  Value *word = own(builder.CreateLoad(word_, wordOfByte(builder, granule, pointer)));
  if (size == 2) {
    Value *second = own(builder.CreateLoad(word_, wordOfByte(builder, granule, pointer, 1)));
    builder.CreateCondBr(builder.CreateICmpEQ(word, second), next->getParent(),
                         packed->getParent());
    open->eraseFromParent();
    open = builder.GetInsertBlock()->getTerminator();
  }
  builder.SetInsertPoint(packed);
  Value *asked = callLoad(builder, pointer, size);
  builder.SetInsertPoint(next);
  PHINode *either = builder.CreatePHI(word_, 2);
  either->addIncoming(word, open->getParent());
  either->addIncoming(asked, packed->getParent());
  return either;
}

Value *OriginWords::load(IRBuilder<> &builder, Value *pointer, uint64_t size,
                         Align alignment) const {
  if (hasMarks_ && size <= kLargestMarked)
    return loadMarks(builder, pointer, size);
  if (size > 2 * abi::kGranule)
    return callLoad(builder, pointer, size);
  Value *place = shadow(builder, pointer);
  Value *first = own(builder.CreateLoad(word_, place));
  Value *isUnclear = builder.CreateICmpSLT(first, none());
  auto compare = [&](Value *other) {
    Value *word = own(builder.CreateLoad(word_, other));
    isUnclear = builder.CreateOr(isUnclear, builder.CreateICmpNE(first, word));
  };
  if (size > abi::kGranule)
    compare(builder.CreateConstGEP1_64(word_, place, 1));
  if (!fitsGranules(size, alignment))
    compare(shadow(builder, builder.CreateConstGEP1_64(builder.getInt8Ty(), pointer, size - 1)));
  BasicBlock *before = builder.GetInsertBlock();
  Instruction *next = &*builder.GetInsertPoint();
  Instruction *then = SplitBlockAndInsertIfThen(isUnclear, next->getIterator(), false, unlikely());
  IRBuilder<> inside(then);
  Value *answer = loadUnclear(inside, first, pointer, size, alignment);
  builder.SetInsertPoint(next->getParent(), next->getParent()->begin());
  PHINode *either = builder.CreatePHI(word_, 2);
  either->addIncoming(first, before);
  either->addIncoming(answer, then->getParent());
  builder.SetInsertPoint(next);
  return either;
}

void OriginWords::store(IRBuilder<> &builder, Value *pointer, uint64_t size, Align alignment,
                        Value *origin) const {
  if (hasMarks_ && size <= kLargestMarked)
    return storeMarks(builder, pointer, size, origin);
  if (hasMarks_ || !fitsGranules(size, alignment)) {
    call(builder, Hook::__culprit_store_origin, {pointer, number(size), forHook(builder, origin)});
    return;
  }
  Value *place = shadow(builder, pointer);
  if (size >= abi::kGranule) {
    for (uint64_t i = 0; i < size / abi::kGranule; ++i)
      own(builder.CreateStore(origin,
                              i == 0 ? place : builder.CreateConstGEP1_64(word_, place, i)));
    return;
  }
  storePart(builder, place, pointer, size, origin);
}

void OriginWords::clear(IRBuilder<> &builder, Value *pointer, uint64_t size) const {
  constexpr uint64_t kLargestInline = 128;
  if (size > kLargestInline) {
    call(builder, Hook::__culprit_store_origin, {pointer, number(size), none()});
    return;
  }
  uint64_t bytes = size / abi::kGranule * sizeof(uint64_t);
  own(builder.CreateMemSetInline(shadow(builder, pointer), Align(sizeof(uint64_t)),
                                 builder.getInt8(0), number(bytes)));
}

bool OriginWords::isFewGranules(uint64_t size, Align alignment) {
  constexpr uint64_t kLargest = 64;
  return alignment >= abi::kGranule && size % abi::kGranule == 0 && size <= kLargest;
}

void OriginWords::fill(IRBuilder<> &builder, Value *pointer, uint64_t size, Value *origin) const {
  Value *place = shadow(builder, pointer);
  for (uint64_t i = 0; i < size / abi::kGranule; ++i)
    own(builder.CreateStore(origin, builder.CreateConstGEP1_64(word_, place, i)));
}

/// All are loaded before one is stored: the areas may overlap.
CallInst *OriginWords::copy(IRBuilder<> &builder, Value *to, Value *from, uint64_t size) const {
  Value *source = shadow(builder, from);
  SmallVector<Value *, 16> words;
  Value *all = none();
  for (uint64_t i = 0; i < size / abi::kGranule; ++i) {
    words.push_back(own(builder.CreateLoad(word_, builder.CreateConstGEP1_64(word_, source, i))));
    all = orTogether(builder, all, words.back());
  }
  Instruction *mixed = nullptr, *plain = nullptr;
  Instruction *next = &*builder.GetInsertPoint();
  SplitBlockAndInsertIfThenElse(builder.CreateICmpSLT(all, none()), next->getIterator(), &mixed,
                                &plain, unlikely());
  builder.SetInsertPoint(plain);
  Value *target = shadow(builder, to);
  for (uint64_t i = 0; i < words.size(); ++i)
    own(builder.CreateStore(words[i], builder.CreateConstGEP1_64(word_, target, i)));
  builder.SetInsertPoint(mixed);
  CallInst *made = call(builder, Hook::__culprit_copy_origins, {to, from, number(size)});
  builder.SetInsertPoint(next);
  return made;
}

/// Of a granule that is not mixed yet, or packed, the runtime makes an open one.
void OriginWords::storePart(IRBuilder<> &builder, Value *place, Value *pointer, uint64_t size,
                            Value *origin) const {
  Value *before = own(builder.CreateLoad(word_, place));
  Instruction *next = &*builder.GetInsertPoint();
  Instruction *other =
      SplitBlockAndInsertIfThen(builder.CreateICmpNE(before, origin), next->getIterator(), false);
  IRBuilder<> inside(other);
  Instruction *open = nullptr, *whole = nullptr;
  SplitBlockAndInsertIfThenElse(isOpen(inside, before, size == 1), other->getIterator(), &open,
                                &whole);
  inside.SetInsertPoint(open);
  for (uint64_t i = 0; i < size; ++i)
    own(inside.CreateStore(origin, wordOfByte(inside, before, pointer, i)));
  inside.SetInsertPoint(whole);
  call(inside, Hook::__culprit_store_origin, {pointer, number(size), origin});
  builder.SetInsertPoint(next);
}

Value *OriginWords::isCorrupt(IRBuilder<> &builder, Value *origin) const {
  if (hasMarks_)
    return builder.CreateIsNotNull(origin);
  return builder.CreateIsNotNull(builder.CreateAnd(origin, number(abi::kOriginCorrupt)));
}

Value *OriginWords::inherited(IRBuilder<> &builder, Value *origin) const {
  if (hasMarks_)
    return origin;
  return builder.CreateAnd(origin, number(abi::kOriginCorrupt | abi::kOriginStale));
}

Value *OriginWords::orTogether(IRBuilder<> &builder, Value *a, Value *b) const {
  if (a == none())
    return b;
  return b == none() || a == b ? a : builder.CreateOr(a, b);
}

} // namespace culprit

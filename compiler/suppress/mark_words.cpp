// See origin_words.h: marks, for runs whose origins nobody asks for.
//
// Of a value only one thing is known: whether it is corrupt. Its word is 0, or it is not. In the
// shadow each byte of memory has a mark of its own (abi/origins.h), so that no access needs a call,
// whatever its size and alignment. Next to nothing is ever corrupt: code reads marks, and writes
// them only where they change. The system then keeps one page of zeros for all of the shadow.
#include "abi/origins.h"
#include "compiler/suppress/origin_words.h"

#include <llvm/ADT/bit.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace culprit {
using namespace llvm;

Value *OriginWords::markPlace(IRBuilder<> &builder, Value *pointer) const {
  Value *address = builder.CreatePtrToInt(pointer, word_);
  Value *moved = builder.CreateAdd(builder.CreateShl(address, 1), number(abi::kShadowBase));
  return builder.CreateIntToPtr(builder.CreateAnd(moved, number(abi::kMarkMask)),
                                builder.getPtrTy());
}

Value *OriginWords::loadMarks(IRBuilder<> &builder, Value *pointer, uint64_t size) const {
  Value *place = markPlace(builder, pointer);
  Value *all = none();
  uint64_t bytes = size * abi::kMarkSize;
  for (uint64_t done = 0; done < bytes;) {
    uint64_t part = std::min<uint64_t>(sizeof(uint64_t), bit_floor(bytes - done));
    Type *type = builder.getIntNTy(static_cast<unsigned>(part * 8));
    Value *from = done == 0 ? place : builder.CreateConstGEP1_64(builder.getInt8Ty(), place, done);
    Value *marks = own(builder.CreateAlignedLoad(type, from, Align(1)));
    all = orTogether(builder, all, builder.CreateZExt(marks, word_));
    done += part;
  }
  return all;
}

void OriginWords::storeMarks(IRBuilder<> &builder, Value *pointer, uint64_t size,
                             Value *origin) const {
  Value *before = loadMarks(builder, pointer, size);
  Instruction *next = &*builder.GetInsertPoint();
  Value *isChanged = builder.CreateIsNotNull(orTogether(builder, before, origin));
  IRBuilder<> inside(SplitBlockAndInsertIfThen(isChanged, next->getIterator(), false, unlikely()));
  call(inside, Hook::__culprit_store_origin, {pointer, number(size), forHook(inside, origin)});
  builder.SetInsertPoint(next);
}

Value *OriginWords::forHook(IRBuilder<> &builder, Value *origin) const {
  if (!hasMarks_ || isa<Constant>(origin))
    return origin;
  return builder.CreateSelect(builder.CreateIsNotNull(origin), number(abi::kOriginCorrupt), none());
}

} // namespace culprit

// What can be run past: arrays, and records that hold one.
#ifndef CULPRIT_COMPILER_MEMORY_BUFFERS_H
#define CULPRIT_COMPILER_MEMORY_BUFFERS_H

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DerivedTypes.h>

namespace culprit {

inline bool isBuffer(const llvm::Type *type) {
  if (type->isArrayTy())
    return true;
  auto *record = llvm::dyn_cast<llvm::StructType>(type);
  return record && llvm::any_of(record->elements(), isBuffer);
}

} // namespace culprit
#endif

// See by_value.h.
#include "compiler/memory/by_value.h"

#include <llvm/IR/IRBuilder.h>

namespace culprit {
using namespace llvm;

namespace {

/// A musttail call hands the very argument on.
bool hasMustTailCall(const Function &function) {
  return any_of(function,
                [](const BasicBlock &block) { return block.getTerminatingMustTailCall(); });
}

void copyArgument(Argument &argument) {
  Function &function = *argument.getParent();
  const DataLayout &layout = function.getParent()->getDataLayout();
  Type *type = argument.getParamByValType();
  Align alignment = std::max(argument.getParamAlign().valueOrOne(), layout.getABITypeAlign(type));
  BasicBlock &entry = function.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *copy = builder.CreateAlloca(type);
  copy->setAlignment(alignment);
  builder.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  argument.replaceAllUsesWith(copy);
  builder.CreateMemCpy(copy, alignment, &argument, argument.getParamAlign(),
                       layout.getTypeAllocSize(type));
}

} // namespace

void copyByValueArguments(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked) ||
        function.isPresplitCoroutine() || hasMustTailCall(function))
      continue;
    for (Argument &argument : function.args())
      if (argument.hasByValAttr() && !argument.use_empty())
        copyArgument(argument);
  }
}

} // namespace culprit

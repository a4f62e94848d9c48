// See globals.h. The sections' names start as those of the linker's own do, so that without a
// layout they end up where and in the order in which they always did.
#include "compiler/memory/globals.h"

#include "compiler/memory/buffers.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace culprit {
using namespace llvm;

namespace {

bool canMove(const GlobalVariable &global) {
  return !global.isDeclarationForLinker() && !global.isConstant() && !global.isThreadLocal() &&
         !global.hasSection() && !global.hasCommonLinkage() && !global.hasImplicitSection() &&
         !global.getName().starts_with("llvm.") && global.getAddressSpace() == 0;
}

/// Statics of functions are named after them.
std::string sourceName(const GlobalVariable &global) {
  SmallVector<DIGlobalVariableExpression *, 1> descriptions;
  global.getDebugInfo(descriptions);
  for (DIGlobalVariableExpression *description : descriptions) {
    DIGlobalVariable *variable = description->getVariable();
    if (auto *function = dyn_cast_or_null<DISubprogram>(variable->getScope()))
      return (function->getName() + "." + variable->getName()).str();
    return variable->getName().str();
  }
  return global.getName().str();
}

} // namespace

std::vector<GlobalShape> separateGlobals(Module &module, const std::string &moduleId) {
  const DataLayout &layout = module.getDataLayout();
  std::vector<GlobalShape> shapes;
  for (GlobalVariable &global : module.globals()) {
    if (!canMove(global))
      continue;
    bool isZero = global.getInitializer()->isNullValue();
    GlobalShape shape;
    shape.symbol = global.getName().str();
    shape.name = sourceName(global);
    shape.file = module.getSourceFileName();
    shape.section =
        fmt::format("{}.{}.{}", isZero ? ".bss" : ".data", moduleId.substr(0, 10), shapes.size());
    shape.size = layout.getTypeAllocSize(global.getValueType());
    shape.alignment = layout.getPreferredAlign(&global).value();
    shape.isLocal = global.hasLocalLinkage();
    shape.isBuffer = isBuffer(global.getValueType());
    global.setSection(shape.section);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

} // namespace culprit

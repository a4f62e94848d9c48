// See globals.h. The sections' names start as those of the linker's own do, so that without a
// layout they end up where and in the order in which they always did.
#include "compiler/memory/globals.h"

#include "compiler/memory/buffers.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

namespace culprit {
using namespace llvm;

namespace {

bool canMove(const GlobalVariable &global) {
  return !global.isDeclarationForLinker() && !global.isConstant() && !global.hasSection() &&
         !global.hasCommonLinkage() && !global.hasImplicitSection() &&
         !global.getName().starts_with("llvm.") && global.getAddressSpace() == 0;
}

const char *sectionFor(const GlobalVariable &global) {
  bool isZero = global.getInitializer()->isNullValue();
  if (global.isThreadLocal())
    return isZero ? ".tbss" : ".tdata";
  return isZero ? ".bss" : ".data";
}

} // namespace

std::vector<GlobalShape> separateGlobals(Module &module, const std::string &moduleId) {
  std::vector<GlobalShape> shapes;
  for (GlobalVariable &global : module.globals()) {
    if (!canMove(global))
      continue;
    GlobalShape shape;
    shape.symbol = global.getName().str();
    shape.file = module.getSourceFileName();
    shape.section =
        fmt::format("{}.{}.{}", sectionFor(global), moduleId.substr(0, 10), shapes.size());
    shape.isLocal = global.hasLocalLinkage();
    shape.isBuffer = isBuffer(global.getValueType());
    global.setSection(shape.section);
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

} // namespace culprit

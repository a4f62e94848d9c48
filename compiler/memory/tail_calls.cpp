// See tail_calls.h.
#include "compiler/memory/tail_calls.h"

#include "externals/policy/policy.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace culprit {
using namespace llvm;

namespace {

bool leavesProgram(const CallInst &call) {
  if (isa<IntrinsicInst>(call) || call.isInlineAsm())
    return false;
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return call.isIndirectCall();
  return callee->isDeclaration() && policy().find(callee->getName().str());
}

} // namespace

void keepCallers(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.hasFnAttribute(Attribute::OptimizeNone))
      function.addFnAttr("disable-tail-calls", "true");
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && !call->isMustTailCall() && leavesProgram(*call))
        call->setTailCallKind(CallInst::TCK_NoTail);
  }
}

} // namespace culprit

// See frame_plan.h.
#include "compiler/memory/frame_plan.h"

#include "compiler/memory/buffers.h"
#include "compiler/memory/late_start.h"

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>

namespace culprit {
using namespace llvm;

namespace {

FramePlan planFrame(Function &function, const UnsafeLocals &unsafe) {
  FramePlan plan;
  for (Instruction &instruction : instructions(function))
    if (auto *local = dyn_cast<AllocaInst>(&instruction);
        local && !local->isSwiftError() && !local->isUsedWithInAlloca()) {
      if (local->isStaticAlloca())
        plan.locals.push_back(local);
      else
        plan.dynamic.push_back(local);
    }
  auto mayBeOverrun = [&](AllocaInst *local) {
    return unsafe.contains(local) &&
           (isBuffer(local->getAllocatedType()) || local->isArrayAllocation());
  };
  bool keepsBuffer = any_of(plan.locals, mayBeOverrun) || any_of(plan.dynamic, mayBeOverrun);
  for (AllocaInst *local : plan.locals)
    if (unsafe.contains(local) || (keepsBuffer && variableOf(local)))
      plan.members.insert(local);
  if (none_of(plan.dynamic, [&](AllocaInst *local) { return unsafe.contains(local); }))
    plan.dynamic.clear();
  return plan;
}

} // namespace

const DILocalVariable *variableOf(AllocaInst *local) {
  for (DbgDeclareInst *declare : findDbgDeclares(local))
    return declare->getVariable();
  for (DbgVariableRecord *declare : findDVRDeclares(local))
    return declare->getVariable();
  return nullptr;
}

FramePlans planFrames(Module &module, const UnsafeLocals &unsafe) {
  FramePlans plans;
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasFnAttribute(Attribute::Naked) ||
        function.isPresplitCoroutine())
      continue;
    FramePlan plan = planFrame(function, unsafe);
    if (!plan.members.empty() && plan.dynamic.empty())
      startLate(function, unsafe, plan);
    plans.try_emplace(&function, std::move(plan));
  }
  return plans;
}

} // namespace culprit

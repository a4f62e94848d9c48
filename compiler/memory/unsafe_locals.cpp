// See unsafe_locals.h. The clone and the module correspond alloca by alloca through LLVM's value
// map; an alloca that promotion removed from the clone is safe.
#include "compiler/memory/unsafe_locals.h"

#include <llvm/Analysis/StackSafetyAnalysis.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace culprit {
using namespace llvm;

namespace {

/// Makes StackSafetyAnalysis look into all functions that the optimiser may inline. In code for
/// shared libraries it would not, for another image may define them, too; but that is then the same
/// function (inline functions, templates), or the compiler has assumed so already.
void bindLocally(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration() && !function.isInterposable())
      function.setDSOLocal(true);
  for (GlobalAlias &alias : module.aliases())
    if (!alias.isInterposable())
      alias.setDSOLocal(true);
}

/// The argument that a function returns on all its ways, or null.
Argument *returnedArgument(Function &function) {
  Argument *returned = nullptr;
  if (!function.getReturnType()->isPointerTy() || function.isInterposable())
    return nullptr;
  for (BasicBlock &block : function)
    if (auto *exit = dyn_cast<ReturnInst>(block.getTerminator())) {
      auto *argument = dyn_cast<Argument>(exit->getReturnValue());
      if (!argument || block.getTerminatingMustTailCall() || (returned && argument != returned))
        return nullptr;
      returned = argument;
    }
  return returned;
}

/// StackSafetyAnalysis takes a pointer that a function returns for lost, and so every object with
/// an operator that returns *this. Here callers use what they have passed instead of the result.
bool forgetReturned(Function &function) {
  Argument *returned = returnedArgument(function);
  if (!returned)
    return false;
  for (User *user : function.users())
    if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledFunction() == &function) {
      Value *passed = call->getArgOperand(returned->getArgNo());
      if (passed != call) // as it may in code that no path reaches
        call->replaceAllUsesWith(passed);
    }
  for (BasicBlock &block : function)
    if (auto *exit = dyn_cast<ReturnInst>(block.getTerminator()))
      exit->setOperand(0, PoisonValue::get(returned->getType()));
  return true;
}

void forgetAllReturned(Module &module) {
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (Function &function : module)
      isChanged |= !function.isDeclaration() && forgetReturned(function);
  }
}

} // namespace

UnsafeLocals findUnsafeLocals(Module &module) {
  ValueToValueMapTy map;
  std::unique_ptr<Module> clone = CloneModule(module, map);
  SmallVector<std::pair<const AllocaInst *, WeakTrackingVH>, 64> pairs;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        pairs.emplace_back(local, map.lookup(local));

  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager graphs;
  ModuleAnalysisManager modules;
  PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
  passes.run(*clone, modules);
  bindLocally(*clone);
  forgetAllReturned(*clone);

  const StackSafetyGlobalInfo &safety = modules.getResult<StackSafetyGlobalAnalysis>(*clone);
  UnsafeLocals unsafe;
  for (auto &[local, copy] : pairs) {
    Value *counterpart = copy;
    if (auto *remaining = dyn_cast_or_null<AllocaInst>(counterpart))
      if (!safety.isSafe(*remaining))
        unsafe.insert(local);
  }
  return unsafe;
}

} // namespace culprit

// See unsafe_locals.h. The clone and the module correspond alloca by alloca through LLVM's value
// map; an alloca that promotion removed from the clone is safe.
#include "compiler/memory/unsafe_locals.h"

#include "compiler/memory/pointer_flow.h"

#include <llvm/Analysis/StackSafetyAnalysis.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>
#include <sstream>

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
  straightenPointers(*clone);

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

namespace {

template <typename Visit> void eachLocal(const Module &module, Visit visit) {
  size_t number = 0;
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (auto *local = dyn_cast<AllocaInst>(&instruction))
        visit(local, number++);
}

} // namespace

std::string listUnsafeLocals(const Module &module, const UnsafeLocals &unsafe) {
  std::string list;
  eachLocal(module, [&](const AllocaInst *local, size_t number) {
    if (unsafe.contains(local))
      list += std::to_string(number) + " ";
  });
  return list;
}

UnsafeLocals readUnsafeLocals(const Module &module, const std::string &list) {
  UnsafeLocals unsafe;
  std::istringstream numbers(list);
  size_t next = 0;
  bool isAny = static_cast<bool>(numbers >> next);
  eachLocal(module, [&](const AllocaInst *local, size_t number) {
    if (!isAny || number != next)
      return;
    unsafe.insert(local);
    isAny = static_cast<bool>(numbers >> next);
  });
  return unsafe;
}

} // namespace culprit

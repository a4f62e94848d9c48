// See markers.h.
#include "compiler/sites/markers.h"

#include "compiler/sites/numbering.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>

namespace culprit {
using namespace llvm;

namespace {

DenseSet<const Value *> namedLocals(Function &function) {
  DenseSet<const Value *> named;
  for (Instruction &instruction : instructions(function)) {
    for (DbgVariableRecord &record : filterDbgVars(instruction.getDbgRecordRange()))
      if (record.isDbgDeclare() && isa_and_nonnull<AllocaInst>(record.getAddress()))
        named.insert(record.getAddress());
    if (auto *declare = dyn_cast<DbgDeclareInst>(&instruction))
      if (isa_and_nonnull<AllocaInst>(declare->getAddress()))
        named.insert(declare->getAddress());
  }
  return named;
}

FunctionCallee markerFor(Module &module, Type *type) {
  std::string name = kMarkerPrefix;
  raw_string_ostream(name) << *type;
  FunctionCallee marker = module.getOrInsertFunction(name, type, type);
  cast<Function>(marker.getCallee())->setDoesNotThrow();
  return marker;
}

void markFunction(Function &function) {
  DenseSet<const Value *> named = namedLocals(function);
  SmallVector<StoreInst *, 32> stores;
  for (Instruction &instruction : instructions(function))
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      if (named.contains(store->getPointerOperand()) && siteOf(*store))
        stores.push_back(store);
  for (StoreInst *store : stores) {
    IRBuilder<> builder(store);
    store->setOperand(0, markDefinition(builder, store->getValueOperand(), *siteOf(*store)));
  }
}

} // namespace

Value *markDefinition(IRBuilder<> &builder, Value *value, uint32_t site) {
  Module &module = *builder.GetInsertBlock()->getModule();
  CallInst *call = builder.CreateCall(markerFor(module, value->getType()), value);
  attachSite(*call, site);
  return call;
}

bool isMarker(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName().starts_with(kMarkerPrefix);
}

void insertMarkers(Module &module) {
  for (Function &function : module)
    if (hasSites(function))
      markFunction(function);
}

void dropMarkers(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.getName().starts_with(kMarkerPrefix))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace culprit

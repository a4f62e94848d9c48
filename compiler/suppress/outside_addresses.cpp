// See outside_addresses.h.
#include "compiler/suppress/outside_addresses.h"

#include "compiler/sites/numbering.h"
#include "externals/policy/policy.h"

#include <llvm/IR/IRBuilder.h>

namespace culprit {
using namespace llvm;
namespace {

/// All modules must agree on the address, so the linker keeps one.
constexpr StringLiteral kPrefix = "__culprit_outside_";

bool isReplaced(const Function &function, const OriginRequest &request) {
  if (!function.isDeclarationForLinker() || !function.hasAddressTaken() || function.isVarArg() ||
      function.hasFnAttribute(Attribute::ReturnsTwice))
    return false;
  if (request.ownFunctions && request.ownFunctions->contains(function.getName().str()))
    return false;
  const ExternalFunction *row = policy().find(function.getName().str());
  return row && row->category == Category::Model;
}

Function *makeCaller(Function &outside) {
  Module &module = *outside.getParent();
  auto *caller = Function::Create(outside.getFunctionType(), GlobalValue::LinkOnceODRLinkage,
                                  kPrefix + outside.getName(), module);
  caller->setComdat(module.getOrInsertComdat(caller->getName()));
  caller->copyAttributesFrom(&outside);
  caller->setMemoryEffects(MemoryEffects::unknown()); // it leaves origins
  caller->addFnAttr("frame-pointer", "all");          // the heap notes who called
  caller->setUWTableKind(UWTableKind::Default);
  IRBuilder<> builder(BasicBlock::Create(module.getContext(), "", caller));
  SmallVector<Value *> arguments;
  for (Argument &argument : caller->args())
    arguments.push_back(&argument);
  CallInst *call = builder.CreateCall(&outside, arguments);
  call->setCallingConv(outside.getCallingConv());
  attachSite(*call, 0);
  if (outside.doesNotReturn())
    builder.CreateUnreachable();
  else if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  return caller;
}

} // namespace

std::vector<Function *> replaceOutsideAddresses(Module &module, const OriginRequest &request) {
  std::vector<Function *> taken;
  for (Function &function : module)
    if (isReplaced(function, request))
      taken.push_back(&function);
  std::vector<Function *> callers;
  for (Function *outside : taken) {
    SmallVector<CallBase *> direct;
    for (User *user : outside->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == outside)
        direct.push_back(call);
    Function *caller = makeCaller(*outside);
    CallBase *inside = cast<CallBase>(&caller->front().front());
    outside->replaceAllUsesWith(caller);
    inside->setCalledOperand(outside);
    for (CallBase *call : direct)
      call->setCalledOperand(outside);
    callers.push_back(caller);
  }
  return callers;
}

} // namespace culprit

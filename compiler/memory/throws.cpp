// See throws.h.
#include "compiler/memory/throws.h"

#include "compiler/memory/hooks.h"
#include "compiler/sites/numbering.h"

#include <llvm/IR/IRBuilder.h>
#include <vector>

namespace culprit {
using namespace llvm;

void announceThrows(Module &module) {
  Function *thrower = module.getFunction("__cxa_throw");
  if (!thrower)
    return;
  std::vector<CallBase *> throws;
  for (User *user : thrower->users())
    if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == thrower)
      throws.push_back(call);
  for (CallBase *call : throws) {
    IRBuilder<> builder(call); // with the line of the throw
    CallInst *note = builder.CreateCall(declareFunction(module, Hook::__culprit_throw),
                                        {call->getArgOperand(0)});
    note->setTailCallKind(CallInst::TCK_NoTail);
    if (std::optional<uint32_t> site = siteOf(*call))
      attachSite(*note, *site);
  }
}

} // namespace culprit

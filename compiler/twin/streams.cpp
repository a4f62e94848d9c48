// See streams.h. The shims' definitions are weak: the alias of a definition in the program wins.
#include "compiler/twin/streams.h"

#include <llvm/IR/GlobalAlias.h>

namespace culprit {
using namespace llvm;

void useOwnStreams(Module &module) {
  for (StringRef name : {"stdin", "stdout", "stderr"}) {
    GlobalVariable *variable = module.getNamedGlobal(name);
    if (!variable || variable->hasLocalLinkage())
      continue;
    std::string own = ("__culprit_" + name).str();
    if (variable->isDeclaration())
      variable->setName(own);
    else if (variable->hasExternalLinkage())
      GlobalAlias::create(GlobalValue::ExternalLinkage, own, variable);
  }
}

} // namespace culprit

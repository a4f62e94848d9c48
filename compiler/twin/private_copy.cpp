// See private_copy.h.
#include "compiler/twin/private_copy.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Transforms/Utils/CtorUtils.h>

namespace culprit {
using namespace llvm;

namespace {

/// A table of virtual functions, of such tables, or one that is used during construction.
bool isVirtualTable(const GlobalVariable &variable) {
  StringRef name = variable.getName();
  return name.starts_with("_ZTV") || name.starts_with("_ZTT") || name.starts_with("_ZTC");
}

void leaveToLibrary(GlobalVariable &variable) {
  variable.setInitializer(nullptr);
  variable.setComdat(nullptr);
  variable.setLinkage(GlobalValue::ExternalLinkage);
  variable.setVisibility(GlobalValue::DefaultVisibility);
  variable.setDSOLocal(false);
}

/// Inline functions: the program has its own of those that it calls. Were they one, how often the
/// program's are executed would depend on which of the shims' calls the optimiser has inlined.
void keepApart(GlobalValue &value) {
  value.setVisibility(GlobalValue::DefaultVisibility);
  value.setLinkage(GlobalValue::InternalLinkage);
  if (auto *object = dyn_cast<GlobalObject>(&value))
    object->setComdat(nullptr);
}

void hide(GlobalValue &value) {
  if (value.hasLinkOnceLinkage() && isa<Function>(value.getAliaseeObject()))
    return keepApart(value);
  if (value.hasExternalLinkage())
    value.setLinkage(GlobalValue::WeakAnyLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
}

/// Leaves to the library what initialises its variables, too, and the groups of both: the linker
/// would keep one of the library's groups and ours.
void leaveGroups(Module &module, const SmallPtrSetImpl<const Comdat *> &groups) {
  optimizeGlobalCtorsList(module, [&](uint32_t, Function *constructor) {
    return groups.contains(constructor->getComdat());
  });
  for (GlobalObject &object : module.global_objects())
    if (groups.contains(object.getComdat()))
      object.setComdat(nullptr);
}

} // namespace

void makePrivateCopy(Module &module) {
  SmallPtrSet<const Comdat *, 8> groups;
  for (GlobalVariable &variable : module.globals())
    if (!variable.hasLocalLinkage() && !variable.isDeclarationForLinker() &&
        !variable.getName().starts_with("llvm.") && !isVirtualTable(variable)) {
      if (variable.getComdat())
        groups.insert(variable.getComdat());
      leaveToLibrary(variable);
    }
  leaveGroups(module, groups);
  for (GlobalValue &value : module.global_values())
    if (!value.hasLocalLinkage() && !value.isDeclarationForLinker() &&
        !value.getName().starts_with("llvm."))
      hide(value);
}

} // namespace culprit

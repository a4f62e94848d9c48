// See parts.h.
#include "compiler/twin/parts.h"

#include "compiler/twin/part_names.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>

namespace culprit {
using namespace llvm;

namespace {

bool isOfCompiler(const GlobalValue &value) {
  return value.getName().starts_with("llvm.");
}

/// The linker takes groups as a whole.
bool isGroupOfItsOwn(const Function &function) {
  return !function.hasComdat() || function.getComdat()->getUsers().size() == 1;
}

/// LLVM refers to such functions by another name, of which nobody knows.
bool hasLocalName(const Function &function, bool forSharedLibrary) {
  return forSharedLibrary && function.isDSOLocal() && function.canBenefitFromLocalAlias();
}

bool isReplaceable(const Function &function, bool forSharedLibrary) {
  return !function.isDeclarationForLinker() && !function.hasFnAttribute(Attribute::AlwaysInline) &&
         isGroupOfItsOwn(function) && !hasLocalName(function, forSharedLibrary) &&
         none_of(function, [](const BasicBlock &block) { return block.hasAddressTaken(); });
}

/// Declares what an alias or the like stands for, in its place.
void declareInstead(GlobalValue &value) {
  Module &module = *value.getParent();
  GlobalValue *declared;
  if (auto *type = dyn_cast<FunctionType>(value.getValueType()))
    declared = Function::Create(type, GlobalValue::ExternalLinkage, "", module);
  else
    declared = new GlobalVariable(module, value.getValueType(), false, GlobalValue::ExternalLinkage,
                                  nullptr, "", nullptr, value.getThreadLocalMode());
  declared->setVisibility(value.getVisibility());
  declared->takeName(&value);
  value.replaceAllUsesWith(declared);
  value.eraseFromParent();
}

void dropAliases(Module &module, const Function &part) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (alias.getAliaseeObject() != &part)
      declareInstead(alias);
  for (GlobalIFunc &chooser : make_early_inc_range(module.ifuncs()))
    declareInstead(chooser);
}

void dropFunctions(Module &module, const Function &part) {
  for (Function &function : module) {
    if (function.isDeclaration() || &function == &part)
      continue;
    function.setComdat(nullptr);
    if (function.hasFnAttribute(Attribute::AlwaysInline))
      function.setLinkage(GlobalValue::AvailableExternallyLinkage);
    else
      function.deleteBody();
  }
}

/// Private constants that the mode has added are the part's own.
void dropVariables(Module &module) {
  for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
    if (isOfCompiler(variable)) {
      variable.eraseFromParent();
      continue;
    }
    if (variable.hasLocalLinkage() || variable.isDeclaration())
      continue;
    variable.setInitializer(nullptr);
    variable.setLinkage(GlobalValue::ExternalLinkage);
    variable.setComdat(nullptr);
    variable.setSection("");
    variable.clearMetadata();
  }
}

/// Of variables and types the open twin tells.
void dropDebugInfo(Module &module) {
  for (DICompileUnit *unit : module.debug_compile_units()) {
    unit->replaceGlobalVariables(nullptr);
    unit->replaceEnumTypes(nullptr);
    unit->replaceRetainedTypes(nullptr);
    unit->replaceImportedEntities(nullptr);
    unit->replaceMacros(nullptr);
  }
}

template <typename Values> void eraseUnused(Values values) {
  for (auto &value : make_early_inc_range(values)) {
    value.removeDeadConstantUsers();
    if (value.use_empty() && (value.isDeclaration() || value.hasLocalLinkage()))
      value.eraseFromParent();
  }
}

} // namespace

LocalSymbols::LocalSymbols(Module &module) {
  for (GlobalValue &value : module.global_values())
    if (value.hasLocalLinkage() && !isOfCompiler(value) && !value.hasComdat())
      values_.emplace_back(&value);
}

void LocalSymbols::share(const std::string &moduleId) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    auto *value = cast_or_null<GlobalValue>(static_cast<Value *>(values_[i]));
    if (!value)
      continue;
    value->setName(Twine(value->getName()) + kSharedMark + moduleId.substr(0, 16) + "." + Twine(i));
    value->setLinkage(GlobalValue::ExternalLinkage);
    value->setVisibility(GlobalValue::HiddenVisibility);
    value->setDSOLocal(true);
  }
}

std::set<std::string> replaceableFunctions(const Module &module, bool forSharedLibrary) {
  std::set<std::string> names;
  for (const Function &function : module)
    if (isReplaceable(function, forSharedLibrary))
      names.insert(function.getName().str());
  for (const GlobalIFunc &chooser : module.ifuncs())
    if (const Function *resolver = chooser.getResolverFunction())
      names.erase(resolver->getName().str());
  return names;
}

void emptyOthers(Module &module, const std::string &part) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.getName() == part ||
        function.hasFnAttribute(Attribute::AlwaysInline))
      continue;
    GlobalValue::LinkageTypes linkage = function.getLinkage();
    function.deleteBody();
    function.setLinkage(linkage);
    BasicBlock *block = BasicBlock::Create(module.getContext(), "", &function);
    new UnreachableInst(module.getContext(), block);
  }
}

void keepPart(Module &module, const Function &part) {
  dropAliases(module, part);
  dropFunctions(module, part);
  dropVariables(module);
  dropDebugInfo(module);
  module.setModuleInlineAsm("");
  eraseUnused(module.globals());
  eraseUnused(module.functions());
}

} // namespace culprit

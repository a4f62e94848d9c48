// See hooks.h.
#include "compiler/memory/hooks.h"

#include "support/diagnostics.h"

#include <llvm/ADT/StringExtras.h>

namespace culprit {
using namespace llvm;

namespace {

enum class HookKind { Function, KeepingFunction, Variable, ThreadLocal };

struct Row {
  const char *name;
  HookKind kind;
  const char *type;       ///< of the variable or the result
  const char *parameters; ///< as in the list, with parentheses
};

constexpr Row kRows[] = {
#define HOOK(name, result, parameters, meaning) {#name, HookKind::Function, #result, #parameters},
#define HOOK_KEEPING(name, result, parameters, meaning)                                            \
  {#name, HookKind::KeepingFunction, #result, #parameters},
#define HOOK_DATA(name, type, meaning) {#name, HookKind::Variable, #type, ""},
#define HOOK_THREAD(name, type, meaning) {#name, HookKind::ThreadLocal, #type, ""},
#include "abi/hooks.def"
#undef HOOK
#undef HOOK_KEEPING
#undef HOOK_DATA
#undef HOOK_THREAD
};

Type *typeOf(LLVMContext &context, StringRef word) {
  if (word == "Void")
    return Type::getVoidTy(context);
  if (word == "Ptr")
    return PointerType::getUnqual(context);
  if (word == "I32")
    return Type::getInt32Ty(context);
  if (word == "I64")
    return Type::getInt64Ty(context);
  failInternal("abi/hooks.def has the unknown type '{}'", word.str());
}

const Row &rowOf(Hook hook, bool isFunction) {
  const Row &row = kRows[static_cast<size_t>(hook)];
  bool isOne = row.kind == HookKind::Function || row.kind == HookKind::KeepingFunction;
  if (isOne != isFunction)
    failInternal("'{}' of abi/hooks.def is used as what it is not", row.name);
  return row;
}

} // namespace

GlobalVariable *declareVariable(Module &module, Hook hook) {
  const Row &row = rowOf(hook, false);
  auto *variable = cast<GlobalVariable>(
      module.getOrInsertGlobal(row.name, typeOf(module.getContext(), row.type)));
  if (row.kind == HookKind::ThreadLocal)
    variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
  return variable;
}

FunctionCallee declareFunction(Module &module, Hook hook) {
  const Row &row = rowOf(hook, true);
  LLVMContext &context = module.getContext();
  SmallVector<StringRef, 4> words;
  StringRef(row.parameters).trim("()").split(words, ',', -1, /*KeepEmpty=*/false);
  SmallVector<Type *, 4> parameters;
  for (StringRef word : words)
    parameters.push_back(typeOf(context, word.trim()));
  FunctionCallee declared = module.getOrInsertFunction(
      row.name, FunctionType::get(typeOf(context, row.type), parameters, false));
  if (auto *function = dyn_cast<Function>(declared.getCallee());
      function && row.kind == HookKind::KeepingFunction)
    function->setCallingConv(CallingConv::PreserveMost);
  return declared;
}

} // namespace culprit

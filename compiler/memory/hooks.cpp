// See hooks.h.
#include "compiler/memory/hooks.h"

namespace culprit {
using namespace llvm;

namespace {

enum class HookType { Ptr, I32, I64 };

struct DataRow {
  const char *name;
  HookType type;
};

constexpr DataRow kData[] = {
#define HOOK(name, result, parameters, meaning)
#define HOOK_DATA(name, type, meaning) {#name, HookType::type},
#include "abi/hooks.def"
#undef HOOK
#undef HOOK_DATA
};

Type *typeOf(LLVMContext &context, HookType type) {
  switch (type) {
  case HookType::Ptr:
    return PointerType::getUnqual(context);
  case HookType::I32:
    return Type::getInt32Ty(context);
  case HookType::I64:
    return Type::getInt64Ty(context);
  }
  return nullptr;
}

} // namespace

GlobalVariable *declareHook(Module &module, DataHook hook) {
  const DataRow &row = kData[static_cast<size_t>(hook)];
  return cast<GlobalVariable>(
      module.getOrInsertGlobal(row.name, typeOf(module.getContext(), row.type)));
}

} // namespace culprit

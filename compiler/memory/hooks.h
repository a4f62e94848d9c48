// The compiler's side of abi/hooks.def: declarations of what generated code uses of the runtime.
#ifndef CULPRIT_COMPILER_MEMORY_HOOKS_H
#define CULPRIT_COMPILER_MEMORY_HOOKS_H

#include <llvm/IR/Module.h>

namespace culprit {

/// One value per HOOK_DATA row, by its name.
enum class DataHook {
#define HOOK(name, result, parameters, meaning)
#define HOOK_DATA(name, type, meaning) name,
#include "abi/hooks.def"
#undef HOOK
#undef HOOK_DATA
};

/// The module's declaration of a variable of the runtime, with the type that the list gives it.
llvm::GlobalVariable *declareHook(llvm::Module &module, DataHook hook);

} // namespace culprit
#endif

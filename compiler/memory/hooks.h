// The compiler's side of abi/hooks.def: declarations of what generated code uses of the runtime.
#ifndef CULPRIT_COMPILER_MEMORY_HOOKS_H
#define CULPRIT_COMPILER_MEMORY_HOOKS_H

#include <llvm/IR/Module.h>

namespace culprit {

/// One value per row, by its name.
enum class Hook {
#define HOOK(name, result, parameters, meaning) name,
#define HOOK_KEEPING(name, result, parameters, meaning) name,
#define HOOK_DATA(name, type, meaning) name,
#define HOOK_THREAD(name, type, meaning) name,
#include "abi/hooks.def"
#undef HOOK
#undef HOOK_KEEPING
#undef HOOK_DATA
#undef HOOK_THREAD
};

/// The module's declaration of a variable of the runtime, with the type that the list gives it.
llvm::GlobalVariable *declareVariable(llvm::Module &module, Hook hook);

/// The module's declaration of a function of the runtime.
llvm::FunctionCallee declareFunction(llvm::Module &module, Hook hook);

} // namespace culprit
#endif

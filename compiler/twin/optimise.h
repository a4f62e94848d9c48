// LLVM's passes and code generation, set up for flat memory.
#ifndef CULPRIT_COMPILER_TWIN_OPTIMISE_H
#define CULPRIT_COMPILER_TWIN_OPTIMISE_H

#include <llvm/IR/Module.h>
#include <string>

namespace culprit {

/// Registers the x86-64 back end; call once before any twin is made.
void initialiseTarget();

/// Promotes locals to SSA, and nothing more.
void promote(llvm::Module &module);

struct EmitOptions {
  bool positionIndependent = false;
  bool separateSections = false; ///< one per function and variable
  bool optimised = true;         ///< false: only promoted
  std::string source;            ///< for messages
};

/// Runs clang's -O2 pipeline with the flat alias analysis, or only what any code needs.
void optimise(llvm::Module &module, const EmitOptions &options);

/// The same, and emits an object file.
std::string optimiseAndEmit(llvm::Module &module, const EmitOptions &options);

} // namespace culprit
#endif

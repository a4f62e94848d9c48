// Bitcode to module: the pristine IR that sites are numbered on.
#ifndef CULPRIT_COMPILER_LOADER_MODULE_H
#define CULPRIT_COMPILER_LOADER_MODULE_H

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <string>
#include <string_view>

namespace culprit {

/// Parses a module, takes out what does not belong to the program (take_out.h) and makes borrowed
/// bodies its own (borrowed.h). `source` is for
/// messages. Throws Failure when it cannot be read. LLVM's own warnings are silenced.
std::unique_ptr<llvm::Module> readModule(llvm::LLVMContext &context, std::string_view bitcode,
                                         const std::string &source);

/// Throws Failure if LLVM has found an error in what was made of a module read into `context`.
void checkCompiled(const llvm::LLVMContext &context, const std::string &source);

} // namespace culprit
#endif

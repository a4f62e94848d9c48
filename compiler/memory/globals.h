// Globals: each variable that the program can write gets a section of its own, so that a layout can
// put it anywhere (compiler/layout).
#ifndef CULPRIT_COMPILER_MEMORY_GLOBALS_H
#define CULPRIT_COMPILER_MEMORY_GLOBALS_H

#include "compiler/memory/memory_table.h"

#include <llvm/IR/Module.h>

namespace culprit {

/// Thread-locals, too. Variables with a section that the source asks for and common symbols stay as
/// they are and are not in the result.
std::vector<GlobalShape> separateGlobals(llvm::Module &module, const std::string &moduleId);

} // namespace culprit
#endif

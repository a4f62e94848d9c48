// Which linker clang would take: the shim runs in its place and must then call that one.
//
// Follows clang's ToolChain::GetLinkerPath and Driver::GetProgramPath. Where clang would complain
// (a linker that does not exist), no shim is used, so that clang complains.
#ifndef CULPRIT_COMPILER_WRAPPER_LINKER_PATH_H
#define CULPRIT_COMPILER_WRAPPER_LINKER_PATH_H

#include "compiler/wrapper/arguments.h"
#include "llvm/Option/ArgList.h"

namespace culprit {

struct LinkerChoice {
  std::string path;           ///< empty: clang would not find one
  bool flavourIsPath = false; ///< chosen by -fuse-ld=PATH, about which clang warns
};

LinkerChoice chooseLinker(const llvm::opt::InputArgList &args, const Paths &paths);

} // namespace culprit
#endif

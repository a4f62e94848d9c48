// Bodies that the compiler was only lent.
#ifndef CULPRIT_COMPILER_LOADER_BORROWED_H
#define CULPRIT_COMPILER_LOADER_BORROWED_H

#include <llvm/IR/Module.h>

namespace culprit {

/// What the name of such a body ends in.
inline constexpr const char *kBorrowedMark = ".borrowed";

/// Makes every borrowed body (`available_externally`: C99 inline, extern templates) the module's
/// own.
///
/// Whether a borrowed body is inlined or its owner called is the optimiser's choice, and a program
/// may have been linked without any owner because the original's optimiser inlined every call. A
/// twin's optimiser chooses otherwise, so calls go to a copy inside the module; only the address of
/// the function remains the owner's. Bodies that are always inlined stay as they are.
void ownBorrowedBodies(llvm::Module &module);

} // namespace culprit
#endif

// A module of libstdc++'s as a copy that belongs to one image.
//
// Its functions and virtual tables are hidden: the image's own calls come to them, those of foreign
// libraries still go to the shared library. They are weak, for a program that links the library
// statically, or has one of the functions itself. Inline functions are its own altogether. All
// other variables are the shared library's, or there would be two of what is one per process: type
// information, by which exceptions are caught, the ids of facets, the empty string of the old ABI.
#ifndef CULPRIT_COMPILER_TWIN_PRIVATE_COPY_H
#define CULPRIT_COMPILER_TWIN_PRIVATE_COPY_H

#include <llvm/IR/Module.h>

namespace culprit {

void makePrivateCopy(llvm::Module &module);

} // namespace culprit
#endif

// What columns of most modules have in common, as a dictionary for zstd: LLVM's abbreviations, the
// target, attributes, names that debug info has of the C and C++ libraries. Writer and reader need
// the same one, so another dictionary is another encoding (abi::Encoding). train-dictionary makes
// it.
#ifndef CULPRIT_COMPILER_EMBED_DICTIONARY_H
#define CULPRIT_COMPILER_EMBED_DICTIONARY_H

#include "llvm/ADT/StringRef.h"

namespace culprit {

llvm::StringRef dictionary();

} // namespace culprit
#endif

// What an input file of a link is and which modules it holds.
#ifndef CULPRIT_COMPILER_WRAPPER_LINK_INPUTS_H
#define CULPRIT_COMPILER_WRAPPER_LINK_INPUTS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace culprit {

struct MemberContents {
  std::string name;
  std::vector<std::string> entries; ///< ids, hex
};

struct FileContents {
  std::string kind;                    ///< `object`, `archive`, `shared`, `lto`, `script`
  std::string hash;                    ///< contentId of the file
  std::vector<std::string> entries;    ///< ids, hex; none for archives
  std::vector<MemberContents> members; ///< of an archive, all of them
  bool isForeign = false;              ///< no entries, or only foreign marks: nothing to rebuild
};

/// Looks into `bytes`, the file at `path` (which places the members of a thin archive).
FileContents inspectFile(llvm::StringRef path, llvm::StringRef bytes);

/// Assembler text of the modules in an LLVM bitcode file.
std::string moduleAssembler(llvm::StringRef bitcode);

} // namespace culprit
#endif

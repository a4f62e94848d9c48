// The link record (docs/FORMATS.md): which command made this output, from which files.
//
// Building twice, or in another folder with -ffile-prefix-map, must give the same bytes. So the
// record holds no working folder, prefix maps are applied to whatever looks like a path, and the
// objects that clang makes and deletes within one call lose the random part of their names.
#ifndef CULPRIT_COMPILER_WRAPPER_LINK_RECORD_H
#define CULPRIT_COMPILER_WRAPPER_LINK_RECORD_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace culprit {

/// Pairs of -ffile-prefix-map=OLD=NEW, in the order of the command line.
using PrefixMaps = std::vector<std::pair<std::string, std::string>>;

PrefixMaps parsePrefixMaps(llvm::StringRef lines);

/// `path` with the last map that fits applied, as clang does it.
std::string mapPath(llvm::StringRef path, const PrefixMaps &maps);

/// `arg` with the maps applied wherever a path can begin: at its start, after an option's letter,
/// after `=`, `:` or `,`.
std::string mapArgument(llvm::StringRef arg, const PrefixMaps &maps);

/// `STEM.o` for clang's temporary object STEM-0123ab.o in `temporaryFolder`, else nothing.
std::optional<std::string> temporaryName(llvm::StringRef path, llvm::StringRef temporaryFolder);

struct LinkContext {
  std::string linker; ///< the real one
  PrefixMaps maps;
  std::string temporaryFolder; ///< where clang puts temporary objects
};

/// An object file that holds the record, or nothing if this command makes nothing that could carry
/// it. `args` is without program name. Reads the input files.
std::optional<std::string> linkRecordObject(const std::vector<std::string> &args,
                                            const LinkContext &context);

} // namespace culprit
#endif

// Reading a linker's command line: what is made, from which files.
//
// bfd, gold and lld take the same options for what matters here. A long option may have one dash or
// two, and its value may follow as a word of its own, which then is no input file: such options are
// listed. `-l` is resolved as the linkers do it: all -L folders apply to all libraries, and
// -Bstatic holds for what follows.
#ifndef CULPRIT_COMPILER_WRAPPER_LINK_LINE_H
#define CULPRIT_COMPILER_WRAPPER_LINK_LINE_H

#include <functional>
#include <string>
#include <vector>

namespace culprit {

struct LinkInput {
  size_t arg; ///< index of the argument that names it; of the `-l` if the name is a second word
  std::string path; ///< the file; empty if a library was not found
};

struct LinkLine {
  std::string output = "executable"; ///< or `shared`, `relocatable`
  std::string emulation;             ///< value of -m
  bool query = false;                ///< --version, --help: nothing is linked
  bool foreignFormat = false;        ///< the last input format is not ELF (-b binary)
  std::vector<LinkInput> inputs;     ///< in order
};

/// `args` is without program name and with response files expanded. `exists` tells whether a file
/// is there.
LinkLine parseLinkLine(const std::vector<std::string> &args,
                       const std::function<bool(const std::string &)> &exists);

/// `args` with `@file` replaced by the words in the file.
std::vector<std::string> expandResponseFiles(const std::vector<std::string> &args);

} // namespace culprit
#endif

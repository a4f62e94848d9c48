// Finds the foreign files of a link again, wherever the build folder is now.
#ifndef CULPRIT_COMPILER_TWIN_FIND_INPUT_H
#define CULPRIT_COMPILER_TWIN_FIND_INPUT_H

#include "compiler/loader/program.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// A link record holds relative paths and no working folder, so that builds reproduce. A relative
/// path is looked up below the image's folder and the folders above it, then below the current
/// folder and those above it, then where the recorded output name says that the link ran; a recorded
/// hash decides which file is meant.
class InputFinder {
public:
  InputFinder(const Program &program, const Image &image);

  /// The absolute path of `path` whose content has `hash` (hex; empty: any). A file that is there
  /// but has changed is taken with a warning. Throws Failure when there is none.
  std::filesystem::path find(const std::string &path, const std::string &hash) const;

private:
  std::filesystem::path image_;
  std::vector<std::filesystem::path> folders_;
};

} // namespace culprit
#endif

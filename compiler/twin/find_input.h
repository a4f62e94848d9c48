// Finds the foreign files of a link again, wherever the build folder is now.
#ifndef CULPRIT_COMPILER_TWIN_FIND_INPUT_H
#define CULPRIT_COMPILER_TWIN_FIND_INPUT_H

#include "compiler/loader/program.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// A link record holds relative paths and no working folder, so that builds reproduce. A relative
/// path is looked up in the folder that has most of the link's files, then in the image's folder
/// and the folders above it, then in the current folder and those above it, then where the recorded
/// output name says that the link ran; a recorded hash decides which file is meant.
class InputFinder {
public:
  explicit InputFinder(const Image &image);

  /// The absolute path of `path` whose content has `hash` (hex; empty: any). A file that is there
  /// but has changed is taken with a warning. Throws Failure when there is none.
  std::filesystem::path find(const std::string &path, const std::string &hash) const;

  /// Whether there is any file of that name.
  bool has(const std::string &path) const;

  /// Where the link ran, as far as its files tell: what scripts name is relative to it.
  const std::filesystem::path &workingFolder() const { return folders_.front(); }

private:
  std::filesystem::path image_;
  std::vector<std::filesystem::path> folders_; ///< in the order in which they are tried
};

} // namespace culprit
#endif

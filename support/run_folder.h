// A folder for the files of one run, in the system's folder for temporary files.
//
// It goes with the object. A run that is killed leaves its folder behind, unlocked; a later one of
// the same kind removes it.
#ifndef CULPRIT_SUPPORT_RUN_FOLDER_H
#define CULPRIT_SUPPORT_RUN_FOLDER_H

#include <filesystem>
#include <string>

namespace culprit {

class RunFolder {
public:
  /// `kind` is part of its name. Throws Failure with the system's reason.
  explicit RunFolder(const std::string &kind);
  ~RunFolder();
  RunFolder(const RunFolder &) = delete;
  RunFolder &operator=(const RunFolder &) = delete;

  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
  int lock_; ///< the folder itself, locked as long as the run goes on
};

} // namespace culprit
#endif

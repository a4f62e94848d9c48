// See run_folder.h.
#include "support/run_folder.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

/// One that is younger may not be locked yet.
constexpr std::chrono::minutes kLeastAge(1);

/// The folder, locked; -1: another has it locked, or it cannot be opened.
int lockFolder(const fs::path &folder) {
  int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
    return file;
  if (file >= 0)
    close(file);
  return -1;
}

void removeAbandoned(const fs::path &parent, const std::string &prefix) {
  std::error_code error;
  for (const auto &entry : fs::directory_iterator(parent, error)) {
    std::error_code gone;
    auto age = fs::file_time_type::clock::now() - entry.last_write_time(gone);
    if (gone || age < kLeastAge || !entry.path().filename().string().starts_with(prefix))
      continue;
    int lock = lockFolder(entry.path());
    if (lock < 0)
      continue;
    fs::remove_all(entry.path(), gone);
    close(lock);
  }
}

} // namespace

RunFolder::RunFolder(const std::string &kind) {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error)
    failUsage("there is no folder for temporary files: {}; set TMPDIR to a folder",
              error.message());
  std::string prefix = "culprit-" + kind + "-";
  removeAbandoned(parent, prefix);
  std::string path = (parent / (prefix + "XXXXXX")).string();
  if (!mkdtemp(path.data()))
    failUsage("cannot make a folder for files of the run in '{}': {}; make room there, or set "
              "TMPDIR to another folder",
              parent.string(), std::strerror(errno));
  path_ = path;
  lock_ = lockFolder(path_);
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0)
    close(lock_);
}

} // namespace culprit

// See kept_runs.h.
#include "cli/kept_runs.h"

#include "support/diagnostics.h"
#include "support/files.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace culprit {
namespace fs = std::filesystem;

KeptRun::KeptRun(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error)
    failUsage("cannot make the folder '{}': {}", folder_.string(), error.message());
  output_ = create("stdout");
  error_ = create("stderr");
}

void KeptRun::describe(std::string_view json) const {
  writeFileAtomically(folder_ / "run.json", json);
}

UniqueFd KeptRun::create(const char *name) const {
  fs::path path = folder_ / name;
  UniqueFd file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.isOpen())
    failUsage("cannot make '{}': {}", path.string(), std::strerror(errno));
  return file;
}

KeptRuns::KeptRuns(fs::path folder) : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error)
    failUsage("cannot make the folder '{}': {}", folder_.string(), error.message());
  if (!fs::is_empty(folder_, error) || error)
    failUsage("there is something in '{}' already; name a new folder for the runs, or an empty one",
              folder_.string());
}

} // namespace culprit

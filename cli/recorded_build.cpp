// See recorded_build.h.
#include "cli/recorded_build.h"

#include "support/diagnostics.h"

#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

namespace {

constexpr char kLibraryPath[] = "LD_LIBRARY_PATH";

void setLibraryPath(const std::optional<std::string> &value) {
  if (value)
    setenv(kLibraryPath, value->c_str(), 1);
  else
    unsetenv(kLibraryPath);
}

std::optional<std::string> libraryPathIn(const std::vector<std::string> &environment) {
  const std::string start = std::string(kLibraryPath) + "=";
  for (const std::string &entry : environment)
    if (entry.starts_with(start))
      return entry.substr(start.size());
  return {};
}

/// Where a recorded program looked for its libraries: in its folder, with its LD_LIBRARY_PATH.
class RecordedPlace {
public:
  explicit RecordedPlace(const RecordingMeta &meta) : folder_(fs::current_path(error_)) {
    if (const char *path = std::getenv(kLibraryPath))
      path_ = path;
    takeLibraryPath(meta);
    fs::current_path(meta.folder, error_); // it may be gone, and most programs do not need it
  }
  ~RecordedPlace() {
    setLibraryPath(path_);
    fs::current_path(folder_, error_);
  }
  RecordedPlace(const RecordedPlace &) = delete;
  RecordedPlace &operator=(const RecordedPlace &) = delete;

private:
  std::error_code error_;
  fs::path folder_;
  std::optional<std::string> path_;
};

Program loadAsRecorded(const RecordingMeta &meta) {
  RecordedPlace place(meta);
  return loadProgram(meta.program);
}

} // namespace

RecordedBuild::RecordedBuild(fs::path path, unsigned jobs)
    : RecordedBuild(path, loadProgram(path), jobs) {}

RecordedBuild::RecordedBuild(const RecordingMeta &meta, unsigned jobs)
    : RecordedBuild(meta.program, loadAsRecorded(meta), jobs) {}

RecordedBuild::RecordedBuild(fs::path path, Program program, unsigned jobs)
    : path_(std::move(path)), program_(std::move(program)), cache_(Cache::open()),
      build_(makeBuild(program_, {findMode("record"), jobs}, cache_)) {
  if (access(path_.c_str(), X_OK) != 0)
    failUsage("'{}' is not executable; make it so with 'chmod +x'", path_.string());
}

std::string RecordedBuild::identity() const {
  CacheKey key;
  for (const ImageBuild &image : build_.images)
    key.addFile(image.path);
  return key.hex();
}

void takeLibraryPath(const RecordingMeta &meta) {
  setLibraryPath(libraryPathIn(meta.environment));
}

void checkRecordedProgram(const RecordedBuild &build, const RecordingMeta &meta) {
  if (build.identity() != meta.build)
    failUsage("'{}' is not the program that was recorded: it was built anew since, or culprit was; "
              "record it again",
              meta.program);
}

} // namespace culprit

// See recorded_build.h.
#include "cli/recorded_build.h"

#include "support/diagnostics.h"

#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;

RecordedBuild::RecordedBuild(fs::path path, unsigned jobs)
    : path_(std::move(path)), program_(loadProgram(path_)), cache_(Cache::open()),
      build_(makeBuild(program_, {findMode("record"), jobs}, cache_)) {
  if (access(path_.c_str(), X_OK) != 0)
    failUsage("'{}' is not executable; make it so with 'chmod +x'", path_.string());
}

std::string RecordedBuild::identity() const {
  CacheKey key;
  for (const ImageBuild &image : build_.images)
    key.add(readFile(image.path));
  return key.hex();
}

void checkRecordedProgram(const RecordedBuild &build, const RecordingMeta &meta) {
  if (build.identity() != meta.build)
    failUsage("'{}' is not the program that was recorded: it was built anew since, or culprit was; "
              "record it again",
              meta.program);
}

} // namespace culprit

// The build of a program that records and replays.
#ifndef CULPRIT_CLI_RECORDED_BUILD_H
#define CULPRIT_CLI_RECORDED_BUILD_H

#include "compiler/twin/build.h"
#include "recording/meta.h"

namespace culprit {

class RecordedBuild {
public:
  /// Throws Failure as makeBuild does, and when the program cannot be executed.
  RecordedBuild(std::filesystem::path path, unsigned jobs);
  /// The same for a recorded program, whose libraries are where they were when it was recorded.
  RecordedBuild(const RecordingMeta &meta, unsigned jobs);

  const std::filesystem::path &path() const { return path_; }
  const Program &program() const { return program_; }
  const Build &build() const { return build_; }
  const Cache &cache() const { return cache_; }
  /// A hash of all of its images: what was recorded with one replays with the same only.
  std::string identity() const;

private:
  RecordedBuild(std::filesystem::path path, Program program, unsigned jobs);

  std::filesystem::path path_;
  Program program_;
  Cache cache_;
  Build build_;
};

/// Gives this process the LD_LIBRARY_PATH that the program was recorded with.
void takeLibraryPath(const RecordingMeta &meta);

/// Throws Failure unless the build is the one that was recorded.
void checkRecordedProgram(const RecordedBuild &build, const RecordingMeta &meta);

} // namespace culprit
#endif

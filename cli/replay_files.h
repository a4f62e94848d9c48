// What a replay reads: the events in memory, and the files that the program mapped, unpacked into a
// folder that goes when this does.
#ifndef CULPRIT_CLI_REPLAY_FILES_H
#define CULPRIT_CLI_REPLAY_FILES_H

#include "compiler/cache/cache.h"
#include "recording/log.h"
#include "support/run_folder.h"

#include <set>
#include <string>
#include <vector>

namespace culprit {

class ReplayFiles {
public:
  /// Throws Failure when a file is missing or damaged, or there is no room.
  ReplayFiles(const std::filesystem::path &recording, const RecordedLog &log);
  ~ReplayFiles();
  ReplayFiles(const ReplayFiles &) = delete;
  ReplayFiles &operator=(const ReplayFiles &) = delete;

  /// For the runtime: runtime/start.cpp.
  std::vector<std::string> words() const;
  /// Where the events are, paths and files: for a sandbox, which must be told of them.
  std::vector<std::pair<std::string, int>> events() const;

private:
  static std::string pathOf(int file);
  void layOutEvents(const RecordedLog &log);
  void layOutCheckpoint(const RecordedLog &log);
  void unpackFiles(const std::filesystem::path &recording, const std::set<int64_t> &files);

  int events_ = -1; ///< memory
  int log_ = -1;    ///< -1: no events are in the log
  uint64_t logSize_ = 0;
  uint64_t pieces_ = 0;
  int checkpoint_ = -1; ///< -1: the recording starts with the program
  uint64_t checkpointSize_ = 0;
  uint64_t size_ = 0;
  int64_t loader_; ///< among the files; -1: there is none
  RunFolder folder_;
};

} // namespace culprit
#endif

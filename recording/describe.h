// What a recording is of, how it ended and how much it holds.
#ifndef CULPRIT_RECORDING_DESCRIBE_H
#define CULPRIT_RECORDING_DESCRIBE_H

#include "recording/log.h"

#include <filesystem>
#include <optional>
#include <string>

namespace culprit {

struct RecordingInfo {
  std::filesystem::path folder;
  RecordingMeta meta;
  bool startsInMiddle = false; ///< what came before was dropped, to keep the size in its limit
  std::optional<RecordedEnd> end;
  std::string ending; ///< in words
  bool isReplayable = true;
  uint64_t events = 0, calls = 0, signals = 0;
  uint64_t clock = 0; ///< counted points
  uint64_t eventBytes = 0, diskBytes = 0;
};

/// Throws Failure when it is no recording, or damaged.
RecordingInfo describeRecording(const std::filesystem::path &folder);

/// For people.
std::string printRecordingInfo(const RecordingInfo &info);

} // namespace culprit
#endif

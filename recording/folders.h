// Where recordings are: $XDG_STATE_HOME/culprit/recordings, one folder each, unless the user has
// named another place.
#ifndef CULPRIT_RECORDING_FOLDERS_H
#define CULPRIT_RECORDING_FOLDERS_H

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

/// Throws Failure when neither XDG_STATE_HOME nor HOME is set.
std::filesystem::path recordingsFolder();

/// A new name there for a recording of `program`.
std::filesystem::path newRecordingFolder(const std::filesystem::path &program);

/// All of them, the latest first.
std::vector<std::filesystem::path> listRecordings();

/// The folder that the user means: a path, or a name in recordingsFolder(); empty: the latest.
/// Throws Failure when there is none.
std::filesystem::path findRecording(const std::string &name);

/// Removes a recording and nothing else. Throws Failure when it is none.
void removeRecording(const std::filesystem::path &folder);

/// Bytes on disk.
uint64_t sizeOfRecording(const std::filesystem::path &folder);

} // namespace culprit
#endif

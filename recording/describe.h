// A recording in words, for people.
#ifndef CULPRIT_RECORDING_DESCRIBE_H
#define CULPRIT_RECORDING_DESCRIBE_H

#include <filesystem>
#include <string>

namespace culprit {

/// The program, how it was started and how it ended, and what was kept. Throws Failure when it is
/// no recording, or damaged.
std::string describeRecording(const std::filesystem::path &folder);

} // namespace culprit
#endif

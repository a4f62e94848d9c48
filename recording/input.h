// What a recorded program read from its standard input, for runs that read it again.
#ifndef CULPRIT_RECORDING_INPUT_H
#define CULPRIT_RECORDING_INPUT_H

#include "recording/log.h"

#include <filesystem>
#include <string>

namespace culprit {

/// The bytes, at the places that they had if it was a file. What the program did not read is not
/// known; nor is what it got by ways that show no bytes (splice). `folder` is the recording's.
std::string inputOf(const RecordedLog &log, const std::filesystem::path &folder);

} // namespace culprit
#endif

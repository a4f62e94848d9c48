// The memory of a recorded program at a checkpoint; runtime/recorder/checkpoint.cpp makes the copy
// of the process that is read here, and takes the memory over in a replay.
#ifndef CULPRIT_RECORDING_CHECKPOINT_H
#define CULPRIT_RECORDING_CHECKPOINT_H

#include "abi/recording.h"

#include <optional>
#include <string>

namespace culprit {

/// Reads the copy's memory and ends the copy. Nothing: it cannot be read, or there is none, or more
/// than a chunk takes.
std::optional<std::string> takeCheckpoint(const abi::Checkpoint &checkpoint);

/// Whether these are bytes of takeCheckpoint().
bool isCheckpoint(std::string_view bytes);

} // namespace culprit
#endif

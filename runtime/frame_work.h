// Guard words and fill patterns, as a layout asks for them (abi/frame_work.h).
#ifndef CULPRIT_RUNTIME_FRAME_WORK_H
#define CULPRIT_RUNTIME_FRAME_WORK_H

#include "abi/failure.h"
#include "runtime/image_record.h"

namespace culprit {

/// Reads the host's file and switches the work on frames on. `file` may be null.
void startFrameWork(const char *file, int uninitialisedByte);

/// Writes the guard words behind an image's globals; they are checked at exit.
void placeGlobalGuards(const ImageRecord &image);

/// Whether guard words of a global, or of a frame of the calling thread, are there.
bool isGuardWord(uint64_t address);

/// The first guard word that is broken behind a local of one of these frames, or behind a global;
/// false if none is. For a program that has failed.
bool findBrokenGuard(const abi::FailureFrame *frames, uint64_t count, abi::FailureWord &word);

} // namespace culprit
#endif

// The calling thread's stack of frames.
#ifndef CULPRIT_RUNTIME_FRAMES_H
#define CULPRIT_RUNTIME_FRAMES_H

#include "abi/failure.h"

namespace culprit {

/// Where the thread's stack of frames starts, its highest address; 0 when it has none yet.
uint64_t firstFrame();

/// Whether an access to `where` shows that the calling thread's frames do not fit.
bool isBelowFrames(uint64_t where);

/// The frames from `top` upward, the innermost first. Returns how many.
uint32_t walkFrames(uint64_t top, abi::FailureFrame *frames, uint32_t most);

} // namespace culprit
#endif

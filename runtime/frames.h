// The calling thread's stack of frames.
#ifndef CULPRIT_RUNTIME_FRAMES_H
#define CULPRIT_RUNTIME_FRAMES_H

#include "abi/failure.h"
#include "abi/memory_map.h"

namespace culprit {

/// Whether it is an address of locals, of whatever thread.
inline bool isFrameAddress(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer) - abi::kThreadSlots <
         abi::kMostThreads * abi::kThreadSlotSize;
}

/// Makes room for the frames of a signal handler that has a stack of its own, when those of the
/// calling thread are exhausted.
void makeRoomForHandler();

/// Where they end; 0: the thread has none.
uint64_t lowestFrame();

/// Whether an access to `where` shows that the calling thread's frames do not fit.
bool isBelowFrames(uint64_t where);

/// All threads' frames that are in use, each thread's as one piece. Other threads must stand still.
void visitFrames(void (*visit)(void *begin, void *end));

/// The frames from `top` upward, the innermost first. Returns how many.
uint32_t walkFrames(uint64_t top, abi::FailureFrame *frames, uint32_t most);

} // namespace culprit
#endif

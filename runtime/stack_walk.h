// Call stacks by frame pointers: cheap, and safe where there are none.
//
// Twins keep frame pointers; foreign code may not, and then the chain ends or goes astray. So each
// link must lead upward and stay inside the machine stack.
#ifndef CULPRIT_RUNTIME_STACK_WALK_H
#define CULPRIT_RUNTIME_STACK_WALK_H

#include "runtime/stack_depot.h"

namespace culprit {

/// Where the main thread's machine stack ends; set at start. Until then there are no stacks.
extern uint64_t g_mainStackEnd;

/// How many callers are kept of an allocation: in optimised code, where most calls are inlined, few
/// say enough, and each takes time. At most abi::kMostBlockCallers.
extern uint32_t g_stackLevels; // NOLINT(bugprone-dynamic-static-initializers)

/// The end of the machine stack that holds `place`, or `place` itself when that is unknown. A
/// thread's control block lies at the end of its stack, except for the main thread.
inline uint64_t stackEndFor(uint64_t place) {
  constexpr uint64_t kMostStack = 1 << 30;
  uint64_t threadBlock;
  asm("movq %%fs:0, %0" : "=r"(threadBlock));
  if (g_mainStackEnd - place < kMostStack)
    return g_mainStackEnd;
  return threadBlock - place < kMostStack ? threadBlock : place;
}

/// The return addresses of the function that has its frame at `frame` and of its callers.
inline void walkStack(const void *frame, CallStack &stack) {
  constexpr uint64_t kMostCode = uint64_t{1} << 47;
  auto place = reinterpret_cast<uint64_t>(frame);
  uint64_t end = stackEndFor(place) - 2 * sizeof(uint64_t);
  uint64_t hash = 0;
  uint32_t count = 0;
  for (uint32_t most = g_stackLevels; count < most;) {
    const auto *link =
        reinterpret_cast<const uint64_t *>(place); // NOLINT(performance-no-int-to-ptr)
    uint64_t caller = link[1];
    if (caller - 1 >= kMostCode)
      break;
    stack.callers[count++] = caller;
    hash = CallStack::mix(hash, caller);
    uint64_t next = link[0];
    if (next <= place || next > end || next % 8 != 0)
      break;
    place = next;
  }
  stack.count = count;
  stack.hash = hash;
}

} // namespace culprit
#endif

// Call stacks by frame pointers: cheap, and safe where there are none.
//
// Twins keep frame pointers; foreign code may not, and then the chain ends or goes astray. So each
// link must lead upward and stay inside the machine stack.
//
// Most allocations come from places that have allocated before: for these the hash of the stack is
// enough, and `quickStackHash` finds it with few instructions, or leaves it to `walkStack`.
#ifndef CULPRIT_RUNTIME_STACK_WALK_H
#define CULPRIT_RUNTIME_STACK_WALK_H

#include "runtime/stack_depot.h"

namespace culprit {

/// Where the main thread's machine stack ends; set at start. Until then there are no stacks.
extern uint64_t g_mainStackEnd;

/// How many callers are kept of an allocation: in optimised code, where most calls are inlined, few
/// say enough, and each takes time. At most abi::kMostBlockCallers.
inline constexpr uint32_t kUsualLevels = 4;
extern uint32_t g_stackLevels; // NOLINT(bugprone-dynamic-static-initializers)

/// The same as g_mainStackEnd, but 0 as long as not the usual number of callers is kept.
extern uint64_t g_quickStackEnd; // NOLINT(bugprone-dynamic-static-initializers)

/// Before any constructor: where the main thread's stack ends, and how many callers are kept.
void startStackWalks(uint64_t stackEnd, uint32_t levels);

inline constexpr uint64_t kMostStack = 1 << 30;
inline constexpr unsigned kAddressBits = 47;

/// The end of the machine stack that holds `place`, or `place` itself when that is unknown. A
/// thread's control block lies at the end of its stack, except for the main thread.
inline uint64_t stackEndFor(uint64_t place) {
  uint64_t threadBlock;
  asm("movq %%fs:0, %0" : "=r"(threadBlock));
  if (g_mainStackEnd - place < kMostStack)
    return g_mainStackEnd;
  return threadBlock - place < kMostStack ? threadBlock : place;
}

inline constexpr uint64_t kLinkSize = 2 * sizeof(uint64_t);

/// The caller's frame and the return address, at `frame`.
inline const uint64_t *linkAt(uint64_t frame) {
  return reinterpret_cast<const uint64_t *>(frame); // NOLINT(performance-no-int-to-ptr)
}

/// Gives `take` the return addresses of the function that has its frame at `frame` and of its
/// callers, until it returns false.
template <typename Take> inline void eachCaller(const void *frame, Take take) {
  auto place = reinterpret_cast<uint64_t>(frame);
  uint64_t end = stackEndFor(place) - kLinkSize;
  while (true) {
    uint64_t caller = linkAt(place)[1];
    if (caller == 0 || caller >> kAddressBits != 0 || !take(caller))
      break;
    uint64_t next = linkAt(place)[0];
    if (next <= place || next > end || next % 8 != 0)
      break;
    place = next;
  }
}

/// As many of them as are kept.
inline void walkStack(const void *frame, CallStack &stack) {
  if (g_stackLevels > 0)
    eachCaller(frame, [&](uint64_t caller) {
      stack.add(caller);
      return stack.count < g_stackLevels;
    });
}

/// The hash that walkStack would come to. Words that cannot be addresses are not looked for: with
/// them the hash is that of no stack which is known.
inline uint64_t quickStackHash(const void *frame) {
  auto place = reinterpret_cast<uint64_t>(frame);
  uint64_t end = g_quickStackEnd - kLinkSize;
  StackHash hash;
  if (end - place >= kMostStack) [[unlikely]]
    return hash.value();
#pragma unroll
  for (uint32_t level = 1; level < kUsualLevels; ++level) {
    hash.add(linkAt(place)[1]);
    uint64_t next = linkAt(place)[0];
    if (next <= place) [[unlikely]]
      return hash.value();
    if (next > end) [[unlikely]]
      return hash.value();
    place = next;
  }
  hash.add(linkAt(place)[1]);
  return hash.value();
}

} // namespace culprit
#endif

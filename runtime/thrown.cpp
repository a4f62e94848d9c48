// See thrown.h. By frame pointers, which twins keep: a throw is not to take longer for this.
#include "runtime/thrown.h"

#include "runtime/hooks.h"
#include "runtime/stack_walk.h"

#include <string.h>

namespace culprit {
namespace {

/// An exception may be thrown and caught while another one is on its way.
constexpr uint32_t kMostThrows = 4;

struct Throw {
  const void *object;
  uint32_t callerCount;
  uint64_t callers[abi::kMostThrowCallers];
};

__thread Throw t_throws[kMostThrows];
__thread uint32_t t_throwCount;

} // namespace

void __culprit_throw(Ptr object) {
  Throw &last = t_throws[t_throwCount++ % kMostThrows];
  last.object = object;
  last.callerCount = 0;
  eachCaller(__builtin_frame_address(0), [&](uint64_t caller) {
    last.callers[last.callerCount++] = caller;
    return last.callerCount < abi::kMostThrowCallers;
  });
}

uint32_t callersOfThrow(const void *object, uint64_t (&callers)[abi::kMostThrowCallers]) {
  for (uint32_t i = 1; i <= kMostThrows && i <= t_throwCount; ++i) {
    const Throw &thrown = t_throws[(t_throwCount - i) % kMostThrows];
    if (thrown.object != object)
      continue;
    memcpy(callers, thrown.callers, sizeof callers);
    return thrown.callerCount;
  }
  return 0;
}

} // namespace culprit

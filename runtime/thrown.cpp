// See thrown.h. By frame pointers, which twins keep: a throw is not to take longer for this.
#include "runtime/thrown.h"

#include "runtime/hooks.h"
#include "runtime/stack_walk.h"

#include <string.h>

namespace culprit {
namespace {

/// By the object's address: each is at another one while it is thrown, caught or kept, and any
/// thread may throw it again (std::exception_ptr). What comes later to the same place wins.
constexpr uint64_t kPlaces = 512;

struct Throw {
  const void *object;
  uint32_t callerCount;
  uint64_t callers[abi::kMostThrowCallers];
};

Throw g_throws[kPlaces];

Throw &placeOf(const void *object) {
  constexpr uint64_t kAlignment = 16;
  return g_throws[reinterpret_cast<uint64_t>(object) / kAlignment % kPlaces];
}

} // namespace

void __culprit_throw(Ptr object) {
  Throw &place = placeOf(object);
  __atomic_store_n(&place.object, nullptr, __ATOMIC_RELEASE);
  uint32_t count = 0;
  eachCaller(__builtin_frame_address(0), [&](uint64_t caller) {
    place.callers[count++] = caller;
    return count < abi::kMostThrowCallers;
  });
  place.callerCount = count;
  __atomic_store_n(&place.object, object, __ATOMIC_RELEASE);
}

uint32_t callersOfThrow(const void *object, uint64_t (&callers)[abi::kMostThrowCallers]) {
  const Throw &place = placeOf(object);
  if (!object || __atomic_load_n(&place.object, __ATOMIC_ACQUIRE) != object)
    return 0;
  memcpy(callers, place.callers, sizeof callers);
  return place.callerCount;
}

void forgetThrow(const void *object) {
  Throw &place = placeOf(object);
  if (__atomic_load_n(&place.object, __ATOMIC_RELAXED) == object)
    __atomic_store_n(&place.object, nullptr, __ATOMIC_RELEASE);
}

} // namespace culprit

// See entry_fence.h.
#include "runtime/entry_fence.h"

#include "abi/memory_map.h"
#include "runtime/system.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;

uint64_t g_begin;
uint64_t g_end;

/// At `place`, or at the kernel's choice if that is 0. Returns 0 when there is no room.
uint64_t mapNothing(uint64_t place, uint64_t size) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (place != 0 ? MAP_FIXED_NOREPLACE : 0);
  long result = rawSyscall(SYS_mmap, static_cast<long>(place), static_cast<long>(size), PROT_NONE,
                           flags, -1, 0);
  return result < 0 ? 0 : static_cast<uint64_t>(result);
}

/// Below all that the kernel's choice can be, which depends on the limit on stacks; 0: unknown.
uint64_t fenceFor(uint64_t choice) {
  if (choice >= abi::kFence)
    return abi::kFence;
  constexpr uint64_t kSpread = uint64_t{2} << 40;
  return choice - abi::kFenceOfUnlimitedStack < kSpread ? abi::kFenceOfUnlimitedStack : 0;
}

bool isLimited() {
  struct rlimit limit = {};
  return rawSyscall(SYS_prlimit64, 0, RLIMIT_AS, 0, address(&limit)) != 0 ||
         limit.rlim_cur != RLIM_INFINITY;
}

} // namespace

/// The kernel's choice is its highest gap: when that is filled from the fence on, there is none
/// left above it.
void raiseFence() {
  uint64_t choice = isLimited() ? 0 : mapNothing(0, kPage);
  if (choice == 0)
    return;
  g_begin = choice;
  g_end = choice + kPage;
  uint64_t fence = fenceFor(choice);
  if (fence != 0 && mapNothing(fence, choice - fence) == fence)
    g_begin = fence;
}

bool isFenceUp() {
  return g_begin != g_end;
}

void takeFenceDown() {
  if (g_begin != g_end)
    rawSyscall(SYS_munmap, static_cast<long>(g_begin), static_cast<long>(g_end - g_begin));
  g_begin = g_end = 0;
}

} // namespace culprit

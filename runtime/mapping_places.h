// Where mappings lie that the program leaves to the kernel's choice, which differs in every run:
// one after the other in an area of their own, the first many with a space behind each; the system
// has a limit for stretches of memory that do not touch. A mapping that is gone leaves its place
// free; when the area is used up, the kernel chooses.
//
// Runs and recordings choose alike. All of it is inlined: the recorder is compiled for other
// registers than the runtime.
#ifndef CULPRIT_RUNTIME_MAPPING_PLACES_H
#define CULPRIT_RUNTIME_MAPPING_PLACES_H

#include "abi/memory_map.h"
#include "runtime/entry_fence.h"

#include <errno.h>
#include <sys/mman.h>

namespace culprit {

extern uint64_t g_nextMapping; ///< where the next one may begin
extern uint64_t g_mappingCount;

/// A place for `size` bytes; 0: the kernel's choice is as good.
inline uint64_t chooseMappingPlace(uint64_t size, uint64_t flags) {
  constexpr uint64_t kPage = 4096;
  constexpr uint64_t kHugePage = 2 << 20;
  constexpr uint64_t kSpace = 16 * kPage;
  constexpr uint64_t kMostSpaced = 1 << 14;
  constexpr uint64_t kPlaced = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT | MAP_HUGETLB;
  if (isFenceUp() || (flags & kPlaced) != 0 || size == 0)
    return 0;
  bool isSpaced = __atomic_fetch_add(&g_mappingCount, 1, __ATOMIC_RELAXED) < kMostSpaced;
  uint64_t alignment = size < kHugePage ? kPage : kHugePage;
  uint64_t next = __atomic_load_n(&g_nextMapping, __ATOMIC_RELAXED);
  uint64_t place = 0;
  uint64_t end = 0;
  do {
    place = (next + alignment - 1) & ~(alignment - 1);
    if (size > abi::kMappingsLimit - kSpace - place)
      return 0;
    end = ((place + size + kPage - 1) & ~(kPage - 1)) + (isSpaced ? kSpace : 0);
  } while (!__atomic_compare_exchange_n(&g_nextMapping, &next, end, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return place;
}

/// `make` carries out a call of mmap, with its `arguments`, and returns what the kernel says.
template <typename Call, typename Make> long makeMapping(const Call &given, const Make &make) {
  uint64_t place =
      given.arguments[0] == 0 ? chooseMappingPlace(given.arguments[1], given.arguments[3]) : 0;
  if (place == 0)
    return make(given);
  Call placed = given;
  placed.arguments[0] = place;
  placed.arguments[3] |= MAP_FIXED_NOREPLACE;
  long result = make(placed);
  return result == -EEXIST ? make(given) : result;
}

/// The same of mremap. In place if that is possible, else to a place as for mmap.
template <typename Call, typename Make> long moveMapping(const Call &given, const Make &make) {
  if (given.arguments[3] != MREMAP_MAYMOVE)
    return make(given);
  Call placed = given;
  placed.arguments[3] = 0;
  long result = make(placed);
  if (result != -ENOMEM)
    return result;
  placed = given;
  if (uint64_t place = chooseMappingPlace(given.arguments[2], 0)) {
    placed.arguments[3] |= MREMAP_FIXED;
    placed.arguments[4] = place;
  }
  return make(placed);
}

} // namespace culprit
#endif

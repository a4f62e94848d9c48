// See blocks.h.
#include "runtime/suppress/blocks.h"

#include "abi/origins.h"
#include "runtime/suppress/free_log.h"
#include "runtime/suppress/traces.h"
#include "runtime/suppress/word_map.h"

namespace culprit {
namespace {

WordMap g_allocations; ///< by block; 0: freed
/// Of blocks that realloc has made larger or smaller where they are: the allocations that pointers
/// from before then have as their origin, the first one and the last.
WordMap g_first, g_former;
FreeLog g_frees;

} // namespace

void noteAllocation(uint64_t block, uint64_t origin) {
  uint64_t &allocation = g_allocations.at(block);
  if (allocation != 0) {
    uint64_t &first = g_first.at(block);
    first = first == 0 ? allocation : first;
    g_former.at(block) = allocation;
  }
  allocation = origin & ~abi::kOriginFlags;
}

void noteFree(uint64_t block, uint64_t size, uint64_t origin, bool isOnly) {
  uint64_t *allocation = g_allocations.lookUp(block);
  if (!allocation || *allocation == 0)
    return;
  uint64_t freed = origin & ~abi::kOriginFlags;
  WordMap *maps[] = {&g_first, &g_former};
  for (WordMap *map : maps)
    if (uint64_t *before = map->lookUp(block); before && *before != 0) {
      g_frees.add({0, block, size, *before, freed, isOnly});
      *before = 0;
    }
  traceFree(*allocation);
  g_frees.add({0, block, size, *allocation, freed, isOnly});
  *allocation = 0;
}

bool isLiveBlock(uint64_t block) {
  return g_allocations.find(block) != 0;
}

uint64_t allocationOf(uint64_t block) {
  return block == 0 ? 0 : g_allocations.find(block);
}

uint64_t countFrees() {
  return g_frees.count();
}

FreedBlock freedTarget(uint64_t origin, uint64_t value, const HeapMoment &moment) {
  origin &= ~abi::kOriginFlags;
  FreedBlock found = {};
  if (origin == 0)
    return found;
  g_frees.visit([&](const Free &one) {
    if (one.number >= moment.frees)
      return false;
    if (one.isOnly && one.origin == origin)
      found = {origin, 0};
    else if (one.allocation == origin && value - one.block <= one.size)
      found = {one.origin, origin};
    return found.freed != 0;
  });
  return found;
}

FreedBlock freedBlockAt(uint64_t block, const HeapMoment &moment) {
  auto wasThere = [&](uint64_t allocation) {
    return allocation != 0 && abi::timeOfOrigin(allocation) <= moment.time;
  };
  FreedBlock found = {};
  if (wasThere(g_allocations.find(block)))
    return found;
  g_frees.visit([&](const Free &one) {
    if (one.block != block)
      return false;
    if (one.number < moment.frees)
      found = {one.origin, one.allocation};
    return one.number < moment.frees || wasThere(one.allocation);
  });
  return found;
}

} // namespace culprit

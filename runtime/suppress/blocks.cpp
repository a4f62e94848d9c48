// See blocks.h.
#include "runtime/suppress/blocks.h"

#include "abi/origins.h"
#include "runtime/suppress/free_log.h"
#include "runtime/suppress/traces.h"
#include "runtime/suppress/word_map.h"

namespace culprit {
namespace {

WordMap g_allocations; ///< by block; 0: freed
FreeLog g_frees;

} // namespace

void noteAllocation(uint64_t block, uint64_t origin) {
  g_allocations.at(block) = origin & ~abi::kOriginFlags;
}

void noteFree(uint64_t block, uint64_t size, uint64_t origin, bool isOnly) {
  uint64_t *allocation = g_allocations.lookUp(block);
  if (!allocation || *allocation == 0)
    return;
  traceFree(*allocation);
  g_frees.add({0, block, size, *allocation, origin & ~abi::kOriginFlags, isOnly});
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

// See blocks.h.
#include "runtime/suppress/blocks.h"

#include "abi/origins.h"
#include "runtime/suppress/word_map.h"

namespace culprit {
namespace {

WordMap g_allocations; ///< by block
WordMap g_frees;       ///< by allocation; of an execution that freed something, itself
WordMap g_freedBlocks; ///< by block
WordMap g_freed;       ///< allocations, by block
WordMap g_places;      ///< of freed blocks, by allocation
WordMap g_sizes;       ///< and how large they were
uint64_t g_freeCount;

} // namespace

void noteAllocation(uint64_t block, uint64_t origin) {
  g_allocations.at(block) = origin & ~abi::kOriginFlags;
  g_freedBlocks.at(block) = 0;
}

void noteFree(uint64_t block, uint64_t size, uint64_t origin, bool isOnly) {
  uint64_t allocation = g_allocations.find(block);
  if (allocation == 0)
    return;
  origin &= ~abi::kOriginFlags;
  g_frees.at(allocation) = origin;
  if (isOnly)
    g_frees.at(origin) = origin;
  g_freedBlocks.at(block) = origin;
  g_freed.at(block) = allocation;
  g_places.at(allocation) = block;
  g_sizes.at(allocation) = size;
  ++g_freeCount;
  g_allocations.at(block) = 0;
}

bool isLiveBlock(uint64_t block) {
  return g_allocations.find(block) != 0;
}

uint64_t freeOf(uint64_t origin, uint64_t value) {
  origin &= ~abi::kOriginFlags;
  uint64_t freed = origin == 0 ? 0 : g_frees.find(origin);
  bool isPointer = freed == origin || value - g_places.find(origin) <= g_sizes.find(origin);
  return isPointer ? freed : 0;
}

uint64_t countFrees() {
  return g_freeCount;
}

uint64_t allocationOfFreed(uint64_t block) {
  return g_freed.find(block);
}

uint64_t freeOfBlock(uint64_t block) {
  return g_freedBlocks.find(block);
}

} // namespace culprit

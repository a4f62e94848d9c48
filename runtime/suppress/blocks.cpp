// See blocks.h.
#include "runtime/suppress/blocks.h"

#include "abi/origins.h"
#include "runtime/suppress/word_map.h"

namespace culprit {
namespace {

WordMap g_allocations; ///< by block
WordMap g_frees;       ///< by allocation

} // namespace

void noteAllocation(uint64_t block, uint64_t origin) {
  g_allocations.at(block) = origin & ~abi::kOriginFlags;
}

void noteFree(uint64_t block, uint64_t origin) {
  uint64_t allocation = g_allocations.find(block);
  if (allocation == 0)
    return;
  g_frees.at(allocation) = origin & ~abi::kOriginFlags;
  g_allocations.at(block) = 0;
}

bool isLiveBlock(uint64_t block) {
  return g_allocations.find(block) != 0;
}

uint64_t freeOf(uint64_t allocation) {
  allocation &= ~abi::kOriginFlags;
  return allocation == 0 ? 0 : g_frees.find(allocation);
}

} // namespace culprit

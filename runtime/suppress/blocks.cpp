// See blocks.h.
#include "runtime/suppress/blocks.h"

#include "abi/origins.h"
#include "runtime/suppress/word_map.h"

namespace culprit {
namespace {

struct Free {
  uint64_t block;
  uint64_t size;
  uint64_t allocation;
  uint64_t origin;
  bool isOnly;
};
constexpr uint64_t kMostFrees = 4 << 20;

WordMap g_allocations; ///< by block; 0: freed
Free *g_frees;         ///< each at its number modulo kMostFrees
uint64_t g_freeCount;

/// Calls `visit` with the number and the free, the last one first, until it returns true.
template <typename Visit> void visitFrees(Visit visit) {
  uint64_t first = g_freeCount > kMostFrees ? g_freeCount - kMostFrees : 0;
  for (uint64_t i = g_freeCount; i > first; --i)
    if (visit(i - 1, g_frees[(i - 1) % kMostFrees]))
      return;
}

} // namespace

void noteAllocation(uint64_t block, uint64_t origin) {
  g_allocations.at(block) = origin & ~abi::kOriginFlags;
}

void noteFree(uint64_t block, uint64_t size, uint64_t origin, bool isOnly) {
  if (!isLiveBlock(block))
    return;
  uint64_t &allocation = g_allocations.at(block);
  if (!g_frees)
    g_frees = static_cast<Free *>(memoryForTables(kMostFrees * sizeof(Free)));
  g_frees[g_freeCount++ % kMostFrees] = {block, size, allocation, origin & ~abi::kOriginFlags,
                                         isOnly};
  allocation = 0;
}

bool isLiveBlock(uint64_t block) {
  return g_allocations.find(block) != 0;
}

uint64_t allocationOf(uint64_t block) {
  return block == 0 ? 0 : g_allocations.find(block);
}

uint64_t countFrees() {
  return g_freeCount;
}

FreedBlock freedTarget(uint64_t origin, uint64_t value, const HeapMoment &moment) {
  origin &= ~abi::kOriginFlags;
  FreedBlock found = {};
  if (origin == 0)
    return found;
  visitFrees([&](uint64_t number, const Free &one) {
    if (number >= moment.frees)
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
  visitFrees([&](uint64_t number, const Free &one) {
    if (one.block != block)
      return false;
    if (number < moment.frees)
      found = {one.origin, one.allocation};
    return number < moment.frees || wasThere(one.allocation);
  });
  return found;
}

} // namespace culprit

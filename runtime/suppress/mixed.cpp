// See mixed.h.
#include "runtime/suppress/mixed.h"

#include "abi/origins.h"
#include "runtime/suppress/stretches.h"
#include "runtime/suppress/word_map.h"

#include <string.h>

namespace culprit {
namespace {

struct Cell {
  uint64_t words[abi::kGranule];
};

/// Cells that were made together. Each time there are a quarter of what was there before.
struct Pool {
  Cell *cells;
  uint64_t count;
  uint8_t *isUsed; ///< by index: the shadow led there when that was last looked at
};
constexpr uint64_t kFirstCells = 1 << 13;
constexpr unsigned kMostPools = 64;
constexpr uint64_t kShare = 4;
/// Looking for free cells costs time with the shadow's size; so does having few of them. Bytes of
/// shadow for which there must be a cell before any are looked for.
constexpr uint64_t kShadowPerCell = 256;

Pool g_pools[kMostPools];
unsigned g_poolCount;
uint64_t g_cellCount;
/// The next cell that may be free: those in front of it were handed out since free ones were last
/// looked for.
unsigned g_pool;
uint64_t g_cell;
/// Cells that were given back since: they are in the processor's caches.
constexpr unsigned kMostReleased = 64;
uint64_t *g_released[kMostReleased];
unsigned g_releasedCount;

void addPool() {
  Pool &pool = g_pools[g_poolCount++];
  pool.count = g_cellCount < kFirstCells * kShare ? kFirstCells : g_cellCount / kShare;
  pool.cells = static_cast<Cell *>(memoryForTables(pool.count * sizeof(Cell)));
  pool.isUsed = static_cast<uint8_t *>(memoryForTables(pool.count));
  g_cellCount += pool.count;
}

void markUsed(const Cell *cell) {
  for (unsigned i = g_poolCount; i-- > 0;)
    if (cell >= g_pools[i].cells && cell < g_pools[i].cells + g_pools[i].count) {
      g_pools[i].isUsed[cell - g_pools[i].cells] = 1;
      return;
    }
}

uint64_t countFree() {
  uint64_t count = 0;
  for (unsigned i = 0; i < g_poolCount; ++i)
    for (uint64_t at = 0; at < g_pools[i].count; ++at)
      count += g_pools[i].isUsed[at] == 0;
  return count;
}

/// Returns how many are free now. All cells have been handed out.
uint64_t findFree() {
  for (unsigned i = 0; i < g_poolCount; ++i)
    memset(g_pools[i].isUsed, 0, g_pools[i].count);
  bool areAllKnown = visitShadow([](uint64_t word) {
    if ((word & abi::kOriginMixed) != 0)
      markUsed(reinterpret_cast<const Cell *>(word & abi::kMixedWordsMask));
  });
  if (!areAllKnown)
    return 0;
  g_pool = 0;
  g_cell = 0;
  g_releasedCount = 0; // they are among the free ones
  return countFree();
}

/// Null when all have been handed out.
uint64_t *nextFree() {
  for (; g_pool < g_poolCount; ++g_pool, g_cell = 0)
    while (g_cell < g_pools[g_pool].count)
      if (uint64_t at = g_cell++; g_pools[g_pool].isUsed[at] == 0)
        return g_pools[g_pool].cells[at].words;
  return nullptr;
}

} // namespace

void releaseMixedOrigins(uint64_t *words) {
  if (g_releasedCount < kMostReleased)
    g_released[g_releasedCount++] = words;
}

uint64_t *newMixedOrigins() {
  if (g_releasedCount > 0)
    return g_released[--g_releasedCount];
  if (uint64_t *words = nextFree())
    return words;
  bool isWorthIt = g_cellCount >= kFirstCells && g_cellCount >= sizeOfShadow() / kShadowPerCell;
  if (!isWorthIt || findFree() < g_cellCount / kShare)
    addPool();
  return nextFree();
}

} // namespace culprit

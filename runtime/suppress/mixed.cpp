// See mixed.h.
#include "runtime/suppress/mixed.h"

#include "runtime/heap_memory.h"
#include "runtime/suppress/word_map.h"
#include "runtime/system.h"

namespace culprit {
namespace {

constexpr uint64_t kWords = kPage; ///< one per byte of a page of the program's

WordMap g_pages;
uint64_t g_lastPage;
uint64_t *g_lastWords;

} // namespace

uint64_t *mixedOrigins(uint64_t granule) {
  uint64_t page = granule & ~(kPage - 1);
  if (page != g_lastPage || !g_lastWords) {
    uint64_t &words = g_pages.at(page | 1);
    if (words == 0)
      words = reinterpret_cast<uint64_t>(memoryForTables(kWords * sizeof(uint64_t)));
    g_lastPage = page;
    g_lastWords = pointerTo<uint64_t>(words);
  }
  return g_lastWords + (granule - page);
}

} // namespace culprit

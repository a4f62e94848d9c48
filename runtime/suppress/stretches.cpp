// See stretches.h.
#include "runtime/suppress/stretches.h"

#include "runtime/suppress/word_map.h"

namespace culprit {
namespace {

constexpr uint64_t kMostStretches = 1 << 16;

ShadowStretch *g_stretches;
uint64_t g_count;
uint64_t g_size;

} // namespace

void noteStretch(uint64_t begin, uint64_t size) {
  if (!g_stretches)
    g_stretches =
        static_cast<ShadowStretch *>(memoryForTables(kMostStretches * sizeof(ShadowStretch)));
  if (g_count < kMostStretches)
    g_stretches[g_count] = {begin, size};
  ++g_count;
  g_size += size;
}

const ShadowStretch *madeStretches(uint64_t &count) {
  count = g_count;
  return g_count <= kMostStretches ? g_stretches : nullptr;
}

uint64_t sizeOfShadow() {
  return g_size;
}

} // namespace culprit

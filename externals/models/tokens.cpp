// See tokens.h. The table grows by chunks that never move, each twice as large as all before it, so
// that reading needs no lock.
#include "externals/models/tokens.h"

#include "externals/models/lock.h"
#include "externals/outside.h"

#include <string.h>

namespace culprit {
namespace {

constexpr uint32_t kFirstChunk = 64;
constexpr uint32_t kChunks = 20;

CULPRIT_OUTSIDE TokenEntry g_first[kFirstChunk];
CULPRIT_OUTSIDE TokenEntry *g_chunks[kChunks];
CULPRIT_OUTSIDE uint32_t g_count;
CULPRIT_OUTSIDE uint32_t g_free; ///< index + 1 of the first that was dropped

/// Chunk 0 has the first kFirstChunk entries, chunk k those from kFirstChunk << (k - 1).
uint32_t chunkOf(uint32_t index) {
  uint32_t chunk = 0;
  for (uint32_t rest = index / kFirstChunk; rest != 0; rest /= 2)
    ++chunk;
  return chunk;
}

uint32_t chunkStart(uint32_t chunk) {
  return chunk == 0 ? 0 : kFirstChunk << (chunk - 1);
}

TokenEntry *entryAt(uint32_t index) {
  uint32_t chunk = chunkOf(index);
  return g_chunks[chunk] + (index - chunkStart(chunk));
}

bool makeChunk(uint32_t chunk) {
  if (chunk >= kChunks)
    return false;
  if (g_chunks[chunk])
    return true;
  size_t size = (chunk == 0 ? kFirstChunk : chunkStart(chunk)) * sizeof(TokenEntry);
  void *memory = chunk == 0 ? g_first : __libc_malloc(size);
  if (!memory)
    return false;
  memset(memory, 0, size);
  g_chunks[chunk] = static_cast<TokenEntry *>(memory);
  return true;
}

void *tokenAt(uint32_t index) {
  return reinterpret_cast<void *>( // NOLINT(performance-no-int-to-ptr)
      abi::kTokenBase + index * abi::kTokenDistance);
}

/// The caller holds the lock.
void *make(TokenKind kind, void *theirs, void *ours) {
  uint32_t index = g_free != 0 ? g_free - 1 : g_count;
  if (!makeChunk(chunkOf(index)))
    return nullptr;
  TokenEntry *entry = entryAt(index);
  if (g_free != 0)
    g_free = entry->nextFree;
  else
    __atomic_store_n(&g_count, index + 1, __ATOMIC_RELEASE);
  *entry = {kind, 0, theirs, ours};
  return tokenAt(index);
}

} // namespace

void *makeToken(TokenKind kind, void *theirs, void *ours) {
  ModelsGuard guard;
  return make(kind, theirs, ours);
}

void *tokenFor(TokenKind kind, void *theirs) {
  ModelsGuard guard;
  for (uint32_t i = 0; i < g_count; ++i)
    if (TokenEntry *entry = entryAt(i); entry->kind == kind && entry->theirs == theirs)
      return tokenAt(i);
  return make(kind, theirs, nullptr);
}

TokenEntry *entryOf(TokenKind kind, const void *token) {
  uint64_t distance = reinterpret_cast<uint64_t>(token) - abi::kTokenBase;
  if (distance % abi::kTokenDistance != 0 ||
      distance / abi::kTokenDistance >= __atomic_load_n(&g_count, __ATOMIC_ACQUIRE))
    return nullptr;
  TokenEntry *entry = entryAt(static_cast<uint32_t>(distance / abi::kTokenDistance));
  return entry->kind == kind ? entry : nullptr;
}

void dropToken(const void *token) {
  uint64_t distance = reinterpret_cast<uint64_t>(token) - abi::kTokenBase;
  auto index = static_cast<uint32_t>(distance / abi::kTokenDistance);
  ModelsGuard guard;
  *entryAt(index) = {TokenKind::None, g_free, nullptr, nullptr};
  g_free = index + 1;
}

} // namespace culprit

// See kept_text.h.
#include "externals/models/kept_text.h"

#include "externals/models/lock.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

namespace culprit {
namespace {

struct Kept {
  Kept *next;
  uint64_t hash;
  size_t size; ///< of the text with what ends it
  char text[];
};

constexpr size_t kBuckets = 256;
Kept *g_buckets[kBuckets];

/// Most programs need few texts: those are in this variable, others in heap blocks.
constexpr size_t kPoolSize = 16384;
alignas(8) char g_pool[kPoolSize];
size_t g_poolUsed;

uint64_t hashOf(const char *text, size_t size) {
  uint64_t hash = 0xcbf2'9ce4'8422'2325;
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<unsigned char>(text[i])) * 0x100'0000'01b3;
  return hash;
}

Kept *makeRoom(size_t size) {
  size = (size + 7) & ~size_t{7};
  if (size > kPoolSize - g_poolUsed)
    return static_cast<Kept *>(malloc(size));
  char *room = g_pool + g_poolUsed;
  g_poolUsed += size;
  return reinterpret_cast<Kept *>(room);
}

char *keptBytes(const char *foreign, size_t size) {
  uint64_t hash = hashOf(foreign, size);
  ModelsGuard guard;
  Kept *&bucket = g_buckets[hash % kBuckets];
  for (Kept *kept = bucket; kept; kept = kept->next)
    if (kept->hash == hash && kept->size == size && memcmp(kept->text, foreign, size) == 0)
      return kept->text;
  Kept *made = makeRoom(sizeof(Kept) + size);
  if (!made)
    return nullptr;
  made->next = bucket;
  made->hash = hash;
  made->size = size;
  memcpy(made->text, foreign, size);
  bucket = made;
  return made->text;
}

} // namespace

char *keptText(const char *foreign) {
  return foreign ? keptBytes(foreign, strlen(foreign) + 1) : nullptr;
}

char *keptWideText(const char *foreign) {
  if (!foreign)
    return nullptr;
  const auto *letters = reinterpret_cast<const wchar_t *>(foreign);
  return keptBytes(foreign, (wcslen(letters) + 1) * sizeof *letters);
}

char *copyInto(char *slot, size_t size, const char *foreign) {
  if (!foreign)
    return nullptr;
  size_t length = strnlen(foreign, size - 1);
  memcpy(slot, foreign, length);
  slot[length] = 0;
  return slot;
}

} // namespace culprit

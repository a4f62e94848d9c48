// hsearch and its kin: hash tables of a fixed size, in a heap block of the program's. As many
// entries as the next prime number fit in, as with glibc.
#include "externals/external.h"

#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/// The headers declare it only.
struct _ENTRY {
  unsigned hash; ///< 0: free
  ENTRY entry;
};

namespace culprit {
namespace {

hsearch_data g_table;

bool isPrime(unsigned number) {
  for (unsigned divisor = 3; divisor <= number / divisor; divisor += 2)
    if (number % divisor == 0)
      return false;
  return true;
}

unsigned hashOf(const char *key) {
  auto length = static_cast<unsigned>(strlen(key));
  unsigned hash = length;
  for (unsigned i = length; i-- > 0;)
    hash = (hash << 4) + static_cast<unsigned>(key[i]);
  return hash == 0 ? 1 : hash;
}

/// The entry with the key, or the free one where it would be; one that is neither if all are taken.
_ENTRY *placeOf(const char *key, unsigned hash, const hsearch_data *table) {
  auto isHere = [&](unsigned index) {
    return table->table[index].hash == hash && strcmp(key, table->table[index].entry.key) == 0;
  };
  unsigned index = hash % table->size + 1;
  if (table->table[index].hash == 0 || isHere(index))
    return &table->table[index];
  unsigned step = 1 + hash % (table->size - 2);
  unsigned first = index;
  do {
    index = index <= step ? table->size + index - step : index - step;
    if (index == first || isHere(index))
      break;
  } while (table->table[index].hash != 0);
  return &table->table[index];
}

int fail(int error) {
  errno = error;
  return 0;
}

int create(size_t count, hsearch_data *table) {
  if (!table)
    return fail(EINVAL);
  if (table->table)
    return 0;
  if (count >= SIZE_MAX / sizeof(_ENTRY))
    return fail(ENOMEM);
  if (count < 3)
    count = 3;
  for (count |= 1;; count += 2) {
    if (UINT_MAX - 2 < count)
      return fail(ENOMEM);
    if (isPrime(static_cast<unsigned>(count)))
      break;
  }
  table->size = static_cast<unsigned>(count);
  table->filled = 0;
  table->table = static_cast<_ENTRY *>(calloc(count + 1, sizeof(_ENTRY)));
  return table->table ? 1 : 0;
}

void destroy(hsearch_data *table) {
  if (!table) {
    errno = EINVAL;
    return;
  }
  free(table->table);
  table->table = nullptr;
}

int search(ENTRY item, ACTION action, ENTRY **result, hsearch_data *table) {
  unsigned hash = hashOf(item.key);
  _ENTRY *place = placeOf(item.key, hash, table);
  if (place->hash == hash && strcmp(item.key, place->entry.key) == 0) {
    *result = &place->entry;
    return 1;
  }
  *result = nullptr;
  if (action != ENTER)
    return fail(ESRCH);
  if (table->filled == table->size)
    return fail(ENOMEM);
  place->hash = hash;
  place->entry = item;
  ++table->filled;
  *result = &place->entry;
  return 1;
}

} // namespace

CULPRIT_EXTERNAL int hcreate_r(size_t count, hsearch_data *table) {
  return CULPRIT_CALLED_BY_PROGRAM ? create(count, table) : CULPRIT_NEXT(hcreate_r)(count, table);
}

CULPRIT_EXTERNAL void hdestroy_r(hsearch_data *table) {
  CULPRIT_CALLED_BY_PROGRAM ? destroy(table) : CULPRIT_NEXT(hdestroy_r)(table);
}

CULPRIT_EXTERNAL int hsearch_r(ENTRY item, ACTION action, ENTRY **result, hsearch_data *table) {
  return CULPRIT_CALLED_BY_PROGRAM ? search(item, action, result, table)
                                   : CULPRIT_NEXT(hsearch_r)(item, action, result, table);
}

// There is one table without a name in the process, which foreign code shares.

CULPRIT_EXTERNAL int hcreate(size_t count) {
  return create(count, &g_table);
}

CULPRIT_EXTERNAL void hdestroy() {
  destroy(&g_table);
}

CULPRIT_EXTERNAL ENTRY *hsearch(ENTRY item, ACTION action) {
  ENTRY *result;
  search(item, action, &result, &g_table);
  return result;
}

} // namespace culprit

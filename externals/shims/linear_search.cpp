// lfind and lsearch over arrays, insque and remque over lists.
#include "externals/external.h"

#include <search.h>
#include <string.h>

namespace culprit {

using Compare = int (*)(const void *, const void *);

CULPRIT_EXTERNAL void *lfind(const void *key, const void *base, size_t *count, size_t size,
                             Compare compare) {
  const char *element = static_cast<const char *>(base);
  for (size_t i = 0; i < *count; ++i, element += size)
    if (compare(key, element) == 0)
      return const_cast<char *>(element);
  return nullptr;
}

CULPRIT_EXTERNAL void *lsearch(const void *key, void *base, size_t *count, size_t size,
                               Compare compare) {
  char *element = static_cast<char *>(base);
  for (size_t i = 0; i < *count; ++i, element += size)
    if (compare(key, element) == 0)
      return element;
  memcpy(element, key, size);
  ++*count;
  return element;
}

namespace {

/// What a list's elements start with.
struct Element {
  Element *next;
  Element *previous;
};

} // namespace

CULPRIT_EXTERNAL void insque(void *added, void *behind) {
  auto *element = static_cast<Element *>(added);
  auto *previous = static_cast<Element *>(behind);
  *element = {previous ? previous->next : nullptr, previous};
  if (!previous)
    return;
  if (previous->next)
    previous->next->previous = element;
  previous->next = element;
}

CULPRIT_EXTERNAL void remque(void *removed) {
  auto *element = static_cast<Element *>(removed);
  if (element->next)
    element->next->previous = element->previous;
  if (element->previous)
    element->previous->next = element->next;
}

} // namespace culprit

// Search in arrays and chains that the caller keeps: bsearch, lfind, lsearch, insque, remque.
#include "externals/shims/instrumented/bytes.h"
#include "externals/shims/instrumented/instrumented.h"

namespace culprit {
namespace {

using Compare = int (*)(const void *, const void *);

const void *findSame(const void *key, const void *array, size_t count, size_t size,
                     Compare compare) {
  const Byte *element = bytesOf(array);
  for (size_t i = 0; i < count; ++i, element += size)
    if (compare(key, element) == 0)
      return element;
  return nullptr;
}

/// How elements of insque's chains begin.
struct Link {
  Link *next;
  Link *previous;
};

} // namespace

CULPRIT_INSTRUMENTED void *bsearch(const void *key, const void *array, size_t count, size_t size,
                                   Compare compare) {
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const Byte *element = bytesOf(array) + middle * size;
    int order = compare(key, element);
    if (order == 0)
      return const_cast<Byte *>(element);
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return nullptr;
}

CULPRIT_INSTRUMENTED void *lfind(const void *key, const void *array, size_t *count, size_t size,
                                 Compare compare) {
  return const_cast<void *>(findSame(key, array, *count, size, compare));
}

CULPRIT_INSTRUMENTED void *lsearch(const void *key, void *array, size_t *count, size_t size,
                                   Compare compare) {
  if (const void *found = findSame(key, array, *count, size, compare))
    return const_cast<void *>(found);
  Byte *added = bytesOf(array) + *count * size;
  copy(added, bytesOf(key), size);
  ++*count;
  return added;
}

CULPRIT_INSTRUMENTED void insque(void *element, void *previous) {
  auto *link = static_cast<Link *>(element);
  auto *before = static_cast<Link *>(previous);
  if (!before) {
    link->next = nullptr;
    link->previous = nullptr;
    return;
  }
  Link *next = before->next;
  before->next = link;
  if (next)
    next->previous = link;
  link->next = next;
  link->previous = before;
}

CULPRIT_INSTRUMENTED void remque(void *element) {
  Link *next = static_cast<Link *>(element)->next;
  Link *previous = static_cast<Link *>(element)->previous;
  if (next)
    next->previous = previous;
  if (previous)
    previous->next = next;
}

} // namespace culprit

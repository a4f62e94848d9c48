// qsort: glibc's merge sort.
//
// The order in which elements are compared is part of what a program with a wrong comparison shows,
// and so is the block that large arrays are merged through. Elements of more than 32 bytes are
// sorted by pointers to them and moved once, at the end.
#include "externals/external.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr size_t kOnStack = 1024;          ///< less than that is merged on the stack
constexpr size_t kDirect = 32;             ///< bytes of an element
constexpr size_t kLarge = size_t{1} << 26; ///< from here on ask how much memory there is

struct Sort {
  size_t size; ///< of an element as it is merged
  bool isByPointer;
  __compar_d_fn_t compare;
  void *context;
  char *merged;

  int order(const char *a, const char *b) const {
    if (!isByPointer)
      return compare(a, b, context);
    return compare(*reinterpret_cast<void *const *>(a), *reinterpret_cast<void *const *>(b),
                   context);
  }
};

void copyElement(char *to, const char *from, size_t size) {
  if (size == 8)
    __builtin_memcpy(to, from, 8);
  else if (size == 4)
    __builtin_memcpy(to, from, 4);
  else
    for (size_t i = 0; i < size; ++i)
      to[i] = from[i];
}

void takeElement(char *&to, char *&from, size_t size) {
  copyElement(to, from, size);
  to += size;
  from += size;
}

void mergeSort(const Sort &sort, char *array, size_t count) {
  if (count <= 1)
    return;
  size_t left = count / 2;
  size_t right = count - left;
  char *a = array;
  char *b = array + left * sort.size;
  mergeSort(sort, a, left);
  mergeSort(sort, b, right);
  char *to = sort.merged;
  // A branch, not a choice of pointers: what is compared next is then fetched before it is known
  // what to compare. Sorting texts takes a third of the time so.
  while (left > 0 && right > 0) {
    if (sort.order(a, b) <= 0) {
      takeElement(to, a, sort.size);
      --left;
    } else {
      takeElement(to, b, sort.size);
      --right;
    }
  }
  memcpy(to, a, left * sort.size);
  // What is left of the second half is where it belongs.
  memcpy(array, sort.merged, (count - right) * sort.size);
}

/// Moves elements to where their pointers are, one cycle after the other.
void moveToPointers(char *array, char **pointers, size_t count, size_t size, char *spare) {
  for (size_t i = 0; i < count; ++i) {
    char *place = array + i * size;
    if (pointers[i] == place)
      continue;
    memcpy(spare, place, size);
    size_t hole = i;
    while (pointers[hole] != place) {
      char *from = pointers[hole];
      memcpy(array + hole * size, from, size);
      pointers[hole] = array + hole * size;
      hole = static_cast<size_t>(from - array) / size;
    }
    memcpy(array + hole * size, spare, size);
    pointers[hole] = array + hole * size;
  }
}

/// `memory` holds two arrays of pointers and one element.
void sortByPointer(Sort sort, char *array, size_t count, char *memory) {
  size_t size = sort.size;
  auto **pointers = reinterpret_cast<char **>(memory + count * sizeof(void *));
  char *spare = memory + 2 * count * sizeof(void *);
  for (size_t i = 0; i < count; ++i)
    pointers[i] = array + i * size;
  sort.isByPointer = true;
  sort.size = sizeof(void *);
  sort.merged = memory;
  mergeSort(sort, reinterpret_cast<char *>(pointers), count);
  moveToPointers(array, pointers, count, size, spare);
}

void sortThrough(Sort sort, char *array, size_t count, char *memory) {
  if (sort.size > kDirect) {
    sortByPointer(sort, array, count, memory);
    return;
  }
  sort.merged = memory;
  mergeSort(sort, array, count);
}

/// libc sorts in place what takes more than a quarter of the machine's memory.
bool isTooLarge(size_t size) {
  return size >= kLarge && size / static_cast<size_t>(sysconf(_SC_PAGESIZE)) >
                               static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) / 4;
}

void sortArray(void *array, size_t count, size_t size, __compar_d_fn_t compare, void *context) {
  Sort sort{size, false, compare, context, nullptr};
  size_t needed = size > kDirect ? 2 * count * sizeof(void *) + size : count * size;
  alignas(16) char onStack[kOnStack];
  if (needed < kOnStack) {
    sortThrough(sort, static_cast<char *>(array), count, onStack);
    return;
  }
  int error = errno;
  auto *memory = isTooLarge(needed) ? nullptr : static_cast<char *>(malloc(needed));
  errno = error;
  if (!memory) {
    CULPRIT_NEXT(qsort_r)(array, count, size, compare, context);
    return;
  }
  sortThrough(sort, static_cast<char *>(array), count, memory);
  free(memory);
}

/// Called with a context that is not looked at.
__compar_d_fn_t withContext(__compar_fn_t compare) {
  // NOLINTNEXTLINE(bugprone-casting-through-void)
  return reinterpret_cast<__compar_d_fn_t>(reinterpret_cast<void *>(compare));
}

} // namespace

CULPRIT_EXTERNAL void qsort(void *array, size_t count, size_t size, __compar_fn_t compare) {
  if (CULPRIT_CALLED_BY_PROGRAM)
    sortArray(array, count, size, withContext(compare), nullptr);
  else
    CULPRIT_NEXT(qsort)(array, count, size, compare);
}

CULPRIT_EXTERNAL void qsort_r(void *array, size_t count, size_t size, __compar_d_fn_t compare,
                              void *context) {
  if (CULPRIT_CALLED_BY_PROGRAM)
    sortArray(array, count, size, compare, context);
  else
    CULPRIT_NEXT(qsort_r)(array, count, size, compare, context);
}

} // namespace culprit

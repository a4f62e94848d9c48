// What programs ask about the heap, and advise it.
//
// In a static program each of these must be here: taking it from libc.a would bring libc's malloc
// along, which would stand beside ours.
#include "runtime/heap.h"
#include "runtime/hooks.h"

#include <errno.h>
#include <malloc.h>

namespace culprit {
namespace {

template <typename Info> Info useAs() {
  HeapUse use = heapUse();
  Info info = {};
  using Number = decltype(info.arena);
  info.arena = static_cast<Number>(use.mapped);
  info.fordblks = static_cast<Number>(use.free);
  info.uordblks = static_cast<Number>(use.mapped - use.free);
  return info;
}

} // namespace

/// Advice is taken and not followed.
CULPRIT_EXPORT __attribute__((weak)) int mallopt(int, int) {
  return 1;
}

/// Nothing more could be given back.
CULPRIT_EXPORT __attribute__((weak)) int malloc_trim(size_t) {
  return 0;
}

CULPRIT_EXPORT __attribute__((weak)) struct mallinfo2 mallinfo2() {
  return useAs<struct mallinfo2>();
}

CULPRIT_EXPORT __attribute__((weak)) struct mallinfo mallinfo() {
  return useAs<struct mallinfo>();
}

CULPRIT_EXPORT __attribute__((weak)) void malloc_stats() {}

CULPRIT_EXPORT __attribute__((weak)) int malloc_info(int, FILE *) {
  return EINVAL;
}

} // namespace culprit

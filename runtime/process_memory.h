// malloc and free as the C++ library calls them: the program's heap, unless the program has
// functions of its own.
#ifndef CULPRIT_RUNTIME_PROCESS_MEMORY_H
#define CULPRIT_RUNTIME_PROCESS_MEMORY_H

#include "runtime/heap_quick.h"
#include "runtime/own_malloc.h"

#include <stdlib.h>

namespace culprit {

/// Whether a function that can be replaced is ours still. The compiler must not know better.
template <typename Function, typename Own> bool isSame(Function *replaceable, Own *own) {
  asm("" : "+r"(replaceable));
  return reinterpret_cast<void *>(replaceable) == reinterpret_cast<void *>(own);
}

/// Null if there is no memory.
inline void *processAllocate(size_t size, size_t alignment, const void *frame) {
  if (isSame(malloc, __culprit_own_malloc))
    return heapAllocate(size, alignment, false, frame);
  return alignment <= 16 ? malloc(size)
                         : aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1));
}

__attribute__((noinline)) inline void processReleaseSlowly(void *block, const void *frame) {
  if (isHeapAddress(block) && isSame(free, __culprit_own_free))
    heapRelease(block, frame);
  else
    free(block);
}

inline void processRelease(void *block, const void *frame) {
  if (!isSame(free, __culprit_own_free) || !heapReleaseQuickly(block, frame))
    processReleaseSlowly(block, frame);
}

} // namespace culprit
#endif

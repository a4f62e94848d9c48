// The ways through malloc and free that nearly all calls take, to be inlined there: one thread, a
// small block, a call stack that has been seen before. They call nothing, so that they need few
// registers; whatever else there is to do, checks that fail included, is left to heap.h.
#ifndef CULPRIT_RUNTIME_HEAP_QUICK_H
#define CULPRIT_RUNTIME_HEAP_QUICK_H

#include "runtime/heap.h"
#include "runtime/heap_arena.h"
#include "runtime/heap_lock.h"
#include "runtime/stack_walk.h"

namespace culprit {

// NOLINTBEGIN(bugprone-dynamic-static-initializers): neither is
extern HeapArena g_arena;
extern bool g_ranOut; ///< the last allocation has failed
// NOLINTEND(bugprone-dynamic-static-initializers)

/// Null: heapAllocate has to do it.
__attribute__((always_inline)) inline void *heapAllocateQuickly(size_t size, const void *frame) {
  if (__libc_single_threaded == 0)
    return nullptr;
  uint64_t block = g_arena.allocateQuickly(size, quickStackHash(frame));
  if (block != 0 && g_ranOut)
    g_ranOut = false;
  return at<void>(block);
}

/// False: `block` may be anything, and heapRelease or libc has to do it.
__attribute__((always_inline)) inline bool heapReleaseQuickly(void *block, const void *frame) {
  return __libc_single_threaded != 0 &&
         g_arena.releaseQuickly(reinterpret_cast<uint64_t>(block), quickStackHash(frame));
}

} // namespace culprit
#endif

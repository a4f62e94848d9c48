// The heap's lock: skipped while the process has one thread, and never left locked in a child.
#ifndef CULPRIT_RUNTIME_HEAP_LOCK_H
#define CULPRIT_RUNTIME_HEAP_LOCK_H

#include <stdint.h>
#include <sys/single_threaded.h>

namespace culprit {

/// Zero: free; one: held; two: held, and somebody waits.
extern uint32_t g_heapLock;

void lockHeapSlowly();
void unlockHeapSlowly();

inline void lockHeap() {
  uint32_t expected = 0;
  if (!__atomic_compare_exchange_n(&g_heapLock, &expected, 1, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    lockHeapSlowly();
}

inline void unlockHeap() {
  if (__atomic_exchange_n(&g_heapLock, 0, __ATOMIC_RELEASE) == 2)
    unlockHeapSlowly();
}

class HeapGuard {
public:
  HeapGuard() : isLocked_(__libc_single_threaded == 0) {
    if (isLocked_)
      lockHeap();
  }
  ~HeapGuard() {
    if (isLocked_)
      unlockHeap();
  }
  HeapGuard(const HeapGuard &) = delete;
  HeapGuard &operator=(const HeapGuard &) = delete;

private:
  bool isLocked_;
};

/// fork() waits until nobody is inside the heap. For children made without it (_Fork, clone) the
/// lock remembers the process: there it is broken open.
void keepHeapAcrossFork();

} // namespace culprit
#endif

// See heap_lock.h.
#include "runtime/heap_lock.h"

#include "runtime/atfork.h"
#include "runtime/system.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

namespace culprit {

uint32_t g_heapLock;

namespace {

long g_process; ///< that the lock's holder belongs to

void finishFork() {
  g_process = rawSyscall(SYS_getpid);
  unlockHeap();
}

} // namespace

void lockHeapSlowly() {
  for (int i = 0; i < 100; ++i) {
    uint32_t expected = 0;
    if (__atomic_compare_exchange_n(&g_heapLock, &expected, 1, true, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return;
    __builtin_ia32_pause();
  }
  while (__atomic_exchange_n(&g_heapLock, 2, __ATOMIC_ACQUIRE) != 0) {
    timespec patience{1, 0};
    rawSyscall(SYS_futex, address(&g_heapLock), FUTEX_WAIT_PRIVATE, 2, address(&patience));
    long process = rawSyscall(SYS_getpid);
    if (g_process != 0 && process != g_process) {
      g_process = process;
      return; // the holder is in the parent
    }
  }
}

void unlockHeapSlowly() {
  rawSyscall(SYS_futex, address(&g_heapLock), FUTEX_WAKE_PRIVATE, 1);
}

void keepHeapAcrossFork() {
  g_process = rawSyscall(SYS_getpid);
  __register_atfork(lockHeap, unlockHeap, finishFork, nullptr);
}

} // namespace culprit

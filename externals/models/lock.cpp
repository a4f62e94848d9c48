// See lock.h.
#include "externals/models/lock.h"

#include "externals/outside.h"
#include "runtime/atfork.h"

#include <sched.h>

namespace culprit {
namespace {

CULPRIT_OUTSIDE bool g_isHeld;

/// Only the thread that forks is in the child.
__attribute__((constructor)) void keepAcrossFork() {
  __register_atfork(lockModels, unlockModels, unlockModels, nullptr);
}

} // namespace

void lockModels() {
  while (__atomic_exchange_n(&g_isHeld, true, __ATOMIC_ACQUIRE))
    sched_yield();
}

void unlockModels() {
  __atomic_store_n(&g_isHeld, false, __ATOMIC_RELEASE);
}

} // namespace culprit

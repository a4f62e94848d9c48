// The next definition of a function that is interposed here.
#ifndef CULPRIT_RUNTIME_DYNAMIC_NEXT_H
#define CULPRIT_RUNTIME_DYNAMIC_NEXT_H

#include <dlfcn.h>

namespace culprit {

/// Looks `name` up once and keeps it in `cached`.
template <typename Pointer> Pointer nextFunction(Pointer &cached, const char *name) {
  Pointer found = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (!found) {
    found = reinterpret_cast<Pointer>(dlsym(RTLD_NEXT, name));
    __atomic_store_n(&cached, found, __ATOMIC_RELAXED);
  }
  return found;
}

} // namespace culprit
#endif

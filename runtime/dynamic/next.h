// The next definition of a function that is interposed here.
#ifndef CULPRIT_RUNTIME_DYNAMIC_NEXT_H
#define CULPRIT_RUNTIME_DYNAMIC_NEXT_H

namespace culprit {

/// What dlsym(RTLD_NEXT, name) would find, or null. Leaves errno and what dlerror says alone.
void *findNext(const char *name);

/// Looks `name` up once and keeps it in `cached`.
template <typename Pointer> Pointer nextFunction(Pointer &cached, const char *name) {
  Pointer found = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (!found) {
    found = reinterpret_cast<Pointer>(findNext(name));
    __atomic_store_n(&cached, found, __ATOMIC_RELAXED);
  }
  return found;
}

} // namespace culprit
#endif

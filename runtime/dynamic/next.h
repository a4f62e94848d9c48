// The next definition of a function that is interposed here.
#ifndef CULPRIT_RUNTIME_DYNAMIC_NEXT_H
#define CULPRIT_RUNTIME_DYNAMIC_NEXT_H

// NOLINTBEGIN(bugprone-reserved-identifier)
/// What dlsym(RTLD_NEXT, name) would find in the executable, or null. Leaves errno and what dlerror
/// says alone. Exported by the executable: shims in twin libraries use it, too.
extern "C" __attribute__((visibility("default"))) void *__culprit_find_next(const char *name);
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {

/// Looks `name` up once and keeps it in `cached`.
template <typename Pointer> Pointer nextFunction(Pointer &cached, const char *name) {
  Pointer found = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (!found) {
    found = reinterpret_cast<Pointer>(__culprit_find_next(name));
    __atomic_store_n(&cached, found, __ATOMIC_RELAXED);
  }
  return found;
}

} // namespace culprit
#endif

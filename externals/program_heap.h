// malloc and its relatives as libc's functions call them.
//
// They are those of the process, a program's own included, but not what `--wrap` puts in the place
// of the program's calls: libc's functions do not know of it.
#ifndef CULPRIT_EXTERNALS_PROGRAM_HEAP_H
#define CULPRIT_EXTERNALS_PROGRAM_HEAP_H

#include "externals/outside.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

namespace culprit {

/// A function of the process by name: no reference that a linker could rename.
template <typename Function> Function *processFunction(Function *&cached, const char *name) {
  Function *found = __atomic_load_n(&cached, __ATOMIC_RELAXED);
  if (!found) {
    found = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
    __atomic_store_n(&cached, found, __ATOMIC_RELAXED);
  }
  return found;
}

// Origin tracking knows these by their names in object files (compiler/suppress/call_origins.cpp).
inline void *programMalloc(size_t size) asm("culprit_program_malloc");
inline void *programCalloc(size_t count, size_t size) asm("culprit_program_calloc");
inline void *programRealloc(void *block, size_t size) asm("culprit_program_realloc");
inline void programFree(void *block) asm("culprit_program_free");

inline void *programMalloc(size_t size) {
  CULPRIT_OUTSIDE static void *(*found)(size_t);
  return processFunction(found, "malloc")(size);
}

inline void *programCalloc(size_t count, size_t size) {
  CULPRIT_OUTSIDE static void *(*found)(size_t, size_t);
  return processFunction(found, "calloc")(count, size);
}

inline void *programRealloc(void *block, size_t size) {
  CULPRIT_OUTSIDE static void *(*found)(void *, size_t);
  return processFunction(found, "realloc")(block, size);
}

inline void programFree(void *block) {
  CULPRIT_OUTSIDE static void (*found)(void *);
  if (block)
    processFunction(found, "free")(block);
}

} // namespace culprit
#endif

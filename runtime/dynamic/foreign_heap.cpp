// What libc keeps to itself of its heap: see ../malloc.cpp.
#include "runtime/dynamic/next.h"

#include <stddef.h>

extern "C" __attribute__((visibility("hidden"))) size_t __culprit_foreign_usable_size(void *block) {
  static size_t (*next)(void *);
  return culprit::nextFunction(next, "malloc_usable_size")(block);
}

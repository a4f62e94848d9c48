// The runtime's malloc and free under names of their own: the program may bring others.
#ifndef CULPRIT_RUNTIME_OWN_MALLOC_H
#define CULPRIT_RUNTIME_OWN_MALLOC_H

#include <stddef.h>

extern "C" {
__attribute__((visibility("hidden"))) void *__culprit_own_malloc(size_t size);
__attribute__((visibility("hidden"))) void __culprit_own_free(void *block);
}
#endif

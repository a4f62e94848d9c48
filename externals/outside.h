// Variables of externals that are no memory of the program: they hold what the program must not
// see or break, such as addresses inside libc. They lie with the runtime's own (runtime/state.h).
#ifndef CULPRIT_EXTERNALS_OUTSIDE_H
#define CULPRIT_EXTERNALS_OUTSIDE_H

#include <stddef.h>

#define CULPRIT_OUTSIDE __attribute__((section("culprit_state_data")))

// libc's own heap, by the names that nobody stands in front of.
extern "C" {
void *__libc_malloc(size_t size);
void __libc_free(void *block);
}

#endif

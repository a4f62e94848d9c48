// errno for the project's own code inside of programs; included in front of everything else.
//
// Asking where errno is moves what libc has set since the last time to the program's variable
// (externals/models/error_cells.cpp). So each use asks for itself: libc's header would let the
// compiler ask once, and what is stored after a call of libc would then lose against libc's value.
#ifndef CULPRIT_RUNTIME_ASKED_ERRNO_H
#define CULPRIT_RUNTIME_ASKED_ERRNO_H

#include <features.h>
#pragma push_macro("__attribute_const__")
#undef __attribute_const__
#define __attribute_const__
#include <errno.h> // IWYU pragma: export
#pragma pop_macro("__attribute_const__")

#endif

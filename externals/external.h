// How a function of libc is put in the way of the program's calls.
//
// Each is defined under its own name, weak, in an archive that is linked right before libc: a
// program that has a function of that name, in its objects or in its libraries, keeps it. The
// linker exports the names, because libc has them too; so calls from twin libraries come here, and
// so do calls from foreign libraries. Those must get what libc would give them: a function asks who
// calls, or whose object it was handed, and passes on to libc what is not the program's.
//
// Variables here are memory of the program, away from its own (externals/variables.h), unless they
// are marked with CULPRIT_OUTSIDE.
#ifndef CULPRIT_EXTERNALS_EXTERNAL_H
#define CULPRIT_EXTERNALS_EXTERNAL_H

#include "externals/outside.h"
#include "runtime/dynamic/cpp_library.h"
#include "runtime/dynamic/next.h"
#include "runtime/images.h"

/// In front of each definition.
#define CULPRIT_EXTERNAL extern "C" __attribute__((visibility("default"), weak))

/// Whether the function that this is written in was called by the program.
#define CULPRIT_CALLED_BY_PROGRAM ::culprit::isInImage(__builtin_return_address(0))

/// Or by the C++ library: what it gets it keeps in objects of the program's.
#define CULPRIT_CALLED_FOR_PROGRAM                                                                 \
  (CULPRIT_CALLED_BY_PROGRAM || __culprit_is_in_cpp_library(__builtin_return_address(0)))

/// libc's own definition of the function `name`, as a pointer of its type.
#define CULPRIT_NEXT(name)                                                                         \
  ([]() -> decltype(&::name) {                                                                     \
    static decltype(&::name) found CULPRIT_OUTSIDE;                                                \
    return ::culprit::nextFunction(found, #name);                                                  \
  }())

#endif

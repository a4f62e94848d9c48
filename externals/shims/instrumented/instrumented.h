// Functions of libc that only work on memory they are handed: written out as plain loads and
// stores.
//
// Modes that follow every byte link them in place of libc's, whose vector code nobody can look
// into; other modes keep libc's, which is faster and does the same. Nearly all are hidden: the
// program and every twin library have their own, foreign libraries keep libc's. Each is weak: a
// program that brings its own keeps it.
//
// Headers of libc that declare these functions are left out where they are defined: those
// declarations promise more (non-null arguments, overloads) than the functions may rely on.
#ifndef CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_INSTRUMENTED_H
#define CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_INSTRUMENTED_H

#include <stddef.h>
#include <stdint.h>

/// In front of each definition.
#define CULPRIT_INSTRUMENTED extern "C" __attribute__((visibility("hidden"), weak))
/// The same for functions that ask libc about a locale which they are given. Foreign code that was
/// handed one, as the C++ library is, must find the executable's: libc cannot follow the program's.
#define CULPRIT_INSTRUMENTED_LOCALE extern "C" __attribute__((visibility("default"), weak))

/// libc's end of a program whose buffer is too small for what a checked function was to write.
extern "C" [[noreturn]] void __chk_fail();

namespace culprit {

/// What every checked function asks first: `room` and `wanted` are in the same unit.
inline void checkRoom(size_t room, size_t wanted) {
  if (room < wanted)
    __chk_fail();
}

} // namespace culprit
#endif

// Variables of libc and of the C++ library that programs use by name: optind, environ, std::cout.
//
// They are memory that the program reads, writes and points to, so they are the program's: defined
// in the executable, under the same names, which libraries then use in place of their own. Their
// section has an address of its own, so that they are in the same place in every mode and keep no
// global of the program from its place.
//
// They start as the library's own do; what is not known here (handlers, tables) stays the
// library's. So does what libm has, which is linked in front of externals (signgam).
#ifndef CULPRIT_EXTERNALS_MODELS_LIBRARY_VARIABLE_H
#define CULPRIT_EXTERNALS_MODELS_LIBRARY_VARIABLE_H

/// In front of each definition; each group of variables that belong together is a file.
#define CULPRIT_VARIABLE                                                                           \
  extern "C" __attribute__((visibility("default"), weak, section("culprit_library"), used))
/// Another name for a variable of the same file.
#define CULPRIT_ALIAS(name) extern "C" __attribute__((visibility("default"), weak, alias(#name)))

#endif

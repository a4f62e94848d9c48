// libstdc++'s shared library. Its objects are the program's: files, directories and locales that it
// opens on the program's behalf are kept in memory of the program.
#ifndef CULPRIT_RUNTIME_DYNAMIC_CPP_LIBRARY_H
#define CULPRIT_RUNTIME_DYNAMIC_CPP_LIBRARY_H

// NOLINTBEGIN(bugprone-reserved-identifier)
/// Whether code at `place` belongs to it. Exported by the executable, as __culprit_find_next is.
extern "C" __attribute__((visibility("default"))) bool
__culprit_is_in_cpp_library(const void *place);
// NOLINTEND(bugprone-reserved-identifier)

#endif

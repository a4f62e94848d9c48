// Included first into every file of externals: its variables go into sections of their own
// (abi/memory_map.h says where). They are memory that the program is handed, as libc's are. Right
// behind the program's globals an overflow of those would break what functions of libc rely on, and
// natively there is nothing.
#ifndef CULPRIT_EXTERNALS_VARIABLES_H
#define CULPRIT_EXTERNALS_VARIABLES_H

#pragma clang section bss = "culprit_library_bss" data = "culprit_library_data"

#endif

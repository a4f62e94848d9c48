// Whether memory can be written to, for the check of "%n" in fortified programs.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_FORTIFY_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_FORTIFY_H

#include <stddef.h>

namespace culprit {

/// Whether all of it is mapped for reading only. True when the kernel does not let us see.
bool isReadOnlyMemory(const void *start, size_t size);

} // namespace culprit
#endif

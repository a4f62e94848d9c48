// printf into memory and into file descriptors: what snprintf, asprintf, dprintf and their kin do
// once it is known that the program has called them.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_MEMORY_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_MEMORY_H

#include <stdarg.h>
#include <stddef.h>

namespace culprit {

/// snprintf: what does not fit in `size` bytes is counted only.
int formatBounded(char *buffer, size_t size, const char *format, va_list arguments,
                  bool isFortified);

/// sprintf.
int formatUnbounded(char *buffer, const char *format, va_list arguments);

/// __sprintf_chk: what does not fit in `size` bytes ends the program.
int formatChecked(char *buffer, size_t size, const char *format, va_list arguments,
                  bool isFortified);

/// asprintf: into a heap block; `*result` is left alone when it fails.
int formatAllocated(char **result, const char *format, va_list arguments, bool isFortified);

/// dprintf.
int formatDescriptor(int descriptor, const char *format, va_list arguments, bool isFortified);

/// swprintf: -1 when it does not fit in `size` wide characters.
int formatWide(wchar_t *buffer, size_t size, const wchar_t *format, va_list arguments,
               bool isFortified);

} // namespace culprit
#endif

// scanf from memory: what sscanf and swscanf do once it is known that the program has called them.
#ifndef CULPRIT_EXTERNALS_SHIMS_SCAN_MEMORY_H
#define CULPRIT_EXTERNALS_SHIMS_SCAN_MEMORY_H

#include "externals/shims/scan.h"

namespace culprit {

int scanString(const char *string, const char *format, va_list arguments, LetterA letterA);
int scanString(const wchar_t *string, const wchar_t *format, va_list arguments, LetterA letterA);

} // namespace culprit
#endif

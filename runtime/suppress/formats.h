// What printf reads and scanf writes behind a format, for functions that are not followed.
#ifndef CULPRIT_RUNTIME_SUPPRESS_FORMATS_H
#define CULPRIT_RUNTIME_SUPPRESS_FORMATS_H

#include <stdint.h>

namespace culprit {

/// Whether a text that is printed is corrupt.
bool printsCorrupt(const char *format, const uint64_t *values, uint64_t count);

/// Gives the memory that was scanned into its origin; a corrupt one: that would have been.
void scannedTo(const char *format, const uint64_t *values, uint64_t origin);

} // namespace culprit
#endif

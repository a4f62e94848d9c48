// Origins of single bytes, where the bytes of one granule have different ones: four words per
// granule, in pages that are made when they are first needed and found by hash.
#ifndef CULPRIT_RUNTIME_SUPPRESS_MIXED_H
#define CULPRIT_RUNTIME_SUPPRESS_MIXED_H

#include <stdint.h>

namespace culprit {

/// The words of the granule at that address. Ends the program when memory runs out.
uint64_t *mixedOrigins(uint64_t granule);

} // namespace culprit
#endif

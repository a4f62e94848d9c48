// Which execution allocated a heap block, and which freed it.
//
// A pointer keeps the origin of the allocation that it came from, however often it is copied. So a
// pointer whose origin is an allocation that was freed dangles, also when its memory belongs to
// another block by now.
#ifndef CULPRIT_RUNTIME_SUPPRESS_BLOCKS_H
#define CULPRIT_RUNTIME_SUPPRESS_BLOCKS_H

#include <stdint.h>

namespace culprit {

void noteAllocation(uint64_t block, uint64_t origin);
void noteFree(uint64_t block, uint64_t origin);

/// Whether a block starts there that was allocated and not freed.
bool isLiveBlock(uint64_t block);

/// The execution that freed what `allocation` had allocated; 0: none has.
uint64_t freeOf(uint64_t allocation);

} // namespace culprit
#endif

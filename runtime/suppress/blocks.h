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
/// `isOnly`: the execution did nothing else, so what it left in memory is due to the free.
void noteFree(uint64_t block, uint64_t size, uint64_t origin, bool isOnly);

/// Whether a block starts there that was allocated and not freed.
bool isLiveBlock(uint64_t block);

/// The execution that freed what `origin` had allocated, if `value` points there: what was never
/// set in a block has the same origin. Or the one that left the value in freed memory. 0: none has.
uint64_t freeOf(uint64_t origin, uint64_t value);

/// How many blocks were freed.
uint64_t countFrees();

/// The execution that allocated the block that starts there and was freed; 0: none.
uint64_t allocationOfFreed(uint64_t block);

/// The execution that freed the block that starts there and was not allocated again; 0: none has.
uint64_t freeOfBlock(uint64_t block);

} // namespace culprit
#endif

// Which execution allocated a heap block, and which freed it.
//
// A pointer keeps the origin of the allocation that it came from, however often it is copied. So a
// pointer whose origin is an allocation that was freed dangles, also when its memory belongs to
// another block by now. Frees are only written down (free_log.h): they are looked through when the
// program has failed.
#ifndef CULPRIT_RUNTIME_SUPPRESS_BLOCKS_H
#define CULPRIT_RUNTIME_SUPPRESS_BLOCKS_H

#include <stdint.h>

namespace culprit {

void noteAllocation(uint64_t block, uint64_t origin);
/// `isOnly`: the execution did nothing else, so what it left in memory is due to the free.
void noteFree(uint64_t block, uint64_t size, uint64_t origin, bool isOnly);

/// Whether a block starts there that was allocated and not freed.
bool isLiveBlock(uint64_t block);

/// The execution that allocated that block; 0: it was freed, or is none.
uint64_t allocationOf(uint64_t block);

/// How many blocks were freed.
uint64_t countFrees();

/// A moment in the past: when so many blocks had been freed, at that time of the clock.
struct HeapMoment {
  uint64_t frees;
  uint64_t time;
};

/// A block that was freed: the executions that did that and that had allocated it; 0: none.
struct FreedBlock {
  uint64_t freed;
  uint64_t allocation;
};

/// What `origin` had allocated and `value` points to (what was never set in a block has the same
/// origin), if it was freed at that moment. Or, without an allocation: the value was left in memory
/// by the free.
FreedBlock freedTarget(uint64_t origin, uint64_t value, const HeapMoment &moment);

/// The block that starts there, if it was freed and not allocated again at that moment.
FreedBlock freedBlockAt(uint64_t block, const HeapMoment &moment);

} // namespace culprit
#endif

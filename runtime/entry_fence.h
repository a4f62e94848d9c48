// A fence around the addresses that the kernel gives out by chance.
//
// What asks for memory without naming a place gets the highest gap below an address that differs in
// every run. So does the dynamic loader when it maps libraries and makes the main thread's block of
// thread-locals. While it works, everything above kFence is taken by a mapping that nobody can
// touch, and what it asks for lies below, the same in every run. The fence costs no memory, only
// address space, and is gone before the program's first constructor: a program may limit its own
// address space. Under a limit on it (`ulimit -v`) there is no fence, and these addresses vary.
#ifndef CULPRIT_RUNTIME_ENTRY_FENCE_H
#define CULPRIT_RUNTIME_ENTRY_FENCE_H

namespace culprit {

/// Runs before anything is relocated: see entry.cpp.
void raiseFence();

void takeFenceDown();

bool isFenceUp();

} // namespace culprit
#endif

// What a handler of the program's is told of an exhausted stack.
//
// A thread has two stacks: frames with locals that something may run past, and the machine's. A
// handler that recovers from an exhausted stack compares the address of the fault with what it
// takes for the one that there is natively. That is the one whose bounds it has asked for: those of
// pthread_getattr_np are the machine's; who reads /proc/self/maps looks for a local of its own
// there, which code of the program has in frames, and code of libraries in the machine's stack.
#ifndef CULPRIT_RUNTIME_STACK_VIEW_H
#define CULPRIT_RUNTIME_STACK_VIEW_H

#include <stdint.h>

namespace culprit {

/// The calling thread has been told that its stack begins there.
void noteStackBegin(uint64_t lowest);

/// `caller` opens a file of that name.
void noteOpened(const char *path, const void *caller);

/// The address of a fault to hand to the program's handler, when the calling thread's stack is
/// exhausted.
uint64_t exhaustedAddress(uint64_t where, uint64_t stackPointer);

} // namespace culprit
#endif

// The memory of a process that dies, kept for the host to read.
//
// What heap memory is called depends on what the program's variables lead to, which is known only
// as long as its memory is there. So the process makes a copy of itself right before it dies, as
// fork() does: the two share their pages, and the process dies at once and of what it would have.
// The copy runs none of the program's code and holds none of its files. It is the host's child and
// not the program's, so that only the host is told of its end; the host ends it when it has read
// what it needs, and with the host it ends by itself.
#ifndef CULPRIT_RUNTIME_SNAPSHOT_H
#define CULPRIT_RUNTIME_SNAPSHOT_H

#include <stdint.h>

namespace culprit {

/// Copies the calling process, which must be the one that the host started. Returns the copy's
/// process id, or 0 when the system allows none.
uint32_t takeSnapshot();

} // namespace culprit
#endif

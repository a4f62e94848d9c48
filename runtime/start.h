// What the host told the runtime at start.
#ifndef CULPRIT_RUNTIME_START_H
#define CULPRIT_RUNTIME_START_H

#include "runtime/heap_layout.h"

#include "abi/failure.h"

#include <stdint.h>

namespace culprit {

struct StartInfo {
  const char *program; ///< real path of the user's program, or null when started by hand
  const char *counts;  ///< folder for the counters of mode `count`, or null
  int watcher;         ///< process id of culprit; 0: none
  int parent;          ///< of culprit's parent, who started the program
  abi::FailureArgument arguments[abi::kMostArguments]; ///< the first of them, for the record
  abi::FailureArgument argumentVector;                 ///< where the pointers to them are
  const char *failure;                                 ///< file for the failure record, or null
  HeapLayout heap; ///< the default one unless the host gave another
};

const StartInfo &startInfo();

/// The process goes on as one that was started by another culprit.
void startAgain(int watcher, int parent);

/// Whether a parent's number is culprit's. In a sandbox culprit is outside of the namespace: 0.
inline bool isWatcher(long parent) {
  return startInfo().watcher != 0 && (parent == startInfo().watcher || parent == 0);
}

/// The layout for allocations that come before the start: libc's own in a static program, ifunc
/// resolvers. The default one when even the environment is not there yet.
HeapLayout heapLayoutBeforeStart();

/// The folder that $ORIGIN means in the original of an image, or null when that is not known.
const char *originOf(uint64_t imageIndex);

} // namespace culprit
#endif

// Blocks that libc allocates for the program: they are to be the program's own, so that freeing,
// leaking and overrunning them is as with any other of its blocks.
#ifndef CULPRIT_EXTERNALS_MODELS_MOVED_BLOCK_H
#define CULPRIT_EXTERNALS_MODELS_MOVED_BLOCK_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

namespace culprit {

/// A block of the program's with the same bytes in place of libc's, which is freed. Null for null,
/// or with ENOMEM when there is no memory.
inline void *movedBlock(void *theirs, size_t size) {
  if (!theirs)
    return nullptr;
  void *ours = malloc(size);
  if (ours)
    memcpy(ours, theirs, size);
  free(theirs);
  return ours;
}

inline char *movedText(char *theirs) {
  return theirs ? static_cast<char *>(movedBlock(theirs, strlen(theirs) + 1)) : nullptr;
}

} // namespace culprit
#endif

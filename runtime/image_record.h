// What an image says of itself when it is registered: filled by image/image.cpp, read by the
// runtime in the executable. Both are of one build.
#ifndef CULPRIT_RUNTIME_IMAGE_RECORD_H
#define CULPRIT_RUNTIME_IMAGE_RECORD_H

#include <stdint.h>

namespace culprit {

struct ImageRecord {
  uint64_t index;          ///< 0: the executable
  const void *base;        ///< where its ELF header is loaded; null if it is not
  uint64_t bias;           ///< load address minus link address
  char *countsBegin;       ///< page-aligned
  char *countsEnd;         ///< page-aligned
  const void *guardsBegin; ///< rows about guard words behind globals (frame_work.cpp)
  const void *guardsEnd;
};

} // namespace culprit
#endif

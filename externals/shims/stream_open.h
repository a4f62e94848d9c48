// Making and closing streams: what the functions that do so share.
#ifndef CULPRIT_EXTERNALS_SHIMS_STREAM_OPEN_H
#define CULPRIT_EXTERNALS_SHIMS_STREAM_OPEN_H

#include "externals/shims/stream.h"

namespace culprit {

/// What the letters of a mode say.
struct OpenMode {
  int openFlags;  ///< for open
  int directions; ///< kNoReads, kNoWrites, kAppending
  int flags2;
};

/// The mode's first letter; false with EINVAL if it is none.
bool parseDirection(char letter, OpenMode &mode);

/// Makes a new stream one over an open file.
void startFile(Stream &stream, int directions, int descriptor);

/// fdopen; null on failure.
Stream *attachStream(int descriptor, const char *mode);

/// fclose.
int closeStream(Stream &stream);

} // namespace culprit
#endif

// dprintf: as in glibc, a stream that lives as long as the call.
#include "externals/shims/format_memory.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_sink.h"

extern "C" off_t __lseek(int descriptor, off_t offset, int whence);

namespace culprit {

int formatDescriptor(int descriptor, const char *format, va_list arguments, bool isFortified) {
  int errorBefore = errno;
  if (__lseek(descriptor, 0, SEEK_CUR) < 0 && errno != ESPIPE)
    return -1;
  errno = errorBefore;
  Stream stream;
  initStream(stream, StreamKind::kFile, -1);
  stream._flags |= kNoReads | kHasDevice;
  stream._fileno = descriptor;
  int count = formatToStream(stream, format, arguments, isFortified);
  if (count != -1 && flushPutArea(stream) == EOF)
    count = -1;
  setBuffer(stream, nullptr, nullptr, false);
  return count;
}

} // namespace culprit

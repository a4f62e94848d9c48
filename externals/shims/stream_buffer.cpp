// The buffers of streams: see stream.h.
#include "externals/program_heap.h"
#include "externals/shims/stream.h"

#include <sys/sysmacros.h>

namespace culprit {

void initStream(Stream &stream, StreamKind kind, int orientation) {
  memset(static_cast<void *>(&stream), 0, sizeof stream);
  stream._flags = kMagic;
  stream._fileno = -1;
  stream._offset = kUnknownOffset;
  stream._mode = orientation;
  stream.mark = kStreamMark;
  stream.kind = kind;
  stream.mutex = kStreamMutex;
}

Stream *newStream(StreamKind kind, int orientation) {
  auto *stream = static_cast<Stream *>(programMalloc(kFileSize));
  if (stream)
    initStream(*stream, kind, orientation);
  return stream;
}

void setBuffer(Stream &stream, char *begin, char *end, bool isUsers) {
  if (stream._IO_buf_base && !(stream._flags & kUserBuffer))
    programFree(stream._IO_buf_base);
  stream._IO_buf_base = begin;
  stream._IO_buf_end = end;
  stream._flags = isUsers ? stream._flags | kUserBuffer : stream._flags & ~kUserBuffer;
}

namespace {

/// Terminals are line-buffered. Their pseudo-terminals are told by number, which saves a call.
void chooseBuffering(Stream &stream, const struct stat64 &status) {
  constexpr unsigned kFirstPty = 136;
  constexpr unsigned kLastPty = 143;
  if (!S_ISCHR(status.st_mode))
    return;
  unsigned device = major(status.st_rdev);
  if ((device >= kFirstPty && device <= kLastPty) || isTerminal(stream._fileno))
    stream._flags |= kLineBuffered;
}

} // namespace

bool allocateBuffer(Stream &stream) {
  size_t size = kDefaultBufferSize;
  struct stat64 status;
  if (stream._fileno >= 0 && deviceStatus(stream, status)) {
    chooseBuffering(stream, status);
    if (status.st_blksize > 0 && static_cast<size_t>(status.st_blksize) < kDefaultBufferSize)
      size = static_cast<size_t>(status.st_blksize);
  }
  auto *buffer = static_cast<char *>(programMalloc(size));
  if (!buffer)
    return false;
  setBuffer(stream, buffer, buffer + size, /*isUsers=*/false);
  armExit();
  return true;
}

void needBuffer(Stream &stream) {
  if (stream._IO_buf_base)
    return;
  if ((stream._flags & kUnbuffered) == 0 || stream._mode > 0)
    if (allocateBuffer(stream))
      return;
  setBuffer(stream, stream._shortbuf, stream._shortbuf + 1, /*isUsers=*/true);
}

} // namespace culprit

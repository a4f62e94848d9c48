// Functions of stdio that move streams and give them buffers.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

namespace culprit {

const char kStdioPosition = 0;

namespace {

// off_t and off64_t are the same, and so are fpos_t and fpos64_t.
static_assert(sizeof(off_t) == sizeof(off64_t) && sizeof(long) == sizeof(off64_t));

int seekTo(FILE *file, off64_t offset, int whence) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fseeko64)(file, offset, whence);
  StreamLock lock(*stream);
  return streamSeek(*stream, offset, whence) == -1 ? -1 : 0;
}

off64_t tell(FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(ftello64)(file);
  StreamLock lock(*stream);
  return streamTell(*stream);
}

int getPlace(FILE *file, fpos64_t *place) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fgetpos64)(file, place);
  StreamLock lock(*stream);
  off64_t offset = streamTell(*stream);
  if (offset == -1)
    return EOF;
  place->__pos = offset;
  return 0;
}

int setPlace(FILE *file, const fpos64_t *place) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fsetpos64)(file, place);
  StreamLock lock(*stream);
  if (streamSeek(*stream, place->__pos, SEEK_SET) != -1)
    return 0;
  if (errno == 0)
    errno = EIO;
  return EOF;
}

int setBuffering(Stream &stream, char *buffer, int mode, size_t size) {
  switch (mode) {
  case _IOFBF:
    stream._flags &= ~(kLineBuffered | kUnbuffered);
    if (!buffer) {
      // Allocated now: a terminal's would be line-buffered later.
      if (!stream._IO_buf_base && !allocateBuffer(stream))
        return EOF;
      stream._flags &= ~kLineBuffered;
      return 0;
    }
    break;
  case _IOLBF:
    stream._flags = (stream._flags & ~kUnbuffered) | kLineBuffered;
    if (!buffer)
      return 0;
    break;
  case _IONBF:
    stream._flags = (stream._flags & ~kLineBuffered) | kUnbuffered;
    buffer = nullptr;
    size = 0;
    break;
  default:
    return EOF;
  }
  return useBuffer(stream, buffer, size) ? 0 : EOF;
}

void takeBuffer(FILE *file, char *buffer, size_t size) {
  Stream *stream = ownStream(file);
  if (!stream) {
    CULPRIT_NEXT(setbuffer)(file, buffer, size);
    return;
  }
  StreamLock lock(*stream);
  stream->_flags &= ~kLineBuffered;
  useBuffer(*stream, buffer, buffer ? size : 0);
}

} // namespace

CULPRIT_EXTERNAL int fseek(FILE *file, long offset, int whence) {
  return seekTo(file, offset, whence);
}

CULPRIT_EXTERNAL int fseeko(FILE *file, off_t offset, int whence) {
  return seekTo(file, offset, whence);
}

CULPRIT_EXTERNAL int fseeko64(FILE *file, off64_t offset, int whence) {
  return seekTo(file, offset, whence);
}

CULPRIT_EXTERNAL void rewind(FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream) {
    CULPRIT_NEXT(rewind)(file); // NOLINT(bugprone-unsafe-functions)
    return;
  }
  StreamLock lock(*stream);
  streamSeek(*stream, 0, SEEK_SET);
  stream->_flags &= ~(kErrorSeen | kEofSeen);
}

CULPRIT_EXTERNAL long ftell(FILE *file) {
  return tell(file);
}

CULPRIT_EXTERNAL off_t ftello(FILE *file) {
  return tell(file);
}

CULPRIT_EXTERNAL off64_t ftello64(FILE *file) {
  return tell(file);
}

CULPRIT_EXTERNAL int fgetpos(FILE *file, fpos_t *place) {
  return getPlace(file, reinterpret_cast<fpos64_t *>(place));
}

CULPRIT_EXTERNAL int fgetpos64(FILE *file, fpos64_t *place) {
  return getPlace(file, place);
}

CULPRIT_EXTERNAL int fsetpos(FILE *file, const fpos_t *place) {
  return setPlace(file, reinterpret_cast<const fpos64_t *>(place));
}

CULPRIT_EXTERNAL int fsetpos64(FILE *file, const fpos64_t *place) {
  return setPlace(file, place);
}

CULPRIT_EXTERNAL int setvbuf(FILE *file, char *buffer, int mode, size_t size) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(setvbuf)(file, buffer, mode, size);
  StreamLock lock(*stream);
  return setBuffering(*stream, buffer, mode, size);
}

CULPRIT_EXTERNAL void setbuf(FILE *file, char *buffer) {
  takeBuffer(file, buffer, BUFSIZ);
}

CULPRIT_EXTERNAL void setbuffer(FILE *file, char *buffer, size_t size) {
  takeBuffer(file, buffer, size);
}

CULPRIT_EXTERNAL void setlinebuf(FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream) {
    CULPRIT_NEXT(setlinebuf)(file);
    return;
  }
  StreamLock lock(*stream);
  setBuffering(*stream, nullptr, _IOLBF, 0);
}

} // namespace culprit

// Functions of stdio that ask about streams and lock them, those of <stdio_ext.h> among them.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <stdio_ext.h>

namespace culprit {

const char kStdioStatus = 0;

namespace {

int hasFlag(Stream &stream, int flag) {
  return (stream._flags & flag) != 0;
}

void forgetErrors(Stream &stream) {
  stream._flags &= ~(kErrorSeen | kEofSeen);
}

int numberOf(const Stream &stream) {
  if ((stream._flags & kHasDevice) && stream._fileno >= 0)
    return stream._fileno;
  errno = EBADF;
  return -1;
}

void purge(Stream &stream) {
  if (isInBackup(stream))
    dropBackup(stream);
  stream._IO_read_end = stream._IO_read_ptr;
  stream._IO_write_ptr = stream._IO_write_base;
}

} // namespace

CULPRIT_EXTERNAL int feof(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? hasFlag(*stream, kEofSeen) : CULPRIT_NEXT(feof)(file);
}

CULPRIT_EXTERNAL int feof_unlocked(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? hasFlag(*stream, kEofSeen) : CULPRIT_NEXT(feof_unlocked)(file);
}

CULPRIT_EXTERNAL int ferror(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? hasFlag(*stream, kErrorSeen) : CULPRIT_NEXT(ferror)(file);
}

CULPRIT_EXTERNAL int ferror_unlocked(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? hasFlag(*stream, kErrorSeen) : CULPRIT_NEXT(ferror_unlocked)(file);
}

CULPRIT_EXTERNAL void clearerr(FILE *file) {
  if (Stream *stream = ownStream(file)) {
    StreamLock lock(*stream);
    forgetErrors(*stream);
  } else {
    CULPRIT_NEXT(clearerr)(file);
  }
}

CULPRIT_EXTERNAL void clearerr_unlocked(FILE *file) {
  if (Stream *stream = ownStream(file))
    forgetErrors(*stream);
  else
    CULPRIT_NEXT(clearerr_unlocked)(file);
}

CULPRIT_EXTERNAL int fileno(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? numberOf(*stream) : CULPRIT_NEXT(fileno)(file);
}

CULPRIT_EXTERNAL int fileno_unlocked(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? numberOf(*stream) : CULPRIT_NEXT(fileno_unlocked)(file);
}

CULPRIT_EXTERNAL void flockfile(FILE *file) {
  if (Stream *stream = ownStream(file))
    pthread_mutex_lock(&stream->mutex);
  else
    CULPRIT_NEXT(flockfile)(file);
}

CULPRIT_EXTERNAL int ftrylockfile(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? pthread_mutex_trylock(&stream->mutex) : CULPRIT_NEXT(ftrylockfile)(file);
}

CULPRIT_EXTERNAL void funlockfile(FILE *file) {
  if (Stream *stream = ownStream(file))
    pthread_mutex_unlock(&stream->mutex);
  else
    CULPRIT_NEXT(funlockfile)(file);
}

CULPRIT_EXTERNAL size_t __fbufsize(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? static_cast<size_t>(stream->_IO_buf_end - stream->_IO_buf_base)
                : CULPRIT_NEXT(__fbufsize)(file);
}

CULPRIT_EXTERNAL size_t __fpending(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? static_cast<size_t>(stream->_IO_write_ptr - stream->_IO_write_base)
                : CULPRIT_NEXT(__fpending)(file);
}

CULPRIT_EXTERNAL int __freading(FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__freading)(file);
  return (stream->_flags & kNoWrites) ||
         ((stream->_flags & (kPutting | kNoReads)) == 0 && stream->_IO_read_base);
}

CULPRIT_EXTERNAL int __fwriting(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? stream->_flags & (kNoReads | kPutting) : CULPRIT_NEXT(__fwriting)(file);
}

CULPRIT_EXTERNAL int __freadable(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? !hasFlag(*stream, kNoReads) : CULPRIT_NEXT(__freadable)(file);
}

CULPRIT_EXTERNAL int __fwritable(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? !hasFlag(*stream, kNoWrites) : CULPRIT_NEXT(__fwritable)(file);
}

CULPRIT_EXTERNAL int __flbf(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? stream->_flags & kLineBuffered : CULPRIT_NEXT(__flbf)(file);
}

CULPRIT_EXTERNAL void __fpurge(FILE *file) {
  if (Stream *stream = ownStream(file))
    purge(*stream);
  else
    CULPRIT_NEXT(__fpurge)(file);
}

CULPRIT_EXTERNAL int __fsetlocking(FILE *file, int type) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__fsetlocking)(file, type);
  int old = hasFlag(*stream, kUserLock) ? FSETLOCKING_BYCALLER : FSETLOCKING_INTERNAL;
  if (type != FSETLOCKING_QUERY)
    stream->_flags =
        type == FSETLOCKING_BYCALLER ? stream->_flags | kUserLock : stream->_flags & ~kUserLock;
  return old;
}

} // namespace culprit

// open_memstream and open_wmemstream: the buffer is what is written, and grows.
//
// Wide characters are stored as they are in memory; all sizes here are in bytes.
#include "externals/external.h"
#include "externals/program_heap.h"
#include "externals/shims/stream.h"

#include <limits.h>

namespace culprit {
namespace {

constexpr size_t kMoreRoom = 100;

size_t unitOf(const Stream &stream) {
  return stream.kind == StreamKind::kWideMemory ? sizeof(wchar_t) : 1;
}

size_t sizeOf(const Stream &stream) {
  return static_cast<size_t>(stream._IO_buf_end - stream._IO_buf_base);
}

/// A larger buffer with the same bytes, zeros behind them; false without memory.
bool growMemory(Stream &stream, size_t size) {
  char *old = stream._IO_buf_base;
  size_t oldSize = sizeOf(stream);
  auto *grown = static_cast<char *>(programMalloc(size));
  if (!grown)
    return false;
  if (old)
    memcpy(grown, old, oldSize);
  programFree(old);
  memset(grown + oldSize, 0, size - oldSize);
  stream._IO_buf_base = grown;
  stream._IO_buf_end = grown + size;
  setGetArea(stream, grown + (stream._IO_read_base - old), grown + (stream._IO_read_ptr - old),
             grown + (stream._IO_read_end - old));
  stream._IO_write_ptr = grown + (stream._IO_write_ptr - old);
  stream._IO_write_base = grown;
  stream._IO_write_end = stream._IO_buf_end;
  return true;
}

/// What was written can be read.
void stopWriting(Stream &stream) {
  if (stream._IO_write_ptr <= stream._IO_write_base)
    return;
  stream._IO_read_base = isInBackup(stream) ? stream._IO_backup_base : stream._IO_buf_base;
  stream._IO_read_ptr = stream._IO_read_end = stream._IO_write_ptr;
}

/// The offset that `offset` from `from` is; -1 with EINVAL if there is none.
off64_t placeFrom(off64_t from, off64_t offset) {
  if (offset >= -from && offset <= SSIZE_MAX - from)
    return from + offset;
  errno = EINVAL;
  return -1;
}

off64_t startOf(int whence, off64_t current, off64_t end) {
  if (whence == SEEK_SET)
    return 0;
  return whence == SEEK_CUR ? current : end;
}

} // namespace

int memoryOverflow(Stream &stream, int byte) {
  bool onlyFlushes = byte == EOF;
  if (stream._flags & kNoWrites)
    return onlyFlushes ? 0 : EOF;
  auto place = static_cast<size_t>(stream._IO_write_ptr - stream._IO_write_base);
  size_t size = sizeOf(stream);
  if (place >= size + onlyFlushes)
    if ((stream._flags & kUserBuffer) || !growMemory(stream, 2 * size + kMoreRoom))
      return EOF;
  if (!onlyFlushes)
    *stream._IO_write_ptr++ = static_cast<char>(byte);
  if (stream._IO_write_ptr > stream._IO_read_end)
    stream._IO_read_end = stream._IO_write_ptr;
  return onlyFlushes ? 0 : byte;
}

int memoryUnderflow(Stream &stream) {
  if (stream._IO_write_ptr > stream._IO_read_end)
    stream._IO_read_end = stream._IO_write_ptr;
  return stream._IO_read_ptr < stream._IO_read_end
             ? static_cast<unsigned char>(*stream._IO_read_ptr)
             : EOF;
}

off64_t memoryTell(Stream &stream) {
  stopWriting(stream);
  return (stream._IO_read_ptr - stream._IO_read_base) / static_cast<off64_t>(unitOf(stream));
}

/// Reading and writing go on at the same place.
off64_t memorySeek(Stream &stream, off64_t offset, int whence) {
  auto unit = static_cast<off64_t>(unitOf(stream));
  stopWriting(stream);
  char *last =
      stream._IO_write_ptr > stream._IO_read_end ? stream._IO_write_ptr : stream._IO_read_end;
  off64_t end = last - stream._IO_read_base;
  off64_t reading = stream._IO_read_ptr - stream._IO_read_base;
  off64_t place = placeFrom(startOf(whence, reading, end) / unit, offset);
  if (place == -1)
    return -1;
  place *= unit;
  if (place > end && static_cast<size_t>(place) > sizeOf(stream))
    if ((stream._flags & kUserBuffer) ||
        !growMemory(stream, static_cast<size_t>(place) + kMoreRoom))
      return -1;
  setGetArea(stream, stream._IO_read_base, stream._IO_read_base + place,
             stream._IO_read_base + end);
  off64_t writing = stream._IO_write_ptr - stream._IO_write_base;
  place = placeFrom(startOf(whence, writing, end) / unit, offset);
  if (place == -1)
    return -1;
  stream._IO_write_ptr = stream._IO_write_base + place * unit;
  return place;
}

int memorySync(Stream &stream) {
  if (stream._IO_write_ptr == stream._IO_write_end) {
    memoryOverflow(stream, 0);
    --stream._IO_write_ptr;
  }
  *stream.memory = stream._IO_write_base;
  *stream.memorySize =
      static_cast<size_t>(stream._IO_write_ptr - stream._IO_write_base) / unitOf(stream);
  return 0;
}

void memoryFinish(Stream &stream) {
  size_t unit = unitOf(stream);
  auto size = static_cast<size_t>(stream._IO_write_ptr - stream._IO_write_base);
  auto *result = static_cast<char *>(programRealloc(stream._IO_write_base, size + unit));
  *stream.memory = result;
  if (!result) {
    programFree(stream._IO_buf_base);
  } else {
    memset(result + size, 0, unit);
    *stream.memorySize = size / unit;
  }
  stream._IO_buf_base = nullptr;
}

namespace {

Stream *openMemory(StreamKind kind, char **memory, size_t *size) {
  Stream *stream = newStream(kind, kind == StreamKind::kWideMemory ? 1 : -1);
  if (!stream)
    return nullptr;
  auto *buffer = static_cast<char *>(programCalloc(1, kDefaultBufferSize));
  if (!buffer) {
    programFree(stream);
    return nullptr;
  }
  stream->_IO_buf_base = buffer;
  stream->_IO_buf_end = buffer + kDefaultBufferSize;
  setPutArea(*stream, buffer, stream->_IO_buf_end);
  setGetArea(*stream, buffer, buffer, buffer);
  stream->memory = memory;
  stream->memorySize = size;
  stream->alwaysLocks = true;
  return stream;
}

} // namespace

CULPRIT_EXTERNAL FILE *open_memstream(char **memory, size_t *size) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(open_memstream)(memory, size);
  return openMemory(StreamKind::kMemory, memory, size);
}

CULPRIT_EXTERNAL FILE *open_wmemstream(wchar_t **memory, size_t *size) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(open_wmemstream)(memory, size);
  return openMemory(StreamKind::kWideMemory, reinterpret_cast<char **>(memory), size);
}

} // namespace culprit

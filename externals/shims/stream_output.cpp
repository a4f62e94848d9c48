// Writing to streams: see stream.h.
//
// A line-buffered or unbuffered stream keeps its put area without room (_IO_write_end at the
// start), so that inlined putc comes to __overflow with every byte.
#include "externals/shims/stream.h"

#include <limits.h>

namespace culprit {
namespace {

char *roomFor(const Stream &stream, char *next) {
  return (stream._flags & (kLineBuffered | kUnbuffered)) != 0 ? next : stream._IO_buf_end;
}

/// Room for what was pushed back and not read is gone; the bytes before it are read again.
void forgetBackup(Stream &stream) {
  auto pushed = stream._IO_read_end - stream._IO_read_ptr;
  dropBackup(stream);
  auto before = stream._IO_read_base - stream._IO_buf_base;
  stream._IO_read_base -= pushed < before ? pushed : before;
  stream._IO_read_ptr = stream._IO_read_base;
}

/// From reading (or nothing) to writing: the put area starts where reading stopped, the get area is
/// empty at its old end, where the file offset still is.
void startPutting(Stream &stream) {
  if (!stream._IO_write_base) {
    needBuffer(stream);
    setGetArea(stream, stream._IO_buf_base, stream._IO_buf_base, stream._IO_buf_base);
  }
  if (isInBackup(stream))
    forgetBackup(stream);
  if (stream._IO_read_ptr == stream._IO_buf_end)
    stream._IO_read_end = stream._IO_read_ptr = stream._IO_buf_base;
  stream._IO_write_base = stream._IO_write_ptr = stream._IO_read_ptr;
  stream._IO_read_base = stream._IO_read_ptr = stream._IO_read_end;
  stream._IO_write_end = roomFor(stream, stream._IO_write_ptr);
  stream._flags |= kPutting;
}

/// Where the last newline of the bytes ends; 0 if there is none.
size_t endOfLastLine(const char *bytes, size_t count) {
  while (count > 0 && bytes[count - 1] != '\n')
    --count;
  return count;
}

/// Puts bytes where there is room, calling for more room with one byte.
size_t writeByOverflow(Stream &stream, const char *bytes, size_t count) {
  size_t done = 0;
  while (true) {
    if (stream._IO_write_ptr < stream._IO_write_end) {
      auto room = static_cast<size_t>(stream._IO_write_end - stream._IO_write_ptr);
      size_t some = room < count - done ? room : count - done;
      memcpy(stream._IO_write_ptr, bytes + done, some);
      stream._IO_write_ptr += some;
      done += some;
    }
    if (done == count)
      return done;
    if (streamOverflow(stream, static_cast<unsigned char>(bytes[done])) == EOF)
      return done;
    ++done;
  }
}

} // namespace

size_t writeThrough(Stream &stream, const char *bytes, size_t count) {
  if (stream._flags & kAppending) {
    stream._offset = kUnknownOffset;
  } else if (stream._IO_read_end != stream._IO_write_base) {
    off64_t place = deviceSeek(stream, stream._IO_write_base - stream._IO_read_end, SEEK_CUR);
    if (place == -1)
      return 0;
    stream._offset = place;
  }
  size_t written = deviceWrite(stream, bytes, count);
  char *base = stream._IO_buf_base;
  setGetArea(stream, base, base, base);
  setPutArea(stream, base, roomFor(stream, base));
  stream.wideCount = 0;
  return written;
}

namespace {

/// How many bytes of wide characters glibc writes at a time, each of them whole.
size_t characterPiece(const char *bytes, size_t count) {
  constexpr size_t kMost = MB_LEN_MAX;
  size_t size = 0;
  while (size < count) {
    mbstate_t state{};
    size_t length = mbrlen(bytes + size, count - size, &state);
    length = length == 0 || length > MB_LEN_MAX ? 1 : length;
    if (size + length > kMost)
      break;
    size += length;
  }
  return size;
}

/// Writes a wide stream's put area; the last piece stays if it could be longer. 0 or EOF.
int flushCharacters(Stream &stream, bool isAll) {
  const char *next = stream._IO_write_base;
  const char *end = stream._IO_write_ptr;
  while (next < end) {
    size_t size = characterPiece(next, static_cast<size_t>(end - next));
    if (!isAll && next + size == end)
      break;
    if (writeThrough(stream, next, size) != size)
      return EOF;
    next += size;
  }
  memmove(stream._IO_write_base, next, static_cast<size_t>(end - next));
  stream._IO_write_ptr = stream._IO_write_base + (end - next);
  return 0;
}

} // namespace

int flushPutArea(Stream &stream) {
  if (stream._mode > 0)
    return flushCharacters(stream, true);
  auto count = static_cast<size_t>(stream._IO_write_ptr - stream._IO_write_base);
  return count == 0 || writeThrough(stream, stream._IO_write_base, count) == count ? 0 : EOF;
}

int streamOverflow(Stream &stream, int byte) {
  if (isMemory(stream))
    return memoryOverflow(stream, byte);
  if (stream._flags & kNoWrites) {
    stream._flags |= kErrorSeen;
    errno = EBADF;
    return EOF;
  }
  if (!isPutting(stream) || !stream._IO_write_base)
    startPutting(stream);
  if (byte == EOF)
    return flushPutArea(stream);
  if (stream._IO_write_ptr == stream._IO_buf_end && flushPutArea(stream) == EOF)
    return EOF;
  *stream._IO_write_ptr++ = static_cast<char>(byte);
  bool isDue = (stream._flags & kUnbuffered) || ((stream._flags & kLineBuffered) && byte == '\n');
  if (isDue && flushPutArea(stream) == EOF)
    return EOF;
  return static_cast<unsigned char>(byte);
}

int streamPutMore(Stream &stream, int byte) {
  if (stream._mode == 0)
    stream._mode = -1;
  return streamOverflow(stream, static_cast<unsigned char>(byte));
}

size_t streamWrite(Stream &stream, const char *bytes, size_t count) {
  if (count == 0)
    return 0;
  if (isMemory(stream))
    return writeByOverflow(stream, bytes, count);
  size_t room = 0;
  bool endsLine = false;
  if ((stream._flags & kLineBuffered) && isPutting(stream)) {
    room = static_cast<size_t>(stream._IO_buf_end - stream._IO_write_ptr);
    size_t line = room >= count ? endOfLastLine(bytes, count) : 0;
    endsLine = line != 0;
    if (endsLine)
      room = line;
  } else if (stream._IO_write_end > stream._IO_write_ptr) {
    room = static_cast<size_t>(stream._IO_write_end - stream._IO_write_ptr);
  }
  size_t done = room < count ? room : count;
  if (done > 0) {
    memcpy(stream._IO_write_ptr, bytes, done);
    stream._IO_write_ptr += done;
  }
  if (done == count && !endsLine)
    return count;
  if (streamOverflow(stream, EOF) == EOF)
    return done == count ? SIZE_MAX : done;
  // Whole blocks go past the buffer, the rest into it.
  auto block = static_cast<size_t>(stream._IO_buf_end - stream._IO_buf_base);
  constexpr size_t kSmallestBlock = 128;
  size_t whole = count - done;
  if (block >= kSmallestBlock)
    whole -= whole % block;
  if (whole > 0) {
    size_t written = writeThrough(stream, bytes + done, whole);
    done += written;
    if (written < whole)
      return done;
  }
  return done + (done < count ? writeByOverflow(stream, bytes + done, count - done) : 0);
}

namespace {

/// How many wide characters glibc's own buffer for them holds.
size_t wideRoom(const Stream &stream) {
  auto size = static_cast<size_t>(stream._IO_buf_end - stream._IO_buf_base);
  return stream._flags & kUserBuffer ? (size + sizeof(wchar_t) - 1) / sizeof(wchar_t) : size;
}

size_t roomInBuffer(const Stream &stream) {
  return static_cast<size_t>(stream._IO_buf_end - stream._IO_write_ptr);
}

/// Tries to make room for so many bytes of a character; false on failure.
bool makeRoom(Stream &stream, size_t count) {
  if (roomInBuffer(stream) >= count)
    return true;
  size_t before = stream.wideCount;
  bool isDone = flushCharacters(stream, false) != EOF &&
                (roomInBuffer(stream) >= count || flushCharacters(stream, true) != EOF);
  stream.wideCount = before;
  return isDone;
}

} // namespace

bool streamPutCharacter(Stream &stream, const char *bytes, size_t count) {
  if ((!isPutting(stream) || !stream._IO_write_base) && streamOverflow(stream, EOF) == EOF)
    return false;
  if (stream._flags & kUnbuffered)
    return writeThrough(stream, bytes, count) == count;
  if (stream.wideCount == wideRoom(stream) && flushPutArea(stream) == EOF)
    return false;
  while (count > 0) {
    if (!makeRoom(stream, count))
      return false;
    size_t some = roomInBuffer(stream) < count ? roomInBuffer(stream) : count;
    memcpy(stream._IO_write_ptr, bytes, some);
    stream._IO_write_ptr += some;
    bytes += some;
    count -= some;
  }
  ++stream.wideCount;
  return true;
}

int stopPutting(Stream &stream) {
  if (stream._IO_write_ptr > stream._IO_write_base && streamOverflow(stream, EOF) == EOF)
    return EOF;
  if (isInBackup(stream)) {
    stream._IO_read_base = stream._IO_backup_base;
  } else {
    stream._IO_read_base = stream._IO_buf_base;
    if (stream._IO_write_ptr > stream._IO_read_end)
      stream._IO_read_end = stream._IO_write_ptr;
  }
  stream._IO_read_ptr = stream._IO_write_ptr;
  setPutArea(stream, stream._IO_read_ptr, stream._IO_read_ptr);
  stream._flags &= ~kPutting;
  return 0;
}

} // namespace culprit

// Reading from streams and pushing bytes back: see stream.h.
#include "externals/program_heap.h"
#include "externals/shims/stream.h"

namespace culprit {
namespace {

constexpr size_t kFirstBackup = 128;

void swapAreas(Stream &stream) {
  char *end = stream._IO_read_end;
  stream._IO_read_end = stream._IO_save_end;
  stream._IO_save_end = end;
  char *base = stream._IO_read_base;
  stream._IO_read_base = stream._IO_save_base;
  stream._IO_save_base = base;
}

void enterBackup(Stream &stream) {
  stream._flags |= kInBackup;
  swapAreas(stream);
  stream._IO_read_ptr = stream._IO_read_end;
}

/// A push back in front of the first read may have left an area; the buffer takes its place.
void needInputBuffer(Stream &stream) {
  if (stream._IO_buf_base)
    return;
  if (hasBackup(stream)) {
    programFree(stream._IO_save_base);
    stream._IO_save_base = nullptr;
    stream._flags &= ~kInBackup;
  }
  needBuffer(stream);
}

/// A program that waits for input has shown its prompt.
void flushPrompt() {
  Stream *out = ownStream(__culprit_stdout);
  if (!out)
    return;
  StreamLock lock(*out);
  if ((out->_flags & (kLinked | kNoWrites | kLineBuffered)) == (kLinked | kLineBuffered))
    streamOverflow(*out, EOF);
}

/// Reads once into the buffer, which is empty.
int fillBuffer(Stream &stream) {
  char *base = stream._IO_buf_base;
  // Set in front of the read: a signal handler may jump out of it.
  setGetArea(stream, base, base, base);
  setPutArea(stream, base, base);
  ssize_t count = deviceRead(stream, base, static_cast<size_t>(stream._IO_buf_end - base));
  if (count <= 0) {
    stream._flags |= count == 0 ? kEofSeen : kErrorSeen;
    stream._offset = kUnknownOffset;
    return EOF;
  }
  stream._IO_read_end += count;
  if (stream._offset != kUnknownOffset)
    stream._offset += count;
  return static_cast<unsigned char>(*stream._IO_read_ptr);
}

/// Reads whole blocks past the buffer, which is empty; how many bytes, or 0.
size_t readPastBuffer(Stream &stream, char *bytes, size_t count) {
  char *base = stream._IO_buf_base;
  setGetArea(stream, base, base, base);
  setPutArea(stream, base, base);
  auto block = static_cast<size_t>(stream._IO_buf_end - base);
  constexpr size_t kSmallestBlock = 128;
  if (block >= kSmallestBlock)
    count -= count % block;
  ssize_t got = deviceRead(stream, bytes, count);
  if (got <= 0) {
    stream._flags |= got == 0 ? kEofSeen : kErrorSeen;
    return 0;
  }
  if (stream._offset != kUnknownOffset)
    stream._offset += got;
  return static_cast<size_t>(got);
}

size_t takeFromArea(Stream &stream, char *bytes, size_t count) {
  auto have = static_cast<size_t>(stream._IO_read_end - stream._IO_read_ptr);
  if (have > count)
    have = count;
  memcpy(bytes, stream._IO_read_ptr, have);
  stream._IO_read_ptr += have;
  return have;
}

/// Twice the room for bytes pushed back; false without memory.
bool growBackup(Stream &stream) {
  auto size = static_cast<size_t>(stream._IO_read_end - stream._IO_read_base);
  auto *grown = static_cast<char *>(programMalloc(2 * size));
  if (!grown)
    return false;
  memcpy(grown + size, stream._IO_read_base, size);
  programFree(stream._IO_read_base);
  setGetArea(stream, grown, grown + size, grown + 2 * size);
  stream._IO_backup_base = stream._IO_read_ptr;
  return true;
}

} // namespace

void leaveBackup(Stream &stream) {
  stream._flags &= ~kInBackup;
  swapAreas(stream);
  stream._IO_read_ptr = stream._IO_read_base;
}

void dropBackup(Stream &stream) {
  if (isInBackup(stream))
    leaveBackup(stream);
  programFree(stream._IO_save_base);
  stream._IO_save_base = stream._IO_save_end = stream._IO_backup_base = nullptr;
}

int streamUnderflow(Stream &stream) {
  if (isMemory(stream))
    return memoryUnderflow(stream);
  if (stream._flags & kEofSeen)
    return EOF;
  if (stream._flags & kNoReads) {
    stream._flags |= kErrorSeen;
    errno = EBADF;
    return EOF;
  }
  if (stream._IO_read_ptr < stream._IO_read_end)
    return static_cast<unsigned char>(*stream._IO_read_ptr);
  needInputBuffer(stream);
  if (stream._flags & (kLineBuffered | kUnbuffered))
    flushPrompt();
  stopPutting(stream);
  return fillBuffer(stream);
}

int streamPeek(Stream &stream) {
  if (isPutting(stream) && stopPutting(stream) == EOF)
    return EOF;
  if (stream._IO_read_ptr >= stream._IO_read_end && isInBackup(stream))
    leaveBackup(stream);
  if (stream._IO_read_ptr < stream._IO_read_end)
    return static_cast<unsigned char>(*stream._IO_read_ptr);
  if (hasBackup(stream))
    dropBackup(stream);
  return streamUnderflow(stream);
}

int streamGetMore(Stream &stream) {
  if (!orient(stream, -1) || streamPeek(stream) == EOF)
    return EOF;
  return static_cast<unsigned char>(*stream._IO_read_ptr++);
}

size_t streamRead(Stream &stream, char *bytes, size_t count) {
  bool readsPast = stream.kind == StreamKind::kFile;
  if (readsPast)
    needInputBuffer(stream);
  size_t done = 0;
  while (true) {
    if (stream._IO_read_ptr < stream._IO_read_end)
      done += takeFromArea(stream, bytes + done, count - done);
    if (done == count)
      return done;
    size_t size = static_cast<size_t>(stream._IO_buf_end - stream._IO_buf_base);
    if (!readsPast || count - done < size) {
      if (!orient(stream, -1) || streamPeek(stream) == EOF)
        return done;
    } else if (isInBackup(stream)) {
      leaveBackup(stream);
    } else {
      size_t more = readPastBuffer(stream, bytes + done, count - done);
      if (more == 0)
        return done;
      done += more;
    }
  }
}

namespace {

/// Starts to push back into an area apart from the buffer; false without memory.
bool startBackup(Stream &stream) {
  if (!hasBackup(stream)) {
    auto *area = static_cast<char *>(programMalloc(kFirstBackup));
    if (!area)
      return false;
    stream._IO_save_base = area;
    stream._IO_save_end = area + kFirstBackup;
  }
  stream._IO_backup_base = stream._IO_save_end;
  stream._IO_read_base = stream._IO_read_ptr;
  enterBackup(stream);
  return true;
}

/// Puts `byte` in front of the next one where that is not what was read there.
bool pushBack(Stream &stream, unsigned char byte) {
  if (isMemory(stream) && (stream._flags & kNoWrites))
    return false;
  if (!isInBackup(stream)) {
    if (!startBackup(stream))
      return false;
  } else if (stream._IO_read_ptr <= stream._IO_read_base && !growBackup(stream)) {
    return false;
  }
  *--stream._IO_read_ptr = static_cast<char>(byte);
  return true;
}

} // namespace

int streamUnget(Stream &stream, int byte) {
  auto pushed = static_cast<unsigned char>(byte);
  bool isWhatWasRead = stream._IO_read_ptr > stream._IO_read_base &&
                       static_cast<unsigned char>(stream._IO_read_ptr[-1]) == pushed;
  if (isWhatWasRead)
    --stream._IO_read_ptr;
  else if (!pushBack(stream, pushed))
    return EOF;
  stream._flags &= ~kEofSeen;
  return pushed;
}

} // namespace culprit

// Where streams are, moving them, and bringing file and buffer together: see stream.h.
//
// A move within the buffer keeps it; a move elsewhere reads the block that the place is in.
#include "externals/program_heap.h"
#include "externals/shims/stream.h"

namespace culprit {
namespace {

struct Place {
  off64_t offset;
  int whence;
};

bool isRegular(Stream &stream, struct stat64 &status) {
  return deviceStatus(stream, status) && S_ISREG(status.st_mode);
}

/// Moves the file and forgets the buffer.
off64_t seekFile(Stream &stream, Place place) {
  if (hasBackup(stream))
    dropBackup(stream);
  off64_t result = deviceSeek(stream, place.offset, place.whence);
  if (result == -1)
    return -1;
  stream._flags &= ~kEofSeen;
  stream._offset = result;
  char *base = stream._IO_buf_base;
  setGetArea(stream, base, base, base);
  setPutArea(stream, base, base);
  return result;
}

enum class Absolute { kYes, kNo, kInvalid };

/// Makes `place` one from the start, where that can be known.
Absolute makeAbsolute(Stream &stream, Place &place) {
  if (place.whence == SEEK_CUR) {
    place.offset -= stream._IO_read_end - stream._IO_read_ptr;
    if (stream._offset == kUnknownOffset)
      return Absolute::kNo;
    place.offset += stream._offset;
    if (place.offset < 0) {
      errno = EINVAL;
      return Absolute::kInvalid;
    }
  } else if (place.whence == SEEK_END) {
    struct stat64 status;
    if (!isRegular(stream, status))
      return Absolute::kNo;
    place.offset += status.st_size;
  }
  place.whence = SEEK_SET;
  return Absolute::kYes;
}

bool seekWithinBuffer(Stream &stream, off64_t offset) {
  if (stream._offset == kUnknownOffset || !stream._IO_read_base || isInBackup(stream))
    return false;
  char *base = stream._IO_buf_base;
  off64_t start = stream._offset - (stream._IO_read_end - base);
  if (offset < start || offset >= stream._offset)
    return false;
  setGetArea(stream, base, base + (offset - start), stream._IO_read_end);
  setPutArea(stream, base, base);
  stream._flags &= ~kEofSeen;
  // Another process may have moved the file.
  if (stream._offset >= 0)
    deviceSeek(stream, stream._offset, SEEK_SET);
  return true;
}

/// Moves the file to the start of a block and reads up to `offset` or, if the rest of the buffer is
/// not wanted `exactly`, the whole block.
off64_t seekToBlock(Stream &stream, off64_t offset, bool exactly) {
  char *base = stream._IO_buf_base;
  off64_t size = stream._IO_buf_end - base;
  off64_t block = offset & ~(size - 1);
  off64_t within = offset - block;
  if (within > size) {
    block = offset;
    within = 0;
  }
  off64_t start = deviceSeek(stream, block, SEEK_SET);
  if (start < 0)
    return -1;
  ssize_t count = 0;
  if (within != 0) {
    count = deviceRead(stream, base, static_cast<size_t>(exactly ? within : size));
    if (count < within)
      return seekFile(stream, {count == -1 ? within : within - count, SEEK_CUR});
  }
  setGetArea(stream, base, base + within, base + count);
  setPutArea(stream, base, base);
  stream._offset = start + count;
  stream._flags &= ~kEofSeen;
  return offset;
}

/// Gives a stream that was not used yet its buffer.
void startBuffer(Stream &stream) {
  if (stream._IO_buf_base)
    return;
  if (stream._IO_read_base) {
    programFree(stream._IO_read_base);
    stream._IO_read_base = nullptr;
    stream._flags &= ~kInBackup;
  }
  needBuffer(stream);
  char *base = stream._IO_buf_base;
  setPutArea(stream, base, base);
  setGetArea(stream, base, base, base);
}

off64_t seekDevice(Stream &stream, Place place) {
  if (stream.kind == StreamKind::kCookie)
    stream._offset = kUnknownOffset;
  bool exactly =
      stream._IO_read_base == stream._IO_read_end && stream._IO_write_base == stream._IO_write_ptr;
  bool wasWriting = stream._IO_write_ptr > stream._IO_write_base || isPutting(stream);
  if (wasWriting && stopPutting(stream) == EOF)
    return -1;
  startBuffer(stream);
  switch (makeAbsolute(stream, place)) {
  case Absolute::kInvalid:
    return -1;
  case Absolute::kNo:
    return seekFile(stream, place);
  case Absolute::kYes:
    break;
  }
  dropBackup(stream);
  if (seekWithinBuffer(stream, place.offset))
    return place.offset;
  if (stream._flags & kNoReads)
    return seekFile(stream, place);
  return seekToBlock(stream, place.offset, exactly);
}

/// How far the program is from where the file is.
off64_t distanceFromFile(const Stream &stream, bool hasWrites) {
  if (!stream._IO_buf_base)
    return 0;
  if (!hasWrites)
    return stream._IO_read_ptr - stream._IO_read_end;
  if (stream._flags & kAppending)
    return stream._IO_write_ptr - stream._IO_write_base;
  return stream._IO_write_ptr - stream._IO_read_end;
}

off64_t tellDevice(Stream &stream) {
  if (stream.kind == StreamKind::kCookie)
    stream._offset = kUnknownOffset;
  bool hasWrites = stream._IO_buf_base && stream._IO_write_ptr > stream._IO_write_base;
  if (hasWrites && (stream._flags & kAppending)) {
    off64_t end = deviceSeek(stream, 0, SEEK_END);
    if (end == -1)
      return -1;
    stream._offset = end;
  }
  off64_t place =
      stream._offset != kUnknownOffset ? stream._offset : deviceSeek(stream, 0, SEEK_CUR);
  if (place == -1)
    return -1;
  place += distanceFromFile(stream, hasWrites);
  if (place >= 0)
    return place;
  errno = EINVAL;
  return -1;
}

} // namespace

off64_t streamTell(Stream &stream) {
  off64_t place = isMemory(stream) ? memoryTell(stream) : tellDevice(stream);
  // What was read from the file and is still to come after what was pushed back.
  if (isInBackup(stream) && place != -1)
    place -= stream._IO_save_end - stream._IO_save_base;
  if (place == -1 && errno == 0)
    errno = EIO;
  return place;
}

off64_t streamSeek(Stream &stream, off64_t offset, int whence) {
  if (whence != SEEK_CUR && whence != SEEK_SET && whence != SEEK_END) {
    errno = EINVAL;
    return -1;
  }
  if (stream._mode != 0 && hasBackup(stream)) {
    if (whence == SEEK_CUR && isInBackup(stream))
      offset -= stream._IO_read_end - stream._IO_read_ptr;
    dropBackup(stream);
  }
  return isMemory(stream) ? memorySeek(stream, offset, whence)
                          : seekDevice(stream, {offset, whence});
}

int streamSync(Stream &stream) {
  if (isMemory(stream))
    return memorySync(stream);
  if (stream._IO_write_ptr > stream._IO_write_base && flushPutArea(stream) == EOF)
    return EOF;
  int result = 0;
  if (off64_t ahead = stream._IO_read_ptr - stream._IO_read_end; ahead != 0) {
    if (deviceSeek(stream, ahead, SEEK_CUR) != -1)
      stream._IO_read_end = stream._IO_read_ptr;
    else if (errno != ESPIPE)
      result = EOF;
  }
  if (result != EOF)
    stream._offset = kUnknownOffset;
  return result;
}

bool useBuffer(Stream &stream, char *buffer, size_t size) {
  if (streamSync(stream) == EOF)
    return false;
  if (!buffer || size == 0) {
    stream._flags |= kUnbuffered;
    setBuffer(stream, stream._shortbuf, stream._shortbuf + 1, /*isUsers=*/true);
  } else {
    stream._flags &= ~kUnbuffered;
    setBuffer(stream, buffer, buffer + size, /*isUsers=*/true);
    armExit();
  }
  char *base = isMemory(stream) ? nullptr : stream._IO_buf_base;
  setPutArea(stream, base, base);
  setGetArea(stream, base, base, base);
  return true;
}

} // namespace culprit

// Streams over functions of the program (fopencookie) and over memory of a fixed size (fmemopen).
#include "externals/external.h"
#include "externals/program_heap.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_open.h"

namespace culprit {

const char kStdioCookie = 0;

namespace {

Stream *openCookie(void *cookie, const char *modeText, cookie_io_functions_t functions) {
  OpenMode mode;
  if (!parseDirection(*modeText, mode))
    return nullptr;
  if (modeText[1] == '+' || (modeText[1] == 'b' && modeText[2] == '+'))
    mode.directions &= kAppending;
  Stream *stream = newStream(StreamKind::kCookie, -1);
  if (!stream)
    return nullptr;
  stream->cookie = cookie;
  stream->functions = functions;
  stream->alwaysLocks = true;
  // Neither a file nor closed.
  startFile(*stream, mode.directions, -2);
  return stream;
}

/// What fmemopen reads and writes.
struct FixedMemory {
  char *bytes;
  bool isOwn;
  bool appends;
  size_t size;
  off64_t place;
  size_t end; ///< of what was written, or of all
};

ssize_t readFixed(void *cookie, char *bytes, size_t count) {
  auto &memory = *static_cast<FixedMemory *>(cookie);
  auto place = static_cast<size_t>(memory.place);
  if (place + count > memory.end)
    count = place > memory.end ? 0 : memory.end - place;
  memcpy(bytes, memory.bytes + place, count);
  memory.place += static_cast<off64_t>(count);
  return static_cast<ssize_t>(count);
}

/// A null byte follows what was written, where there is room; where there is none it takes the last
/// byte's place, except when appending.
ssize_t writeFixed(void *cookie, const char *bytes, size_t count) {
  auto &memory = *static_cast<FixedMemory *>(cookie);
  size_t place = memory.appends ? memory.end : static_cast<size_t>(memory.place);
  bool addsNull = count == 0 || bytes[count - 1] != 0;
  if (place + count > memory.size) {
    if (static_cast<size_t>(memory.place) + addsNull >= memory.size) {
      errno = ENOSPC;
      return 0;
    }
    count = memory.size - place;
  }
  memcpy(memory.bytes + place, bytes, count);
  place += count;
  memory.place = static_cast<off64_t>(place);
  if (place <= memory.end)
    return static_cast<ssize_t>(count);
  memory.end = place;
  if (addsNull && place < memory.size)
    memory.bytes[place] = 0;
  else if (addsNull && !memory.appends)
    memory.bytes[memory.size - 1] = 0;
  return static_cast<ssize_t>(count);
}

int seekFixed(void *cookie, off64_t *offset, int whence) {
  auto &memory = *static_cast<FixedMemory *>(cookie);
  off64_t start = 0;
  if (whence == SEEK_CUR)
    start = memory.place;
  else if (whence == SEEK_END)
    start = static_cast<off64_t>(memory.end);
  else if (whence != SEEK_SET)
    return -1;
  off64_t place = start + *offset;
  if (place < 0 || static_cast<size_t>(place) > memory.size) {
    errno = EINVAL;
    return -1;
  }
  *offset = memory.place = place;
  return 0;
}

int closeFixed(void *cookie) {
  auto *memory = static_cast<FixedMemory *>(cookie);
  if (memory->isOwn)
    programFree(memory->bytes);
  programFree(memory);
  return 0;
}

/// Allocates, or takes what it was given; false with errno.
bool takeBytes(FixedMemory &memory, char *bytes, size_t size, const char *mode) {
  memory.isOwn = !bytes;
  memory.bytes = bytes ? bytes : static_cast<char *>(programMalloc(size));
  if (!memory.bytes)
    return false;
  if (bytes && size > -reinterpret_cast<uintptr_t>(bytes)) {
    errno = EINVAL;
    return false;
  }
  if (!bytes || (mode[0] == 'w' && mode[1] == '+'))
    memory.bytes[0] = 0;
  if (bytes && mode[0] == 'a')
    memory.end = strnlen(bytes, size);
  return true;
}

Stream *openFixed(void *bytes, size_t size, const char *mode) {
  auto *memory = static_cast<FixedMemory *>(programCalloc(1, sizeof(FixedMemory)));
  if (!memory)
    return nullptr;
  if (!takeBytes(*memory, static_cast<char *>(bytes), size, mode)) {
    programFree(memory);
    return nullptr;
  }
  memory->size = size;
  if (mode[0] == 'r')
    memory->end = size;
  memory->appends = mode[0] == 'a';
  memory->place = memory->appends ? static_cast<off64_t>(memory->end) : 0;
  Stream *stream = openCookie(memory, mode, {readFixed, writeFixed, seekFixed, closeFixed});
  if (!stream)
    closeFixed(memory);
  return stream;
}

} // namespace

CULPRIT_EXTERNAL FILE *fopencookie(void *cookie, const char *mode,
                                   cookie_io_functions_t functions) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(fopencookie)(cookie, mode, functions);
  return openCookie(cookie, mode, functions);
}

CULPRIT_EXTERNAL FILE *fmemopen(void *bytes, size_t size, const char *mode) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(fmemopen)(bytes, size, mode);
  return openFixed(bytes, size, mode);
}

} // namespace culprit

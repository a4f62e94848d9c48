// Functions of stdio that read or write lines and strings.
#include "externals/external.h"
#include "externals/program_heap.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <limits.h>

extern "C" {
[[noreturn]] void __chk_fail();
char *gets(char *line);
char *__gets_chk(char *line, size_t room);
char *__fgets_chk(char *line, size_t room, int size, FILE *file);
char *__fgets_unlocked_chk(char *line, size_t room, int size, FILE *file);
}

namespace culprit {

const char kStdioLines = 0;

namespace {

/// Reads up to `most` bytes, at most to the end of a line, whose newline is taken, and stored if
/// wanted. How many bytes were stored.
size_t readLine(Stream &stream, char *line, size_t most, bool keepsNewline) {
  if (!orient(stream, -1))
    return 0;
  size_t done = 0;
  while (done < most) {
    if (stream._IO_read_ptr >= stream._IO_read_end && streamPeek(stream) == EOF)
      break;
    auto have = static_cast<size_t>(stream._IO_read_end - stream._IO_read_ptr);
    if (have > most - done)
      have = most - done;
    auto *newline = static_cast<char *>(memchr(stream._IO_read_ptr, '\n', have));
    if (newline)
      have = static_cast<size_t>(newline - stream._IO_read_ptr) + keepsNewline;
    memcpy(line + done, stream._IO_read_ptr, have);
    done += have;
    stream._IO_read_ptr = newline ? newline + 1 : stream._IO_read_ptr + have;
    if (newline)
      break;
  }
  return done;
}

/// Only an error of this very read counts; one of a file that would block counts the next time.
class FreshErrors {
public:
  explicit FreshErrors(Stream &stream) : stream_(stream), old_(stream._flags & kErrorSeen) {
    stream._flags &= ~kErrorSeen;
  }
  ~FreshErrors() { stream_._flags |= old_; }
  FreshErrors(const FreshErrors &) = delete;
  FreshErrors &operator=(const FreshErrors &) = delete;
  bool any() const { return (stream_._flags & kErrorSeen) != 0; }

private:
  Stream &stream_;
  int old_;
};

char *getLine(Stream &stream, char *line, int size) {
  if (size <= 0)
    return nullptr;
  if (size == 1) {
    line[0] = 0;
    return line;
  }
  FreshErrors errors(stream);
  size_t count = readLine(stream, line, static_cast<size_t>(size) - 1, true);
  if (count == 0 || (errors.any() && errno != EAGAIN))
    return nullptr;
  line[count] = 0;
  return line;
}

/// With the room that the compiler knows of: dies when the line does not fit.
char *getLineChecked(Stream &stream, char *line, size_t room, int size) {
  if (size <= 0)
    return nullptr;
  FreshErrors errors(stream);
  size_t most = static_cast<size_t>(size) - 1;
  size_t count = readLine(stream, line, most < room ? most : room, true);
  if (count == 0 || (errors.any() && errno != EAGAIN))
    return nullptr;
  if (count >= room)
    __chk_fail();
  line[count] = 0;
  return line;
}

/// gets: the whole line, whatever the room.
char *getWholeLine(Stream &stream, char *line, size_t room) {
  int first = streamGet(stream);
  if (first == EOF)
    return nullptr;
  size_t count = 0;
  if (first != '\n') {
    int old = stream._flags & kErrorSeen;
    stream._flags &= ~kErrorSeen;
    line[0] = static_cast<char>(first);
    count = readLine(stream, line + 1, room - 1, false) + 1;
    if (stream._flags & kErrorSeen)
      return nullptr;
    stream._flags |= old;
  }
  if (count >= room)
    __chk_fail();
  line[count] = 0;
  return line;
}

/// Room for `count` more bytes and a null; false with errno.
bool reserve(char **line, size_t *size, size_t used, size_t count) {
  if (count >= SSIZE_MAX - used) {
    errno = EOVERFLOW;
    return false;
  }
  size_t needed = used + count + 1;
  if (needed <= *size)
    return true;
  if (needed < 2 * *size)
    needed = 2 * *size;
  auto *grown = static_cast<char *>(programRealloc(*line, needed));
  if (!grown)
    return false;
  *line = grown;
  *size = needed;
  return true;
}

bool startLine(char **line, size_t *size) {
  constexpr size_t kFirstSize = 120;
  if (*line && *size != 0)
    return true;
  *size = kFirstSize;
  *line = static_cast<char *>(programMalloc(kFirstSize));
  return *line != nullptr;
}

ssize_t readRecord(Stream &stream, char **line, size_t *size, int delimiter) {
  if ((stream._flags & kErrorSeen) || !startLine(line, size) || !orient(stream, -1))
    return -1;
  size_t used = 0;
  if (stream._IO_read_ptr >= stream._IO_read_end && streamPeek(stream) == EOF)
    return -1;
  while (true) {
    auto have = static_cast<size_t>(stream._IO_read_end - stream._IO_read_ptr);
    auto *end = static_cast<char *>(memchr(stream._IO_read_ptr, delimiter, have));
    if (end)
      have = static_cast<size_t>(end - stream._IO_read_ptr) + 1;
    if (!reserve(line, size, used, have))
      return -1;
    memcpy(*line + used, stream._IO_read_ptr, have);
    stream._IO_read_ptr += have;
    used += have;
    if (end || streamPeek(stream) == EOF)
      break;
  }
  (*line)[used] = 0;
  return static_cast<ssize_t>(used);
}

bool writeText(Stream &stream, const char *text, size_t length) {
  return orient(stream, -1) && streamWrite(stream, text, length) == length;
}

int putLine(Stream &stream, const char *text) {
  size_t length = strlen(text);
  if (!writeText(stream, text, length) || streamPut(stream, '\n') == EOF)
    return EOF;
  return length + 1 > INT_MAX ? INT_MAX : static_cast<int>(length + 1);
}

} // namespace

CULPRIT_EXTERNAL char *fgets(char *line, int size, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fgets)(line, size, file);
  StreamLock lock(*stream);
  return getLine(*stream, line, size);
}

CULPRIT_EXTERNAL char *fgets_unlocked(char *line, int size, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? getLine(*stream, line, size) : CULPRIT_NEXT(fgets_unlocked)(line, size, file);
}

CULPRIT_EXTERNAL char *__fgets_chk(char *line, size_t room, int size, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__fgets_chk)(line, room, size, file);
  StreamLock lock(*stream);
  return getLineChecked(*stream, line, room, size);
}

CULPRIT_EXTERNAL char *__fgets_unlocked_chk(char *line, size_t room, int size, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? getLineChecked(*stream, line, room, size)
                : CULPRIT_NEXT(__fgets_unlocked_chk)(line, room, size, file);
}

CULPRIT_EXTERNAL char *gets(char *line) {
  Stream *stream = ownStream(__culprit_stdin);
  if (!stream)
    return CULPRIT_NEXT(gets)(line); // NOLINT(bugprone-unsafe-functions)
  StreamLock lock(*stream);
  return getWholeLine(*stream, line, INT_MAX);
}

CULPRIT_EXTERNAL char *__gets_chk(char *line, size_t room) {
  Stream *stream = ownStream(__culprit_stdin);
  if (!stream)
    return CULPRIT_NEXT(__gets_chk)(line, room);
  if (room == 0)
    __chk_fail();
  StreamLock lock(*stream);
  return getWholeLine(*stream, line, room);
}

namespace {

ssize_t getRecord(char **line, size_t *size, int delimiter, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__getdelim)(line, size, delimiter, file);
  if (!line || !size) {
    errno = EINVAL;
    return -1;
  }
  StreamLock lock(*stream);
  return readRecord(*stream, line, size, delimiter);
}

} // namespace

CULPRIT_EXTERNAL ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file) {
  return getRecord(line, size, delimiter, file);
}

CULPRIT_EXTERNAL ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file) {
  return getRecord(line, size, delimiter, file);
}

CULPRIT_EXTERNAL ssize_t getline(char **line, size_t *size, FILE *file) {
  return getRecord(line, size, '\n', file);
}

CULPRIT_EXTERNAL int fputs(const char *text, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fputs)(text, file);
  StreamLock lock(*stream);
  return writeText(*stream, text, strlen(text)) ? 1 : EOF;
}

CULPRIT_EXTERNAL int fputs_unlocked(const char *text, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fputs_unlocked)(text, file);
  return writeText(*stream, text, strlen(text)) ? 1 : EOF;
}

CULPRIT_EXTERNAL int puts(const char *text) {
  Stream *stream = ownStream(__culprit_stdout);
  if (!stream) {
    int result = CULPRIT_NEXT(fputs)(text, __culprit_stdout);
    return result == EOF ? EOF : CULPRIT_NEXT(fputc)('\n', __culprit_stdout);
  }
  StreamLock lock(*stream);
  return putLine(*stream, text);
}

} // namespace culprit

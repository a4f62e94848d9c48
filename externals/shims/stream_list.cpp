// All streams that exit has to flush, the three that are there from the start, and whose a FILE is.
//
// libc flushes its own streams last of all, after the functions of atexit and all destructors. Ours
// are flushed then: a stream of libc's with one byte in its buffer, whose write function is ours.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <sched.h>
#include <stdio_ext.h>
#include <stdlib.h>

extern "C" {
// libc's stdin, stdout and stderr, which foreign code has.
extern FILE _IO_2_1_stdin_;
extern FILE _IO_2_1_stdout_;
extern FILE _IO_2_1_stderr_;
}

namespace culprit {
namespace {

constexpr int kStandardFlags = kMagic | kHasDevice | kLinked;

constexpr Stream standardStream(int descriptor, int flags, FILE *next) {
  Stream stream{};
  stream._flags = kStandardFlags | flags;
  stream._fileno = descriptor;
  stream._offset = kUnknownOffset;
  stream._chain = next;
  stream.mark = kStreamMark;
  stream.kind = StreamKind::kFile;
  stream.mutex = kStreamMutex;
  return stream;
}

} // namespace

constinit Stream g_standardStreams[3] = {
    standardStream(0, kNoWrites, nullptr),
    standardStream(1, kNoReads, &g_standardStreams[0]),
    standardStream(2, kNoReads | kUnbuffered, &g_standardStreams[1]),
};

extern "C" {
__attribute__((weak, visibility("default"))) FILE *__culprit_stdin = &g_standardStreams[0];
__attribute__((weak, visibility("default"))) FILE *__culprit_stdout = &g_standardStreams[1];
__attribute__((weak, visibility("default"))) FILE *__culprit_stderr = &g_standardStreams[2];
}

namespace {

Stream *g_first = &g_standardStreams[2]; ///< the newest
pthread_mutex_t g_listMutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

class ListLock {
public:
  ListLock() : isHeld_(!__libc_single_threaded) {
    if (isHeld_)
      pthread_mutex_lock(&g_listMutex);
  }
  ~ListLock() {
    if (isHeld_)
      pthread_mutex_unlock(&g_listMutex);
  }
  ListLock(const ListLock &) = delete;
  ListLock &operator=(const ListLock &) = delete;

private:
  bool isHeld_;
};

Stream *after(const Stream &stream) {
  return static_cast<Stream *>(stream._chain);
}

int flushIfWritten(Stream &stream) {
  return stream._IO_write_ptr > stream._IO_write_base ? streamOverflow(stream, EOF) : 0;
}

} // namespace

Stream *streamElsewhere(FILE *file) {
  if (file == &_IO_2_1_stdout_)
    return &g_standardStreams[1];
  if (file == &_IO_2_1_stderr_)
    return &g_standardStreams[2];
  if (file == &_IO_2_1_stdin_)
    return &g_standardStreams[0];
  // A program's own malloc has other addresses.
  constexpr int kMagicMask = static_cast<int>(0xffff0000);
  auto *stream = static_cast<Stream *>(file);
  bool isOurs = file && (file->_flags & kMagicMask) == kMagic && stream->mark == kStreamMark;
  return isOurs ? stream : nullptr;
}

void linkStream(Stream &stream) {
  if (stream._flags & kLinked)
    return;
  stream._flags |= kLinked;
  ListLock lock;
  stream._chain = g_first;
  g_first = &stream;
}

void unlinkStream(Stream &stream) {
  if (!(stream._flags & kLinked))
    return;
  stream._flags &= ~kLinked;
  ListLock lock;
  if (g_first == &stream) {
    g_first = after(stream);
    return;
  }
  for (Stream *other = g_first; other; other = after(*other))
    if (other->_chain == &stream) {
      other->_chain = stream._chain;
      return;
    }
}

Stream *firstStream() {
  return g_first;
}

int flushAllStreams() {
  ListLock lock;
  int result = 0;
  for (Stream *stream = g_first; stream; stream = after(*stream)) {
    StreamLock streamLock(*stream);
    if (flushIfWritten(*stream) == EOF)
      result = EOF;
  }
  return result;
}

void flushLineBuffered() {
  ListLock lock;
  for (Stream *stream = g_first; stream; stream = after(*stream)) {
    StreamLock streamLock(*stream);
    if ((stream->_flags & kNoWrites) == 0 && (stream->_flags & kLineBuffered) != 0)
      streamOverflow(*stream, EOF);
  }
}

namespace {

/// Another thread may hold the stream for good; it gets a little time.
bool lockBriefly(Stream &stream) {
  if (__libc_single_threaded)
    return false;
  if (pthread_mutex_trylock(&stream.mutex) == 0)
    return true;
  sched_yield();
  return pthread_mutex_trylock(&stream.mutex) == 0;
}

/// Writes what is left, brings files to where the program has read, and keeps no buffer any more.
void finishAll() {
  ListLock lock;
  for (Stream *stream = g_first; stream; stream = after(*stream))
    flushIfWritten(*stream);
  for (Stream *stream = g_first; stream; stream = after(*stream)) {
    if ((stream->_flags & kUnbuffered) == 0 && stream->_mode != 0) {
      bool isHeld = lockBriefly(*stream);
      stream->_flags |= kUserBuffer; // Nothing is freed any more.
      useBuffer(*stream, nullptr, 0);
      if (isHeld)
        pthread_mutex_unlock(&stream->mutex);
    }
    stream->_mode = -1;
  }
}

// libc's stream: no memory of the program's, so the pointer is with the runtime's variables.
CULPRIT_OUTSIDE FILE *g_atExit;
CULPRIT_OUTSIDE bool g_flushesForeign;

ssize_t onForeignFlush(void *, const char *, size_t count) {
  if (!g_flushesForeign)
    finishAll();
  return static_cast<ssize_t>(count);
}

void fillExitStream() {
  if (g_atExit)
    CULPRIT_NEXT(fputc)(0, g_atExit);
}

/// The child of a process with threads has only one: nobody will unlock what the others held.
void unlockInChild() {
  g_listMutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  for (Stream *stream = g_first; stream; stream = after(*stream))
    stream->mutex = kStreamMutex;
}

} // namespace

void armExit() {
  static bool isArmed;
  if (isArmed)
    return;
  isArmed = true;
  int saved = errno;
  cookie_io_functions_t functions = {nullptr, onForeignFlush, nullptr, nullptr};
  g_atExit = CULPRIT_NEXT(fopencookie)(nullptr, "w", functions);
  static char buffer[16];
  if (g_atExit)
    CULPRIT_NEXT(setvbuf)(g_atExit, buffer, _IOFBF, sizeof buffer);
  else
    atexit(finishAll);
  fillExitStream();
  pthread_atfork(nullptr, nullptr, unlockInChild);
  errno = saved;
}

namespace {

/// While there is memory.
__attribute__((constructor(101))) void armAtStart() {
  armExit();
}

} // namespace

namespace {

/// The program's streams and libc's.
int flushEverything() {
  int result = flushAllStreams();
  g_flushesForeign = true;
  int foreign = CULPRIT_NEXT(fflush)(nullptr);
  g_flushesForeign = false;
  fillExitStream();
  return result == EOF ? EOF : foreign;
}

} // namespace

CULPRIT_EXTERNAL int fflush(FILE *file) {
  if (!file)
    return flushEverything();
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fflush)(file);
  StreamLock lock(*stream);
  return streamSync(*stream) == 0 ? 0 : EOF;
}

CULPRIT_EXTERNAL int fflush_unlocked(FILE *file) {
  if (!file)
    return flushEverything();
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fflush_unlocked)(file);
  return streamSync(*stream) == 0 ? 0 : EOF;
}

CULPRIT_EXTERNAL void _flushlbf() {
  flushLineBuffered();
  CULPRIT_NEXT(_flushlbf)();
}

/// Naming them takes them all: see stdio_parts.h.
__attribute__((used)) const char *const g_stdioParts[] = {
    &kStdioBlocks, &kStdioBytes,  &kStdioCookie, &kStdioDatabases, &kStdioLines,
    &kStdioMounts, &kStdioOpen,   &kStdioPopen,  &kStdioPosition,  &kStdioPrint,
    &kStdioScan,   &kStdioStatus, &kStdioWide,   &kStdioWidePrint, &kStdioWideScan,
};

/// As glibc has it: everything is written out, nothing is closed.
CULPRIT_EXTERNAL int fcloseall() {
  return fflush(nullptr);
}

} // namespace culprit

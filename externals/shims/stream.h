// Streams of stdio: FILE objects in memory of the program, over read, write and lseek.
//
// A stream begins with glibc's own struct, because headers inline getc_unlocked and its like and
// programs (gnulib's) look at other members, too; behind it are members of our own. The struct's
// pointers mean what they mean in glibc:
//
//   buffer     [_IO_buf_base, _IO_buf_end)
//   get area   [_IO_read_base, _IO_read_end), read up to _IO_read_ptr; the file offset is at its
//   end put area   [_IO_write_base, _IO_write_ptr) waits to be written, up to _IO_write_end is room
//   other area [_IO_save_base, _IO_save_end): bytes pushed back by ungetc are in a get area apart
//              ("backup"); the other of the two is kept here
//
// So that no system call is made or left out that another process could notice, reads, writes and
// seeks come in glibc's order, for glibc's reasons.
//
// All that leaves the program's memory is in stream_device.cpp.
#ifndef CULPRIT_EXTERNALS_SHIMS_STREAM_H
#define CULPRIT_EXTERNALS_SHIMS_STREAM_H

#include "runtime/heap.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <wchar.h>

namespace culprit {

/// Bits of FILE::_flags, as in glibc.
enum StreamFlag : int {
  kUserBuffer = 0x0001,
  kUnbuffered = 0x0002,
  kNoReads = 0x0004,
  kNoWrites = 0x0008,
  kEofSeen = 0x0010,
  kErrorSeen = 0x0020,
  kLinked = 0x0080, ///< in the list of all streams
  kInBackup = 0x0100,
  kLineBuffered = 0x0200,
  kTiedPutGet = 0x0400,
  kPutting = 0x0800,
  kAppending = 0x1000,
  kHasDevice = 0x2000, ///< reads and writes something other than its buffer
  kUserLock = 0x8000,
  kMagic = static_cast<int>(0xfbad0000),
};
inline constexpr int kDirections = kNoReads | kNoWrites | kAppending;

/// Bits of FILE::_flags2.
inline constexpr int kCloseOnExec = 0x40;

inline constexpr off64_t kUnknownOffset = -1;
inline constexpr size_t kDefaultBufferSize = 8192;
/// What glibc allocates for a FILE.
inline constexpr size_t kFileSize = 552;
/// Where glibc has a pointer to functions.
inline constexpr uint64_t kStreamMark = 0x6d61657274735f63;

enum class StreamKind : uint8_t {
  kFile,
  kChild,      ///< popen
  kCookie,     ///< fopencookie, fmemopen
  kMemory,     ///< open_memstream
  kWideMemory, ///< open_wmemstream
};

struct Stream : _IO_FILE {
  uint64_t mark;
  StreamKind kind;
  bool alwaysLocks; ///< also while there is one thread: it calls functions of the program
  pid_t child;
  pthread_mutex_t mutex;
  mbstate_t inState;  ///< of the bytes that wide characters are read from
  mbstate_t outState; ///< of those that they are written to
  void *cookie;
  cookie_io_functions_t functions;
  char **memory; ///< where open_memstream tells buffer and size
  size_t *memorySize;
  size_t wideCount; ///< characters put since the last flush of a wide stream
};
static_assert(sizeof(_IO_FILE) == 216 && sizeof(Stream) <= kFileSize);

inline constexpr pthread_mutex_t kStreamMutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

extern "C" {
/// The program's stdin, stdout and stderr: it may assign to them. A program that defines such a
/// variable gives it this name, too.
extern __attribute__((visibility("default"))) FILE *__culprit_stdin;
extern __attribute__((visibility("default"))) FILE *__culprit_stdout;
extern __attribute__((visibility("default"))) FILE *__culprit_stderr;
}

/// What they are at first.
extern Stream g_standardStreams[3];

// stream_list.cpp

/// The stream of a file that is neither in the program's heap nor one of the three: libc's three
/// stand for ours, so that foreign code and the program share a buffer; null for other files.
Stream *streamElsewhere(FILE *file);

/// The stream behind `file`; null for what is libc's business, null pointers among it.
inline Stream *ownStream(FILE *file) {
  auto *stream = static_cast<Stream *>(file);
  if ((stream >= g_standardStreams && stream < g_standardStreams + 3) || isHeapAddress(file))
      [[likely]]
    return stream;
  return streamElsewhere(file);
}

/// The newest of all; the others follow by their _chain.
Stream *firstStream();
void linkStream(Stream &stream);
void unlinkStream(Stream &stream);
/// fflush(NULL) for our streams; 0 or EOF.
int flushAllStreams();
void flushLineBuffered();
/// Makes sure that exit flushes our streams; done at the start, too.
void armExit();

/// Holds a stream while it is used, unless there is nobody else.
class StreamLock {
public:
  /// Whether there is anybody else.
  static bool isNeeded(const Stream &stream) {
    return (!__libc_single_threaded || stream.alwaysLocks) && !(stream._flags & kUserLock);
  }
  explicit StreamLock(Stream &stream) : stream_(stream), isHeld_(isNeeded(stream)) {
    if (isHeld_)
      pthread_mutex_lock(&stream_.mutex);
  }
  ~StreamLock() {
    if (isHeld_)
      pthread_mutex_unlock(&stream_.mutex);
  }
  StreamLock(const StreamLock &) = delete;
  StreamLock &operator=(const StreamLock &) = delete;

private:
  Stream &stream_;
  bool isHeld_;
};

// stream_device.cpp

int deviceOpen(const char *path, int flags, mode_t mode);
ssize_t deviceRead(Stream &stream, char *bytes, size_t count);
/// Writes all, unless there is an error, which is noted; gives how many bytes were written.
size_t deviceWrite(Stream &stream, const char *bytes, size_t count);
off64_t deviceSeek(Stream &stream, off64_t offset, int whence);
bool deviceStatus(Stream &stream, struct stat64 &status);
int deviceClose(Stream &stream);
bool isTerminal(int descriptor);

// stream_buffer.cpp

void initStream(Stream &stream, StreamKind kind, int orientation);
/// Allocates a FILE and makes it a stream that is not open yet; null without memory.
Stream *newStream(StreamKind kind, int orientation);
void setBuffer(Stream &stream, char *begin, char *end, bool isUsers);
/// Sees to it that there is a buffer.
void needBuffer(Stream &stream);
/// The same for a stream that is not unbuffered; false without memory.
bool allocateBuffer(Stream &stream);

// stream_output.cpp

/// Writes `count` bytes and makes the put area empty; gives how many were written.
size_t writeThrough(Stream &stream, const char *bytes, size_t count);
/// Writes the put area; 0 or EOF.
int flushPutArea(Stream &stream);
/// Makes room and puts `byte` there, or only flushes if it is EOF. EOF on failure.
int streamOverflow(Stream &stream, int byte);
/// Puts a byte when there is no room.
int streamPutMore(Stream &stream, int byte);
/// How many bytes were taken; SIZE_MAX if all were but flushing failed.
size_t streamWrite(Stream &stream, const char *bytes, size_t count);
/// Puts the bytes of a wide character into the buffer, if there is one; false on failure. Line ends
/// are the caller's business.
bool streamPutCharacter(Stream &stream, const char *bytes, size_t count);
/// From writing to reading; 0 or EOF.
int stopPutting(Stream &stream);

// stream_input.cpp

/// Finds input if the get area is empty; the next byte without taking it, or EOF.
int streamPeek(Stream &stream);
int streamUnderflow(Stream &stream);
/// Takes a byte when the get area is empty.
int streamGetMore(Stream &stream);
size_t streamRead(Stream &stream, char *bytes, size_t count);
int streamUnget(Stream &stream, int byte);
/// From the bytes that were pushed back to those of the buffer.
void leaveBackup(Stream &stream);
void dropBackup(Stream &stream);

// stream_position.cpp

/// -1 with errno on failure.
off64_t streamTell(Stream &stream);
off64_t streamSeek(Stream &stream, off64_t offset, int whence);
/// fflush; 0 or EOF.
int streamSync(Stream &stream);
bool useBuffer(Stream &stream, char *buffer, size_t size);

// stream_memory.cpp

int memoryOverflow(Stream &stream, int byte);
int memoryUnderflow(Stream &stream);
off64_t memorySeek(Stream &stream, off64_t offset, int whence);
off64_t memoryTell(Stream &stream);
int memorySync(Stream &stream);
void memoryFinish(Stream &stream);

// stdio_wide.cpp

/// WEOF on failure.
wint_t getWide(Stream &stream);
wint_t putWide(Stream &stream, wchar_t character);
/// Puts characters to a wide stream as one piece of text; false on failure.
bool putWideText(Stream &stream, const wchar_t *text, size_t count);
/// Gives a character back to be read next; WEOF on failure.
wint_t ungetWide(Stream &stream, wint_t character);

// The rest is small enough to be here.

inline bool isMemory(const Stream &stream) {
  return stream.kind == StreamKind::kMemory || stream.kind == StreamKind::kWideMemory;
}

inline void setGetArea(Stream &stream, char *base, char *next, char *end) {
  stream._IO_read_base = base;
  stream._IO_read_ptr = next;
  stream._IO_read_end = end;
}

/// An empty put area at `base`.
inline void setPutArea(Stream &stream, char *base, char *end) {
  stream._IO_write_base = stream._IO_write_ptr = base;
  stream._IO_write_end = end;
}

inline bool isPutting(const Stream &stream) {
  return (stream._flags & kPutting) != 0;
}
inline bool isInBackup(const Stream &stream) {
  return (stream._flags & kInBackup) != 0;
}
inline bool hasBackup(const Stream &stream) {
  return stream._IO_save_base != nullptr;
}

/// Makes an undecided stream one of bytes (-1) or wide characters (1); whether it is one now.
inline bool orient(Stream &stream, int orientation) {
  if (stream._mode == 0) {
    stream._mode = orientation;
    if (orientation > 0)
      stream.inState = stream.outState = {};
  }
  return (stream._mode > 0) == (orientation > 0);
}

/// Whether a stream may be used for bytes (-1) or wide characters (1) in a direction: `forbidden`
/// is kNoReads or kNoWrites. If that is all that is wrong, notes and tells the error.
inline bool mayUse(Stream &stream, int orientation, int forbidden) {
  if (!orient(stream, orientation))
    return false;
  if (!(stream._flags & forbidden))
    return true;
  if (forbidden == kNoWrites)
    stream._flags |= kErrorSeen;
  errno = EBADF;
  return false;
}

inline int streamGet(Stream &stream) {
  if (stream._IO_read_ptr < stream._IO_read_end) [[likely]]
    return static_cast<unsigned char>(*stream._IO_read_ptr++);
  return streamGetMore(stream);
}

inline int streamPut(Stream &stream, int byte) {
  if (stream._IO_write_ptr < stream._IO_write_end) [[likely]]
    return static_cast<unsigned char>(*stream._IO_write_ptr++ = static_cast<char>(byte));
  return streamPutMore(stream, byte);
}

} // namespace culprit
#endif

// What streams read and write: files, children's pipes, and the program's own functions.
//
// Files are reached through names of libc's functions that programs do not define: a function
// `read` or `write` of the program's is not what its streams use.
#include "externals/shims/stream.h"

#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>

extern "C" {
ssize_t __read(int descriptor, void *bytes, size_t count);
ssize_t __write(int descriptor, const void *bytes, size_t count);
off_t __lseek(int descriptor, off_t offset, int whence);
int __open64(const char *path, int flags, ...);
int __close(int descriptor);
pid_t __waitpid(pid_t child, int *status, int options);
int __fxstat64(int version, int descriptor, struct stat64 *status);
}

namespace culprit {
namespace {

ssize_t cookieRead(Stream &stream, char *bytes, size_t count) {
  if (!stream.functions.read)
    return -1;
  return stream.functions.read(stream.cookie, bytes, count);
}

size_t cookieWrite(Stream &stream, const char *bytes, size_t count) {
  ssize_t written =
      stream.functions.write ? stream.functions.write(stream.cookie, bytes, count) : 0;
  if (written < static_cast<ssize_t>(count))
    stream._flags |= kErrorSeen;
  return static_cast<size_t>(written);
}

off64_t cookieSeek(Stream &stream, off64_t offset, int whence) {
  if (!stream.functions.seek || stream.functions.seek(stream.cookie, &offset, whence) == -1)
    return -1;
  return offset;
}

/// The status that the child ended with.
int waitForChild(pid_t child) {
  int status = 0;
  pid_t ended;
  int cancelState;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelState);
  do
    ended = __waitpid(child, &status, 0);
  while (ended == -1 && errno == EINTR);
  pthread_setcancelstate(cancelState, nullptr);
  return ended == -1 ? -1 : status;
}

} // namespace

int deviceOpen(const char *path, int flags, mode_t mode) {
  return __open64(path, flags, mode);
}

ssize_t deviceRead(Stream &stream, char *bytes, size_t count) {
  if (stream.kind == StreamKind::kCookie)
    return cookieRead(stream, bytes, count);
  return __read(stream._fileno, bytes, count);
}

size_t deviceWrite(Stream &stream, const char *bytes, size_t count) {
  if (stream.kind == StreamKind::kCookie)
    return cookieWrite(stream, bytes, count);
  size_t written = 0;
  while (written < count) {
    ssize_t more = __write(stream._fileno, bytes + written, count - written);
    if (more < 0) {
      stream._flags |= kErrorSeen;
      break;
    }
    written += static_cast<size_t>(more);
  }
  if (stream._offset >= 0)
    stream._offset += static_cast<off64_t>(written);
  return written;
}

off64_t deviceSeek(Stream &stream, off64_t offset, int whence) {
  if (stream.kind == StreamKind::kCookie)
    return cookieSeek(stream, offset, whence);
  return __lseek(stream._fileno, offset, whence);
}

bool deviceStatus(Stream &stream, struct stat64 &status) {
  constexpr int kVersion = 1;
  return stream.kind != StreamKind::kCookie && __fxstat64(kVersion, stream._fileno, &status) == 0;
}

int deviceClose(Stream &stream) {
  if (stream.kind == StreamKind::kCookie)
    return stream.functions.close ? stream.functions.close(stream.cookie) : 0;
  int result = __close(stream._fileno);
  if (stream.kind != StreamKind::kChild || result < 0)
    return result;
  return waitForChild(stream.child);
}

bool isTerminal(int descriptor) {
  struct termios settings;
  int saved = errno;
  bool result = tcgetattr(descriptor, &settings) == 0;
  errno = saved;
  return result;
}

} // namespace culprit

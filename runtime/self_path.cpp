// The program's own path: /proc/self/exe is the twin in the cache; the program must see itself.
//
// These functions are interposed in the whole process, as a program may interpose any libc
// function. The definitions are weak: a program that brings its own keeps it. A name other than the
// program's own goes to the kernel or to libc as it is.
#include "runtime/self_path.h"

#include "runtime/hooks.h"
#include "runtime/images.h"
#include "runtime/recording.h"
#include "runtime/safe_read.h"
#include "runtime/stack_view.h"
#include "runtime/start.h"
#include "runtime/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>

// Names under which libc exports the functions that are interposed here.
extern "C" {
char *__realpath_chk(const char *path, char *resolved, size_t size);
int __open64(const char *path, int flags, ...);
int __openat64_2(int folder, const char *path, int flags);
}

namespace culprit {
namespace {

/// Whether a path can be looked at. Of a pointer to nowhere the kernel says EFAULT, so it goes
/// there as it is. What is shorter than the eight bytes that are asked for is no name of the
/// program.
bool isThere(const char *path) {
  return isReadable(reinterpret_cast<uint64_t>(path));
}

bool namesSelf(const char *path) {
  if (strcmp(path, "/proc/self/exe") == 0 || strcmp(path, "/proc/thread-self/exe") == 0)
    return true;
  if (strncmp(path, "/proc/", 6) != 0)
    return false;
  long pid = 0;
  const char *digit = path + 6;
  for (; *digit >= '0' && *digit <= '9'; ++digit)
    pid = pid * 10 + (*digit - '0');
  return strcmp(digit, "/exe") == 0 && pid == programSyscall(SYS_getpid);
}

const char *translateThere(const char *path) {
  const char *program = startInfo().program;
  return program && namesSelf(path) ? program : path;
}

long asErrno(long result) {
  if (result >= 0)
    return result;
  errno = static_cast<int>(-result);
  return -1;
}

ssize_t readLink(int folder, const char *path, char *buffer, size_t size) {
  const char *program = startInfo().program;
  if (program && isThere(path) && namesSelf(path)) {
    size_t length = strlen(program);
    size_t count = length < size ? length : size;
    memcpy(buffer, program, count);
    return static_cast<ssize_t>(count);
  }
  return asErrno(programSyscall(SYS_readlinkat, folder, address(path), address(buffer),
                                static_cast<long>(size)));
}

int openFile(int folder, const char *path, int flags, mode_t mode) {
  path = translateSelf(path);
  if ((flags & (O_CREAT | O_TMPFILE)) == 0)
    return __openat64_2(folder, path, flags);
  return static_cast<int>(asErrno(programSyscall(SYS_openat, folder, address(path), flags, mode)));
}

/// A block of libc's that the program is to free becomes one of its own.
char *forCaller(char *path, const void *caller) {
  if (!path || !isInImage(caller))
    return path;
  size_t size = strlen(path) + 1;
  void *own = malloc(size);
  if (own)
    memcpy(own, path, size);
  free(path);
  return static_cast<char *>(own);
}

mode_t modeFrom(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

} // namespace

const char *translateSelf(const char *path) {
  return isThere(path) ? translateThere(path) : path;
}

CULPRIT_EXPORT __attribute__((weak)) ssize_t readlink(const char *path, char *buffer, size_t size) {
  return readLink(AT_FDCWD, path, buffer, size);
}

CULPRIT_EXPORT __attribute__((weak)) ssize_t readlinkat(int folder, const char *path, char *buffer,
                                                        size_t size) {
  return readLink(folder, path, buffer, size);
}

CULPRIT_EXPORT __attribute__((weak)) char *realpath(const char *path, char *resolved) {
  char *real = __realpath_chk(translateSelf(path), resolved, PATH_MAX);
  return resolved ? real : forCaller(real, __builtin_return_address(0));
}

CULPRIT_EXPORT __attribute__((weak)) char *canonicalize_file_name(const char *path) {
  return forCaller(__realpath_chk(translateSelf(path), nullptr, PATH_MAX),
                   __builtin_return_address(0));
}

CULPRIT_EXPORT __attribute__((weak)) int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = modeFrom(flags, arguments);
  va_end(arguments);
  if (isThere(path)) {
    noteOpened(path, __builtin_return_address(0));
    path = translateThere(path);
  }
  return __open64(path, flags, mode);
}

CULPRIT_EXPORT __attribute__((weak)) int open64(const char *path, int flags, ...)
    __attribute__((alias("open")));

CULPRIT_EXPORT __attribute__((weak)) int openat(int folder, const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = modeFrom(flags, arguments);
  va_end(arguments);
  return openFile(folder, path, flags, mode);
}

CULPRIT_EXPORT __attribute__((weak)) int openat64(int folder, const char *path, int flags, ...)
    __attribute__((alias("openat")));

} // namespace culprit

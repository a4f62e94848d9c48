// Messages that libc's functions write to stderr: perror, error, err and warn.
//
// In a file apart from the other parts of stdio: programs bring functions of these names.
#include "externals/external.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_open.h"
#include "externals/shims/stream_print.h"

#include <err.h>
#include <error.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr size_t kLongestText = 1024;

const char *errorText(int error, char (&buffer)[kLongestText]) {
  return CULPRIT_NEXT(strerror_r)(error, buffer, kLongestText);
}

/// Holds stderr for a message that is written in pieces.
class StderrLock {
public:
  StderrLock() : stream_(ownStream(__culprit_stderr)) {
    if (stream_)
      pthread_mutex_lock(&stream_->mutex);
  }
  ~StderrLock() {
    if (stream_)
      pthread_mutex_unlock(&stream_->mutex);
  }
  StderrLock(const StderrLock &) = delete;
  StderrLock &operator=(const StderrLock &) = delete;

private:
  Stream *stream_;
};

void flush(FILE *file) {
  Stream *stream = ownStream(file);
  if (stream)
    streamSync(*stream);
  else if (file)
    CULPRIT_NEXT(fflush)(file);
}

/// The message, the text of the error, the end of the line, and of the program if wanted.
void finishError(int status, int error, const char *format, va_list arguments) {
  printTo(__culprit_stderr, 0, format, arguments);
  ++error_message_count;
  char buffer[kLongestText];
  if (error != 0)
    printText(__culprit_stderr, ": %s", errorText(error, buffer));
  printText(__culprit_stderr, "\n");
  flush(__culprit_stderr);
  if (status != 0)
    exit(status);
}

void nameProgram(const char *separator) {
  flush(__culprit_stdout);
  if (error_print_progname)
    error_print_progname();
  else
    printText(__culprit_stderr, "%s%s", program_invocation_name, separator);
}

bool isSamePlace(const char *file, unsigned line) {
  static const char *lastFile;
  static unsigned lastLine;
  bool isSame =
      lastLine == line && (file == lastFile || (lastFile && file && strcmp(lastFile, file) == 0));
  lastFile = file;
  lastLine = line;
  return isSame;
}

void warnWith(const char *format, va_list arguments, bool namesError) {
  int error = errno;
  StderrLock lock;
  printText(__culprit_stderr, "%s: ", program_invocation_short_name);
  if (format)
    printTo(__culprit_stderr, 0, format, arguments);
  char buffer[kLongestText];
  if (namesError)
    printText(__culprit_stderr, "%s%s\n", format ? ": " : "", errorText(error, buffer));
  else
    printText(__culprit_stderr, "\n");
}

} // namespace

namespace {

void sayError(FILE *file, const char *text, int error) {
  char buffer[kLongestText];
  const char *message = errorText(error, buffer);
  bool isNamed = text && *text;
  printText(file, "%s%s%s\n", isNamed ? text : "", isNamed ? ": " : "", message);
}

/// A stream of its own on the file of `stream`, which has not yet been used for bytes or for wide
/// characters; null if there can be none.
Stream *secondStream(Stream *stream) {
  int descriptor = stream && stream->_mode == 0 && stream->_fileno >= 0 ? dup(stream->_fileno) : -1;
  if (descriptor == -1)
    return nullptr;
  Stream *second = attachStream(descriptor, "w+");
  if (!second)
    close(descriptor);
  return second;
}

} // namespace

/// It is not to decide what stderr is used for.
CULPRIT_EXTERNAL void perror(const char *text) {
  int error = errno;
  Stream *stream = ownStream(__culprit_stderr);
  Stream *second = secondStream(stream);
  sayError(second ? second : __culprit_stderr, text, error);
  if (!second)
    return;
  stream->_flags |= second->_flags & kErrorSeen;
  closeStream(*second);
}

CULPRIT_EXTERNAL void psignal(int signal, const char *text) {
  bool isNamed = text && *text;
  const char *name = isNamed ? text : "";
  const char *colon = isNamed ? ": " : "";
  if (const char *message = CULPRIT_NEXT(sigdescr_np)(signal))
    printText(__culprit_stderr, "%s%s%s\n", name, colon, message);
  else
    printText(__culprit_stderr, "%s%sUnknown signal %d\n", name, colon, signal);
}

CULPRIT_EXTERNAL void error(int status, int number, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  StderrLock lock;
  nameProgram(": ");
  finishError(status, number, format, arguments);
  va_end(arguments);
}

CULPRIT_EXTERNAL void error_at_line(int status, int number, const char *file, unsigned line,
                                    const char *format, ...) {
  if (error_one_per_line && isSamePlace(file, line))
    return;
  va_list arguments;
  va_start(arguments, format);
  StderrLock lock;
  nameProgram(":");
  if (file)
    printText(__culprit_stderr, "%s:%u: ", file, line);
  else
    printText(__culprit_stderr, " ");
  finishError(status, number, format, arguments);
  va_end(arguments);
}

CULPRIT_EXTERNAL void vwarn(const char *format, va_list arguments) {
  warnWith(format, arguments, true);
}

CULPRIT_EXTERNAL void vwarnx(const char *format, va_list arguments) {
  warnWith(format, arguments, false);
}

CULPRIT_EXTERNAL void warn(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  warnWith(format, arguments, true);
  va_end(arguments);
}

CULPRIT_EXTERNAL void warnx(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  warnWith(format, arguments, false);
  va_end(arguments);
}

CULPRIT_EXTERNAL void verr(int status, const char *format, va_list arguments) {
  warnWith(format, arguments, true);
  exit(status);
}

CULPRIT_EXTERNAL void verrx(int status, const char *format, va_list arguments) {
  warnWith(format, arguments, false);
  exit(status);
}

CULPRIT_EXTERNAL void err(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  warnWith(format, arguments, true);
  exit(status);
}

CULPRIT_EXTERNAL void errx(int status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  warnWith(format, arguments, false);
  exit(status);
}

} // namespace culprit

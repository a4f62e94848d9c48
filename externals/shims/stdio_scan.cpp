// scanf and its relatives from streams. Conversions are libc's.
#include "externals/external.h"
#include "externals/shims/foreign_view.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <stdarg.h>

extern "C" {
int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments);
int __isoc99_vscanf(const char *format, va_list arguments);
int __isoc99_fscanf(FILE *file, const char *format, ...);
int __isoc99_scanf(const char *format, ...);
}

namespace culprit {

const char kStdioScan = 0;

namespace {

using Scan = int (*)(FILE *, const char *, va_list);

int scanFile(FILE *file, Scan scan, const char *format, va_list arguments) {
  Stream *stream = ownStream(file);
  if (!stream)
    return scan(file, format, arguments);
  StreamLock lock(*stream);
  if (!orient(*stream, -1))
    return EOF;
  if (stream->_flags & kNoReads) {
    stream->_flags |= kErrorSeen;
    errno = EBADF;
    return EOF;
  }
  ForeignView view(*stream, "r");
  return view.file() ? scan(view.file(), format, arguments) : EOF;
}

// Without asm labels the headers rename vfscanf to __isoc99_vfscanf.
int scanOld(FILE *file, const char *format, va_list arguments) {
  static Scan next;
  return scanFile(file, nextFunction(next, "vfscanf"), format, arguments);
}

int scanNew(FILE *file, const char *format, va_list arguments) {
  static Scan next;
  return scanFile(file, nextFunction(next, "__isoc99_vfscanf"), format, arguments);
}

} // namespace

#define CULPRIT_SCAN(scan, file)                                                                   \
  va_list arguments;                                                                               \
  va_start(arguments, format);                                                                     \
  int result = scan(file, format, arguments);                                                      \
  va_end(arguments);                                                                               \
  return result

// The header gives vfscanf and its kin the names of their C99 versions; here are the old ones.

CULPRIT_EXTERNAL int oldVfscanf(FILE *file, const char *format,
                                va_list arguments) __asm__("vfscanf");
CULPRIT_EXTERNAL int oldVscanf(const char *format, va_list arguments) __asm__("vscanf");
CULPRIT_EXTERNAL int oldFscanf(FILE *file, const char *format, ...) __asm__("fscanf");
CULPRIT_EXTERNAL int oldScanf(const char *format, ...) __asm__("scanf");

int oldVfscanf(FILE *file, const char *format, va_list arguments) {
  return scanOld(file, format, arguments);
}

int oldVscanf(const char *format, va_list arguments) {
  return scanOld(__culprit_stdin, format, arguments);
}

int oldFscanf(FILE *file, const char *format, ...) {
  CULPRIT_SCAN(scanOld, file);
}

int oldScanf(const char *format, ...) {
  CULPRIT_SCAN(scanOld, __culprit_stdin);
}

CULPRIT_EXTERNAL int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments) {
  return scanNew(file, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_vscanf(const char *format, va_list arguments) {
  return scanNew(__culprit_stdin, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_fscanf(FILE *file, const char *format, ...) {
  CULPRIT_SCAN(scanNew, file);
}

CULPRIT_EXTERNAL int __isoc99_scanf(const char *format, ...) {
  CULPRIT_SCAN(scanNew, __culprit_stdin);
}

} // namespace culprit

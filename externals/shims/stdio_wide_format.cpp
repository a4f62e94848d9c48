// wprintf, wscanf and their relatives on streams. Formatting is libc's; wscanf on a stream of the
// program's fails with ENOSYS: libc has no wide stream that could be put over one.
#include "externals/external.h"
#include "externals/program_heap.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

#include <stdarg.h>
#include <wchar.h>

extern "C" {
int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list arguments);
int __vwprintf_chk(int flag, const wchar_t *format, va_list arguments);
int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...);
int __wprintf_chk(int flag, const wchar_t *format, ...);
int __isoc99_vfwscanf(FILE *file, const wchar_t *format, va_list arguments);
int __isoc99_vwscanf(const wchar_t *format, va_list arguments);
int __isoc99_fwscanf(FILE *file, const wchar_t *format, ...);
int __isoc99_wscanf(const wchar_t *format, ...);
}

namespace culprit {

const char kStdioWideFormat = 0;

namespace {

/// Whether a wide stream may be used so; notes and tells the error if not.
bool isReady(Stream &stream, int forbidden) {
  if (!orient(stream, 1))
    return false;
  if (!(stream._flags & forbidden))
    return true;
  stream._flags |= kErrorSeen;
  errno = EBADF;
  return false;
}

bool putAll(Stream &stream, const wchar_t *text, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (putWide(stream, text[i]) == WEOF)
      return false;
  return true;
}

int printWide(FILE *file, int flag, const wchar_t *format, va_list arguments) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__vfwprintf_chk)(file, flag, format, arguments);
  StreamLock lock(*stream);
  if (!isReady(*stream, kNoWrites))
    return -1;
  wchar_t *text = nullptr;
  size_t count = 0;
  FILE *memory = CULPRIT_NEXT(open_wmemstream)(&text, &count);
  if (!memory)
    return -1;
  int result = CULPRIT_NEXT(__vfwprintf_chk)(memory, flag, format, arguments);
  int error = errno;
  CULPRIT_NEXT(fclose)(memory);
  bool isWritten = putAll(*stream, text, count);
  if (isWritten)
    errno = error;
  programFree(text);
  return isWritten ? result : -1;
}

using Scan = int (*)(FILE *, const wchar_t *, va_list);

int scanFile(FILE *file, Scan scan, const wchar_t *format, va_list arguments) {
  Stream *stream = ownStream(file);
  if (!stream)
    return scan(file, format, arguments);
  StreamLock lock(*stream);
  if (isReady(*stream, kNoReads))
    errno = ENOSYS;
  return EOF;
}

int scanOld(FILE *file, const wchar_t *format, va_list arguments) {
  static Scan next;
  return scanFile(file, nextFunction(next, "vfwscanf"), format, arguments);
}

int scanNew(FILE *file, const wchar_t *format, va_list arguments) {
  static Scan next;
  return scanFile(file, nextFunction(next, "__isoc99_vfwscanf"), format, arguments);
}

} // namespace

/// The rest of a function whose last named parameter is `format`.
#define CULPRIT_WITH_ARGUMENTS(call)                                                               \
  va_list arguments;                                                                               \
  va_start(arguments, format);                                                                     \
  int result = call;                                                                               \
  va_end(arguments);                                                                               \
  return result

CULPRIT_EXTERNAL int vfwprintf(FILE *file, const wchar_t *format, va_list arguments) {
  return printWide(file, 0, format, arguments);
}

CULPRIT_EXTERNAL int vwprintf(const wchar_t *format, va_list arguments) {
  return printWide(__culprit_stdout, 0, format, arguments);
}

CULPRIT_EXTERNAL int fwprintf(FILE *file, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(printWide(file, 0, format, arguments));
}

CULPRIT_EXTERNAL int wprintf(const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(printWide(__culprit_stdout, 0, format, arguments));
}

CULPRIT_EXTERNAL int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format,
                                     va_list arguments) {
  return printWide(file, flag, format, arguments);
}

CULPRIT_EXTERNAL int __vwprintf_chk(int flag, const wchar_t *format, va_list arguments) {
  return printWide(__culprit_stdout, flag, format, arguments);
}

CULPRIT_EXTERNAL int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(printWide(file, flag, format, arguments));
}

CULPRIT_EXTERNAL int __wprintf_chk(int flag, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(printWide(__culprit_stdout, flag, format, arguments));
}

// The header gives vfwscanf and its kin the names of their C99 versions; here are the old ones.

CULPRIT_EXTERNAL int oldVfwscanf(FILE *file, const wchar_t *format, va_list) __asm__("vfwscanf");
CULPRIT_EXTERNAL int oldVwscanf(const wchar_t *format, va_list arguments) __asm__("vwscanf");
CULPRIT_EXTERNAL int oldFwscanf(FILE *file, const wchar_t *format, ...) __asm__("fwscanf");
CULPRIT_EXTERNAL int oldWscanf(const wchar_t *format, ...) __asm__("wscanf");

int oldVfwscanf(FILE *file, const wchar_t *format, va_list arguments) {
  return scanOld(file, format, arguments);
}

int oldVwscanf(const wchar_t *format, va_list arguments) {
  return scanOld(__culprit_stdin, format, arguments);
}

int oldFwscanf(FILE *file, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(scanOld(file, format, arguments));
}

int oldWscanf(const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(scanOld(__culprit_stdin, format, arguments));
}

CULPRIT_EXTERNAL int __isoc99_vfwscanf(FILE *file, const wchar_t *format, va_list arguments) {
  return scanNew(file, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_vwscanf(const wchar_t *format, va_list arguments) {
  return scanNew(__culprit_stdin, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_fwscanf(FILE *file, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(scanNew(file, format, arguments));
}

CULPRIT_EXTERNAL int __isoc99_wscanf(const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(scanNew(__culprit_stdin, format, arguments));
}

} // namespace culprit

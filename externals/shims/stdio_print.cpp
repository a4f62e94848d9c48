// printf and its relatives to streams. Formatting is libc's.
#include "externals/external.h"
#include "externals/program_heap.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_print.h"

extern "C" {
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list arguments);
int __printf_chk(int flag, const char *format, ...);
int __vsnprintf_chk(char *out, size_t size, int flag, size_t room, const char *format,
                    va_list arguments);
int __vasprintf_chk(char **out, int flag, const char *format, va_list arguments);
int _IO_vfprintf(FILE *file, const char *format, va_list arguments);
int _IO_fprintf(FILE *file, const char *format, ...);
int _IO_printf(const char *format, ...);
}

namespace culprit {

const char kStdioPrint = 0;

namespace {

int putText(Stream &stream, const char *text, int length) {
  if (length <= 0)
    return length;
  auto count = static_cast<size_t>(length);
  return streamWrite(stream, text, count) == count ? length : -1;
}

int print(Stream &stream, int flag, const char *format, va_list arguments) {
  if (!orient(stream, -1))
    return -1;
  if (stream._flags & kNoWrites) {
    stream._flags |= kErrorSeen;
    errno = EBADF;
    return -1;
  }
  constexpr size_t kShort = 1024;
  char text[kShort];
  va_list again;
  va_copy(again, arguments);
  int length = CULPRIT_NEXT(__vsnprintf_chk)(text, kShort, flag, kShort, format, arguments);
  int result;
  if (length < static_cast<int>(kShort)) {
    result = putText(stream, text, length);
  } else {
    char *whole;
    length = CULPRIT_NEXT(__vasprintf_chk)(&whole, flag, format, again);
    result = putText(stream, whole, length);
    programFree(whole);
  }
  va_end(again);
  return result;
}

} // namespace

int printTo(FILE *file, int flag, const char *format, va_list arguments) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__vfprintf_chk)(file, flag, format, arguments);
  StreamLock lock(*stream);
  return print(*stream, flag, format, arguments);
}

int printText(FILE *file, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = printTo(file, 0, format, arguments);
  va_end(arguments);
  return result;
}

/// The rest of a function whose last named parameter is `format`.
#define CULPRIT_PRINT(file, flag)                                                                  \
  va_list arguments;                                                                               \
  va_start(arguments, format);                                                                     \
  int result = printTo(file, flag, format, arguments);                                             \
  va_end(arguments);                                                                               \
  return result

CULPRIT_EXTERNAL int vfprintf(FILE *file, const char *format, va_list arguments) {
  return printTo(file, 0, format, arguments);
}

CULPRIT_EXTERNAL int _IO_vfprintf(FILE *file, const char *format, va_list arguments) {
  return printTo(file, 0, format, arguments);
}

CULPRIT_EXTERNAL int vprintf(const char *format, va_list arguments) {
  return printTo(__culprit_stdout, 0, format, arguments);
}

CULPRIT_EXTERNAL int fprintf(FILE *file, const char *format, ...) {
  CULPRIT_PRINT(file, 0);
}

CULPRIT_EXTERNAL int _IO_fprintf(FILE *file, const char *format, ...) {
  CULPRIT_PRINT(file, 0);
}

CULPRIT_EXTERNAL int printf(const char *format, ...) {
  CULPRIT_PRINT(__culprit_stdout, 0);
}

CULPRIT_EXTERNAL int _IO_printf(const char *format, ...) {
  CULPRIT_PRINT(__culprit_stdout, 0);
}

CULPRIT_EXTERNAL int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments) {
  return printTo(file, flag, format, arguments);
}

CULPRIT_EXTERNAL int __vprintf_chk(int flag, const char *format, va_list arguments) {
  return printTo(__culprit_stdout, flag, format, arguments);
}

CULPRIT_EXTERNAL int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  CULPRIT_PRINT(file, flag);
}

CULPRIT_EXTERNAL int __printf_chk(int flag, const char *format, ...) {
  CULPRIT_PRINT(__culprit_stdout, flag);
}

} // namespace culprit

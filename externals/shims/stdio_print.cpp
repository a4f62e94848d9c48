// printf and its relatives to streams.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_print.h"
#include "externals/shims/stream_sink.h"
#include "externals/shims/variadic.h"

extern "C" {
int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments);
int __fprintf_chk(FILE *file, int flag, const char *format, ...);
int __vprintf_chk(int flag, const char *format, va_list arguments);
int __printf_chk(int flag, const char *format, ...);
int _IO_vfprintf(FILE *file, const char *format, va_list arguments);
int _IO_fprintf(FILE *file, const char *format, ...);
int _IO_printf(const char *format, ...);
}

namespace culprit {

const char kStdioPrint = 0;

namespace {

int print(Stream &stream, int flag, const char *format, va_list arguments) {
  return mayUse(stream, -1, kNoWrites) ? formatToStream(stream, format, arguments, flag > 0) : -1;
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
  CULPRIT_WITH_ARGUMENTS(format, printTo(file, 0, format, arguments));
}

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
  CULPRIT_WITH_ARGUMENTS(format, printTo(file, 0, format, arguments));
}

CULPRIT_EXTERNAL int _IO_fprintf(FILE *file, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printTo(file, 0, format, arguments));
}

CULPRIT_EXTERNAL int printf(const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printTo(__culprit_stdout, 0, format, arguments));
}

CULPRIT_EXTERNAL int _IO_printf(const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printTo(__culprit_stdout, 0, format, arguments));
}

CULPRIT_EXTERNAL int __vfprintf_chk(FILE *file, int flag, const char *format, va_list arguments) {
  return printTo(file, flag, format, arguments);
}

CULPRIT_EXTERNAL int __vprintf_chk(int flag, const char *format, va_list arguments) {
  return printTo(__culprit_stdout, flag, format, arguments);
}

CULPRIT_EXTERNAL int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printTo(file, flag, format, arguments));
}

CULPRIT_EXTERNAL int __printf_chk(int flag, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printTo(__culprit_stdout, flag, format, arguments));
}

} // namespace culprit

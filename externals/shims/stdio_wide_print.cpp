// wprintf and its relatives to streams.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/stream_sink.h"
#include "externals/shims/variadic.h"

#include <wchar.h>

extern "C" {
int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format, va_list arguments);
int __vwprintf_chk(int flag, const wchar_t *format, va_list arguments);
int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...);
int __wprintf_chk(int flag, const wchar_t *format, ...);
}

namespace culprit {

const char kStdioWidePrint = 0;

namespace {

int printWide(FILE *file, int flag, const wchar_t *format, va_list arguments) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__vfwprintf_chk)(file, flag, format, arguments);
  StreamLock lock(*stream);
  return mayUse(*stream, 1, kNoWrites) ? formatToStream(*stream, format, arguments, flag > 0) : -1;
}

} // namespace

CULPRIT_EXTERNAL int vfwprintf(FILE *file, const wchar_t *format, va_list arguments) {
  return printWide(file, 0, format, arguments);
}

CULPRIT_EXTERNAL int vwprintf(const wchar_t *format, va_list arguments) {
  return printWide(__culprit_stdout, 0, format, arguments);
}

CULPRIT_EXTERNAL int fwprintf(FILE *file, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printWide(file, 0, format, arguments));
}

CULPRIT_EXTERNAL int wprintf(const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printWide(__culprit_stdout, 0, format, arguments));
}

CULPRIT_EXTERNAL int __vfwprintf_chk(FILE *file, int flag, const wchar_t *format,
                                     va_list arguments) {
  return printWide(file, flag, format, arguments);
}

CULPRIT_EXTERNAL int __vwprintf_chk(int flag, const wchar_t *format, va_list arguments) {
  return printWide(__culprit_stdout, flag, format, arguments);
}

CULPRIT_EXTERNAL int __fwprintf_chk(FILE *file, int flag, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printWide(file, flag, format, arguments));
}

CULPRIT_EXTERNAL int __wprintf_chk(int flag, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, printWide(__culprit_stdout, flag, format, arguments));
}

} // namespace culprit

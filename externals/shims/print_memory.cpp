// The functions of printf's family that write into memory or to file descriptors, under libc's
// names, with those that fortified programs call. What a foreign library prints is libc's affair.
#include "externals/external.h"
#include "externals/shims/format_memory.h"
#include "externals/shims/variadic.h"

#include <stddef.h>
#include <stdio.h>
#include <wchar.h>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
[[noreturn]] void __chk_fail();
int __vsprintf_chk(char *buffer, int flag, size_t room, const char *format, va_list arguments);
int __vsnprintf_chk(char *buffer, size_t size, int flag, size_t room, const char *format,
                    va_list arguments);
int __vasprintf_chk(char **result, int flag, const char *format, va_list arguments);
int __vdprintf_chk(int descriptor, int flag, const char *format, va_list arguments);
int __vswprintf_chk(wchar_t *buffer, size_t size, int flag, size_t room, const wchar_t *format,
                    va_list arguments);
}

namespace culprit {
namespace {

int checkedUnbounded(char *buffer, int flag, size_t room, const char *format, va_list arguments) {
  if (room == 0)
    __chk_fail();
  return formatChecked(buffer, room, format, arguments, flag > 0);
}

int checkedBounded(char *buffer, size_t size, int flag, size_t room, const char *format,
                   va_list arguments) {
  if (room < size)
    __chk_fail();
  return formatBounded(buffer, size, format, arguments, flag > 0);
}

int checkedWide(wchar_t *buffer, size_t size, int flag, size_t room, const wchar_t *format,
                va_list arguments) {
  if (room < size)
    __chk_fail();
  return formatWide(buffer, size, format, arguments, flag > 0);
}

} // namespace

CULPRIT_EXTERNAL int vsprintf(char *buffer, const char *format, va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM ? formatUnbounded(buffer, format, arguments)
                                   : CULPRIT_NEXT(vsprintf)(buffer, format, arguments);
}

CULPRIT_EXTERNAL int vsnprintf(char *buffer, size_t size, const char *format, va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM ? formatBounded(buffer, size, format, arguments, false)
                                   : CULPRIT_NEXT(vsnprintf)(buffer, size, format, arguments);
}

CULPRIT_EXTERNAL int vasprintf(char **result, const char *format, va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM ? formatAllocated(result, format, arguments, false)
                                   : CULPRIT_NEXT(vasprintf)(result, format, arguments);
}

CULPRIT_EXTERNAL int vdprintf(int descriptor, const char *format, va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM ? formatDescriptor(descriptor, format, arguments, false)
                                   : CULPRIT_NEXT(vdprintf)(descriptor, format, arguments);
}

CULPRIT_EXTERNAL int vswprintf(wchar_t *buffer, size_t size, const wchar_t *format,
                               va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM ? formatWide(buffer, size, format, arguments, false)
                                   : CULPRIT_NEXT(vswprintf)(buffer, size, format, arguments);
}

CULPRIT_EXTERNAL int sprintf(char *buffer, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, CULPRIT_CALLED_BY_PROGRAM
                                     ? formatUnbounded(buffer, format, arguments)
                                     : CULPRIT_NEXT(vsprintf)(buffer, format, arguments));
}

CULPRIT_EXTERNAL int snprintf(char *buffer, size_t size, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, CULPRIT_CALLED_BY_PROGRAM
                                     ? formatBounded(buffer, size, format, arguments, false)
                                     : CULPRIT_NEXT(vsnprintf)(buffer, size, format, arguments));
}

CULPRIT_EXTERNAL int asprintf(char **result, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, CULPRIT_CALLED_BY_PROGRAM
                                     ? formatAllocated(result, format, arguments, false)
                                     : CULPRIT_NEXT(vasprintf)(result, format, arguments));
}

CULPRIT_EXTERNAL int dprintf(int descriptor, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, CULPRIT_CALLED_BY_PROGRAM
                                     ? formatDescriptor(descriptor, format, arguments, false)
                                     : CULPRIT_NEXT(vdprintf)(descriptor, format, arguments));
}

CULPRIT_EXTERNAL int swprintf(wchar_t *buffer, size_t size, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, CULPRIT_CALLED_BY_PROGRAM
                                     ? formatWide(buffer, size, format, arguments, false)
                                     : CULPRIT_NEXT(vswprintf)(buffer, size, format, arguments));
}

CULPRIT_EXTERNAL int __vsprintf_chk(char *buffer, int flag, size_t room, const char *format,
                                    va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM
             ? checkedUnbounded(buffer, flag, room, format, arguments)
             : CULPRIT_NEXT(__vsprintf_chk)(buffer, flag, room, format, arguments);
}

CULPRIT_EXTERNAL int __vsnprintf_chk(char *buffer, size_t size, int flag, size_t room,
                                     const char *format, va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM
             ? checkedBounded(buffer, size, flag, room, format, arguments)
             : CULPRIT_NEXT(__vsnprintf_chk)(buffer, size, flag, room, format, arguments);
}

CULPRIT_EXTERNAL int __vasprintf_chk(char **result, int flag, const char *format,
                                     va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM ? formatAllocated(result, format, arguments, flag > 0)
                                   : CULPRIT_NEXT(__vasprintf_chk)(result, flag, format, arguments);
}

CULPRIT_EXTERNAL int __vdprintf_chk(int descriptor, int flag, const char *format,
                                    va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM
             ? formatDescriptor(descriptor, format, arguments, flag > 0)
             : CULPRIT_NEXT(__vdprintf_chk)(descriptor, flag, format, arguments);
}

CULPRIT_EXTERNAL int __vswprintf_chk(wchar_t *buffer, size_t size, int flag, size_t room,
                                     const wchar_t *format, va_list arguments) {
  return CULPRIT_CALLED_BY_PROGRAM
             ? checkedWide(buffer, size, flag, room, format, arguments)
             : CULPRIT_NEXT(__vswprintf_chk)(buffer, size, flag, room, format, arguments);
}

CULPRIT_EXTERNAL int __sprintf_chk(char *buffer, int flag, size_t room, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format,
                         CULPRIT_CALLED_BY_PROGRAM
                             ? checkedUnbounded(buffer, flag, room, format, arguments)
                             : CULPRIT_NEXT(__vsprintf_chk)(buffer, flag, room, format, arguments));
}

CULPRIT_EXTERNAL int __snprintf_chk(char *buffer, size_t size, int flag, size_t room,
                                    const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(
      format, CULPRIT_CALLED_BY_PROGRAM
                  ? checkedBounded(buffer, size, flag, room, format, arguments)
                  : CULPRIT_NEXT(__vsnprintf_chk)(buffer, size, flag, room, format, arguments));
}

CULPRIT_EXTERNAL int __asprintf_chk(char **result, int flag, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format,
                         CULPRIT_CALLED_BY_PROGRAM
                             ? formatAllocated(result, format, arguments, flag > 0)
                             : CULPRIT_NEXT(__vasprintf_chk)(result, flag, format, arguments));
}

CULPRIT_EXTERNAL int __dprintf_chk(int descriptor, int flag, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format,
                         CULPRIT_CALLED_BY_PROGRAM
                             ? formatDescriptor(descriptor, format, arguments, flag > 0)
                             : CULPRIT_NEXT(__vdprintf_chk)(descriptor, flag, format, arguments));
}

CULPRIT_EXTERNAL int __swprintf_chk(wchar_t *buffer, size_t size, int flag, size_t room,
                                    const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(
      format, CULPRIT_CALLED_BY_PROGRAM
                  ? checkedWide(buffer, size, flag, room, format, arguments)
                  : CULPRIT_NEXT(__vswprintf_chk)(buffer, size, flag, room, format, arguments));
}

} // namespace culprit
// NOLINTEND(bugprone-reserved-identifier)

// The functions of scanf's family that read from strings, under libc's names. There are two of
// each: C99 took the letter a, which allocated strings before, for numbers, and headers give each
// program the function that it was written for. So names are given to the linker directly.
#include "externals/external.h"
#include "externals/shims/scan_memory.h"
#include "externals/shims/variadic.h"

#include <wchar.h>

extern "C" {
int scanOld(const char *string, const char *format, ...) __asm__("sscanf");
int scanNew(const char *string, const char *format, ...) __asm__("__isoc99_sscanf");
int scanOldWide(const wchar_t *string, const wchar_t *format, ...) __asm__("swscanf");
int scanNewWide(const wchar_t *string, const wchar_t *format, ...) __asm__("__isoc99_swscanf");
int scanOldList(const char *, const char *, va_list) __asm__("vsscanf");
int scanNewList(const char *, const char *, va_list) __asm__("__isoc99_vsscanf");
int scanOldWideList(const wchar_t *, const wchar_t *, va_list) __asm__("vswscanf");
int scanNewWideList(const wchar_t *, const wchar_t *, va_list) __asm__("__isoc99_vswscanf");
}

namespace culprit {
namespace {

/// One meaning of the letter a, and libc's function that has it.
template <typename Unit> struct Version {
  LetterA letterA;
  const char *name;
  int (*next)(const Unit *, const Unit *, va_list);
};

CULPRIT_OUTSIDE Version<char> g_old{LetterA::kAllocates, "vsscanf", nullptr};
CULPRIT_OUTSIDE Version<char> g_new{LetterA::kIsFloat, "__isoc99_vsscanf", nullptr};
CULPRIT_OUTSIDE Version<wchar_t> g_oldWide{LetterA::kAllocates, "vswscanf", nullptr};
CULPRIT_OUTSIDE Version<wchar_t> g_newWide{LetterA::kIsFloat, "__isoc99_vswscanf", nullptr};

template <typename Unit>
int scan(bool isProgram, Version<Unit> &version, const Unit *string, const Unit *format,
         va_list arguments) {
  return isProgram ? scanString(string, format, arguments, version.letterA)
                   : nextFunction(version.next, version.name)(string, format, arguments);
}

} // namespace

CULPRIT_EXTERNAL int scanOldList(const char *string, const char *format, va_list arguments) {
  return scan(CULPRIT_CALLED_BY_PROGRAM, g_old, string, format, arguments);
}

CULPRIT_EXTERNAL int scanNewList(const char *string, const char *format, va_list arguments) {
  return scan(CULPRIT_CALLED_BY_PROGRAM, g_new, string, format, arguments);
}

CULPRIT_EXTERNAL int scanOldWideList(const wchar_t *string, const wchar_t *format,
                                     va_list arguments) {
  return scan(CULPRIT_CALLED_BY_PROGRAM, g_oldWide, string, format, arguments);
}

CULPRIT_EXTERNAL int scanNewWideList(const wchar_t *string, const wchar_t *format,
                                     va_list arguments) {
  return scan(CULPRIT_CALLED_BY_PROGRAM, g_newWide, string, format, arguments);
}

CULPRIT_EXTERNAL int scanOld(const char *string, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scan(CULPRIT_CALLED_BY_PROGRAM, g_old, string, format, arguments));
}

CULPRIT_EXTERNAL int scanNew(const char *string, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scan(CULPRIT_CALLED_BY_PROGRAM, g_new, string, format, arguments));
}

CULPRIT_EXTERNAL int scanOldWide(const wchar_t *string, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format,
                         scan(CULPRIT_CALLED_BY_PROGRAM, g_oldWide, string, format, arguments));
}

CULPRIT_EXTERNAL int scanNewWide(const wchar_t *string, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format,
                         scan(CULPRIT_CALLED_BY_PROGRAM, g_newWide, string, format, arguments));
}

} // namespace culprit

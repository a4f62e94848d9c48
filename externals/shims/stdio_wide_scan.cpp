// wscanf and its relatives from streams. Characters are converted one at a time: what is read of
// the stream's bytes is what was taken.
#include "externals/external.h"
#include "externals/shims/scan.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/variadic.h"

#include <wchar.h>

extern "C" {
int __isoc99_vfwscanf(FILE *file, const wchar_t *format, va_list arguments);
int __isoc99_vwscanf(const wchar_t *format, va_list arguments);
int __isoc99_fwscanf(FILE *file, const wchar_t *format, ...);
int __isoc99_wscanf(const wchar_t *format, ...);
}

namespace culprit {

const char kStdioWideScan = 0;

namespace {

struct WideStreamSource : WideSource {
  explicit WideStreamSource(Stream &from) : WideSource{}, stream(from) {
    start = next = end = &character;
    refill = readOne;
    giveBack = giveBackToStream;
  }
  /// Gives the stream what was taken from it and not used.
  ~WideStreamSource() {
    if (next < end)
      ungetWide(stream, static_cast<wint_t>(character));
  }
  WideStreamSource(const WideStreamSource &) = delete;
  WideStreamSource &operator=(const WideStreamSource &) = delete;

  static bool readOne(WideSource &source) {
    auto &self = static_cast<WideStreamSource &>(source);
    wint_t found = getWide(self.stream);
    self.start = self.next = self.end = &self.character;
    if (found == WEOF)
      return false;
    self.character = static_cast<wchar_t>(found);
    ++self.end;
    return true;
  }
  static void giveBackToStream(WideSource &source, wchar_t character) {
    auto &self = static_cast<WideStreamSource &>(source);
    if (self.next < self.end)
      ungetWide(self.stream, static_cast<wint_t>(self.character));
    self.character = character;
    self.start = self.next = &self.character;
    self.end = self.next + 1;
  }

  Stream &stream;
  wchar_t character = 0;
};

using ForeignScan = int (*)(FILE *, const wchar_t *, va_list);

int scanFile(FILE *file, ForeignScan foreign, LetterA letterA, const wchar_t *format,
             va_list arguments) {
  Stream *stream = ownStream(file);
  if (!stream)
    return foreign(file, format, arguments);
  StreamLock lock(*stream);
  if (!mayUse(*stream, 1, kNoReads))
    return EOF;
  WideStreamSource source(*stream);
  return scanFrom(source, format, arguments, letterA);
}

int scanOld(FILE *file, const wchar_t *format, va_list arguments) {
  static ForeignScan next CULPRIT_OUTSIDE;
  return scanFile(file, nextFunction(next, "vfwscanf"), LetterA::kAllocates, format, arguments);
}

int scanNew(FILE *file, const wchar_t *format, va_list arguments) {
  static ForeignScan next CULPRIT_OUTSIDE;
  return scanFile(file, nextFunction(next, "__isoc99_vfwscanf"), LetterA::kIsFloat, format,
                  arguments);
}

} // namespace

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
  CULPRIT_WITH_ARGUMENTS(format, scanOld(file, format, arguments));
}

int oldWscanf(const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scanOld(__culprit_stdin, format, arguments));
}

CULPRIT_EXTERNAL int __isoc99_vfwscanf(FILE *file, const wchar_t *format, va_list arguments) {
  return scanNew(file, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_vwscanf(const wchar_t *format, va_list arguments) {
  return scanNew(__culprit_stdin, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_fwscanf(FILE *file, const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scanNew(file, format, arguments));
}

CULPRIT_EXTERNAL int __isoc99_wscanf(const wchar_t *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scanNew(__culprit_stdin, format, arguments));
}

} // namespace culprit

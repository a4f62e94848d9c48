// scanf and its relatives from streams.
#include "externals/external.h"
#include "externals/shims/scan.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"
#include "externals/shims/variadic.h"

extern "C" {
int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments);
int __isoc99_vscanf(const char *format, va_list arguments);
int __isoc99_fscanf(FILE *file, const char *format, ...);
int __isoc99_scanf(const char *format, ...);
}

namespace culprit {

const char kStdioScan = 0;

namespace {

/// The stream's own buffer, in place.
struct StreamSource : Source {
  Stream &stream;

  explicit StreamSource(Stream &from) : Source{}, stream(from) {
    refill = refillFromStream;
    giveBack = giveBackToStream;
    takeArea();
  }
  void takeArea() {
    start = stream._IO_read_base;
    next = stream._IO_read_ptr;
    end = stream._IO_read_end;
  }
  void tellStream() { stream._IO_read_ptr = const_cast<char *>(next); }

  static bool refillFromStream(Source &source) {
    auto &self = static_cast<StreamSource &>(source);
    self.tellStream();
    bool hasMore = streamPeek(self.stream) != EOF;
    self.takeArea();
    return hasMore;
  }
  static void giveBackToStream(Source &source, char byte) {
    auto &self = static_cast<StreamSource &>(source);
    self.tellStream();
    streamUnget(self.stream, static_cast<unsigned char>(byte));
    self.takeArea();
  }
};

using ForeignScan = int (*)(FILE *, const char *, va_list);

int scanFile(FILE *file, ForeignScan foreign, LetterA letterA, const char *format,
             va_list arguments) {
  Stream *stream = ownStream(file);
  if (!stream)
    return foreign(file, format, arguments);
  StreamLock lock(*stream);
  if (!mayUse(*stream, -1, kNoReads))
    return EOF;
  StreamSource source(*stream);
  int result = scanFrom(source, format, arguments, letterA);
  source.tellStream();
  return result;
}

// Without asm labels the headers rename vfscanf to __isoc99_vfscanf.
int scanOld(FILE *file, const char *format, va_list arguments) {
  static ForeignScan next CULPRIT_OUTSIDE;
  return scanFile(file, nextFunction(next, "vfscanf"), LetterA::kAllocates, format, arguments);
}

int scanNew(FILE *file, const char *format, va_list arguments) {
  static ForeignScan next CULPRIT_OUTSIDE;
  return scanFile(file, nextFunction(next, "__isoc99_vfscanf"), LetterA::kIsFloat, format,
                  arguments);
}

} // namespace

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
  CULPRIT_WITH_ARGUMENTS(format, scanOld(file, format, arguments));
}

int oldScanf(const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scanOld(__culprit_stdin, format, arguments));
}

CULPRIT_EXTERNAL int __isoc99_vfscanf(FILE *file, const char *format, va_list arguments) {
  return scanNew(file, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_vscanf(const char *format, va_list arguments) {
  return scanNew(__culprit_stdin, format, arguments);
}

CULPRIT_EXTERNAL int __isoc99_fscanf(FILE *file, const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scanNew(file, format, arguments));
}

CULPRIT_EXTERNAL int __isoc99_scanf(const char *format, ...) {
  CULPRIT_WITH_ARGUMENTS(format, scanNew(__culprit_stdin, format, arguments));
}

} // namespace culprit

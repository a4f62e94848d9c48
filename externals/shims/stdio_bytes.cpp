// Functions of stdio that read or write one byte.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

extern "C" {
int __underflow(FILE *file);
extern FILE _IO_2_1_stdin_; // libc's
}

namespace culprit {

const char kStdioBytes = 0;

// Inlined getc_unlocked and putc_unlocked come here when there is nothing to read, and no room.

CULPRIT_EXTERNAL int __uflow(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? streamGet(*stream) : CULPRIT_NEXT(__uflow)(file);
}

CULPRIT_EXTERNAL int __underflow(FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__underflow)(file);
  return orient(*stream, -1) ? streamPeek(*stream) : EOF;
}

CULPRIT_EXTERNAL int __overflow(FILE *file, int byte) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(__overflow)(file, byte);
  orient(*stream, -1);
  return streamOverflow(*stream, byte);
}

namespace {

// The functions do not call each other: a program may bring any of them.

/// libstdc++ reads libc's stdin byte by byte, and gives each back that it only looks at.
inline Stream *streamToRead(FILE *file) {
  return file == &_IO_2_1_stdin_ ? &g_standardStreams[0] : ownStream(file);
}

__attribute__((noinline)) int getShared(Stream &stream) {
  StreamLock lock(stream);
  return streamGet(stream);
}

__attribute__((noinline)) int putShared(Stream &stream, int byte) {
  StreamLock lock(stream);
  return streamPut(stream, byte);
}

inline int getLocked(FILE *file) {
  Stream *stream = streamToRead(file);
  if (!stream) [[unlikely]]
    return CULPRIT_NEXT(fgetc)(file);
  return StreamLock::isNeeded(*stream) ? getShared(*stream) : streamGet(*stream);
}

inline int getUnlocked(FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? streamGet(*stream) : CULPRIT_NEXT(fgetc_unlocked)(file);
}

inline int putLocked(int byte, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream) [[unlikely]]
    return CULPRIT_NEXT(fputc)(byte, file);
  return StreamLock::isNeeded(*stream) ? putShared(*stream, byte) : streamPut(*stream, byte);
}

inline int putUnlocked(int byte, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? streamPut(*stream, byte) : CULPRIT_NEXT(fputc_unlocked)(byte, file);
}

} // namespace

CULPRIT_EXTERNAL int fgetc(FILE *file) {
  return getLocked(file);
}

CULPRIT_EXTERNAL int getc(FILE *file) {
  return getLocked(file);
}

CULPRIT_EXTERNAL int _IO_getc(FILE *file) {
  return getLocked(file);
}

CULPRIT_EXTERNAL int getchar() {
  return getLocked(__culprit_stdin);
}

CULPRIT_EXTERNAL int fgetc_unlocked(FILE *file) {
  return getUnlocked(file);
}

CULPRIT_EXTERNAL int getc_unlocked(FILE *file) {
  return getUnlocked(file);
}

CULPRIT_EXTERNAL int getchar_unlocked() {
  return getUnlocked(__culprit_stdin);
}

CULPRIT_EXTERNAL int fputc(int byte, FILE *file) {
  return putLocked(byte, file);
}

CULPRIT_EXTERNAL int putc(int byte, FILE *file) {
  return putLocked(byte, file);
}

CULPRIT_EXTERNAL int _IO_putc(int byte, FILE *file) {
  return putLocked(byte, file);
}

CULPRIT_EXTERNAL int putchar(int byte) {
  return putLocked(byte, __culprit_stdout);
}

CULPRIT_EXTERNAL int fputc_unlocked(int byte, FILE *file) {
  return putUnlocked(byte, file);
}

CULPRIT_EXTERNAL int putc_unlocked(int byte, FILE *file) {
  return putUnlocked(byte, file);
}

CULPRIT_EXTERNAL int putchar_unlocked(int byte) {
  return putUnlocked(byte, __culprit_stdout);
}

namespace {

__attribute__((noinline)) int ungetShared(Stream &stream, int byte) {
  StreamLock lock(stream);
  return streamUnget(stream, byte);
}

} // namespace

CULPRIT_EXTERNAL int ungetc(int byte, FILE *file) {
  Stream *stream = streamToRead(file);
  if (!stream)
    return CULPRIT_NEXT(ungetc)(byte, file);
  if (byte == EOF)
    return EOF;
  return StreamLock::isNeeded(*stream) ? ungetShared(*stream, byte) : streamUnget(*stream, byte);
}

} // namespace culprit

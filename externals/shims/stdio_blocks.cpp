// Functions of stdio that read or write blocks and words.
#include "externals/external.h"
#include "externals/shims/stdio_parts.h"
#include "externals/shims/stream.h"

extern "C" {
[[noreturn]] void __chk_fail();
size_t __fread_chk(void *out, size_t room, size_t size, size_t count, FILE *file);
size_t __fread_unlocked_chk(void *out, size_t room, size_t size, size_t count, FILE *file);
}

namespace culprit {

const char kStdioBlocks = 0;

namespace {

size_t readItems(Stream &stream, void *out, size_t size, size_t count) {
  size_t wanted = size * count;
  if (wanted == 0)
    return 0;
  size_t got = streamRead(stream, static_cast<char *>(out), wanted);
  return got == wanted ? count : got / size;
}

size_t writeItems(Stream &stream, const void *items, size_t size, size_t count) {
  size_t wanted = size * count;
  if (wanted == 0)
    return 0;
  size_t done = 0;
  if (orient(stream, -1))
    done = streamWrite(stream, static_cast<const char *>(items), wanted);
  return done == wanted || done == SIZE_MAX ? count : done / size;
}

size_t readLocked(void *out, size_t size, size_t count, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fread)(out, size, count, file);
  StreamLock lock(*stream);
  return readItems(*stream, out, size, count);
}

size_t readUnlocked(void *out, size_t size, size_t count, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? readItems(*stream, out, size, count)
                : CULPRIT_NEXT(fread_unlocked)(out, size, count, file);
}

size_t writeLocked(const void *items, size_t size, size_t count, FILE *file) {
  Stream *stream = ownStream(file);
  if (!stream)
    return CULPRIT_NEXT(fwrite)(items, size, count, file);
  StreamLock lock(*stream);
  return writeItems(*stream, items, size, count);
}

/// Dies unless `count` items of that size fit into the room that the compiler knows of.
void checkRoom(size_t room, size_t size, size_t count) {
  size_t wanted;
  if (__builtin_mul_overflow(size, count, &wanted) || wanted > room)
    __chk_fail();
}

} // namespace

// The functions do not call each other: a program may bring any of them.

CULPRIT_EXTERNAL size_t fread(void *out, size_t size, size_t count, FILE *file) {
  return readLocked(out, size, count, file);
}

CULPRIT_EXTERNAL size_t fread_unlocked(void *out, size_t size, size_t count, FILE *file) {
  return readUnlocked(out, size, count, file);
}

CULPRIT_EXTERNAL size_t __fread_chk(void *out, size_t room, size_t size, size_t count, FILE *file) {
  checkRoom(room, size, count);
  return readLocked(out, size, count, file);
}

CULPRIT_EXTERNAL size_t __fread_unlocked_chk(void *out, size_t room, size_t size, size_t count,
                                             FILE *file) {
  checkRoom(room, size, count);
  return readUnlocked(out, size, count, file);
}

CULPRIT_EXTERNAL size_t fwrite(const void *items, size_t size, size_t count, FILE *file) {
  return writeLocked(items, size, count, file);
}

CULPRIT_EXTERNAL size_t fwrite_unlocked(const void *items, size_t size, size_t count, FILE *file) {
  Stream *stream = ownStream(file);
  return stream ? writeItems(*stream, items, size, count)
                : CULPRIT_NEXT(fwrite_unlocked)(items, size, count, file);
}

CULPRIT_EXTERNAL int getw(FILE *file) {
  int word;
  return readLocked(&word, sizeof word, 1, file) == 1 ? word : EOF;
}

CULPRIT_EXTERNAL int putw(int word, FILE *file) {
  return writeLocked(&word, sizeof word, 1, file) == 1 ? 0 : EOF;
}

} // namespace culprit

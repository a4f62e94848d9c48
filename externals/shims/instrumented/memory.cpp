// memcpy and its relatives.
#include "externals/shims/instrumented/bytes.h"
#include "externals/shims/instrumented/instrumented.h"

namespace culprit {
namespace {

void *foundIn(const Byte *place) {
  return const_cast<Byte *>(place);
}

} // namespace

CULPRIT_INSTRUMENTED void *memcpy(void *to, const void *from, size_t size) {
  copy(bytesOf(to), bytesOf(from), size);
  return to;
}

CULPRIT_INSTRUMENTED void *memmove(void *to, const void *from, size_t size) {
  copy(bytesOf(to), bytesOf(from), size);
  return to;
}

CULPRIT_INSTRUMENTED void *mempcpy(void *to, const void *from, size_t size) {
  copy(bytesOf(to), bytesOf(from), size);
  return bytesOf(to) + size;
}

CULPRIT_INSTRUMENTED void *__mempcpy(void *to, const void *from, size_t size) {
  copy(bytesOf(to), bytesOf(from), size);
  return bytesOf(to) + size;
}

CULPRIT_INSTRUMENTED void bcopy(const void *from, void *to, size_t size) {
  copy(bytesOf(to), bytesOf(from), size);
}

CULPRIT_INSTRUMENTED void *memccpy(void *to, const void *from, int last, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    bytesOf(to)[i] = bytesOf(from)[i];
    if (bytesOf(from)[i] == static_cast<Byte>(last))
      return bytesOf(to) + i + 1;
  }
  return nullptr;
}

CULPRIT_INSTRUMENTED void *memset(void *to, int value, size_t size) {
  fill(bytesOf(to), static_cast<Byte>(value), size);
  return to;
}

CULPRIT_INSTRUMENTED void bzero(void *to, size_t size) {
  fill(bytesOf(to), Byte{0}, size);
}

CULPRIT_INSTRUMENTED void __bzero(void *to, size_t size) {
  fill(bytesOf(to), Byte{0}, size);
}

CULPRIT_INSTRUMENTED void explicit_bzero(void *to, size_t size) {
  fill(bytesOf(to), Byte{0}, size);
}

CULPRIT_INSTRUMENTED int memcmp(const void *a, const void *b, size_t size) {
  return compareElements(bytesOf(a), bytesOf(b), size);
}

CULPRIT_INSTRUMENTED int bcmp(const void *a, const void *b, size_t size) {
  return compareElements(bytesOf(a), bytesOf(b), size);
}

CULPRIT_INSTRUMENTED int __memcmpeq(const void *a, const void *b, size_t size) {
  return compareElements(bytesOf(a), bytesOf(b), size);
}

CULPRIT_INSTRUMENTED void *memchr(const void *from, int wanted, size_t size) {
  return foundIn(findElement(bytesOf(from), static_cast<Byte>(wanted), size));
}

CULPRIT_INSTRUMENTED void *memrchr(const void *from, int wanted, size_t size) {
  for (size_t i = size; i > 0; --i)
    if (bytesOf(from)[i - 1] == static_cast<Byte>(wanted))
      return foundIn(bytesOf(from) + i - 1);
  return nullptr;
}

CULPRIT_INSTRUMENTED void *rawmemchr(const void *from, int wanted) {
  return foundIn(findElement(bytesOf(from), static_cast<Byte>(wanted), SIZE_MAX));
}

CULPRIT_INSTRUMENTED void *__rawmemchr(const void *from, int wanted) {
  return foundIn(findElement(bytesOf(from), static_cast<Byte>(wanted), SIZE_MAX));
}

CULPRIT_INSTRUMENTED void *memmem(const void *from, size_t size, const void *wanted,
                                  size_t wantedSize) {
  for (size_t i = 0; wantedSize <= size - i; ++i)
    if (compareElements(bytesOf(from) + i, bytesOf(wanted), wantedSize) == 0)
      return foundIn(bytesOf(from) + i);
  return nullptr;
}

CULPRIT_INSTRUMENTED void *memfrob(void *memory, size_t size) {
  for (size_t i = 0; i < size; ++i)
    bytesOf(memory)[i] ^= 42;
  return memory;
}

/// From the end, as libc: it shows where the areas overlap.
CULPRIT_INSTRUMENTED void swab(const void *from, void *to, ptrdiff_t size) {
  for (ptrdiff_t i = size & ~ptrdiff_t{1}; i > 1; i -= 2) {
    Byte last = bytesOf(from)[i - 1];
    Byte first = bytesOf(from)[i - 2];
    bytesOf(to)[i - 2] = last;
    bytesOf(to)[i - 1] = first;
  }
}

CULPRIT_INSTRUMENTED void *__memcpy_chk(void *to, const void *from, size_t size, size_t room) {
  checkRoom(room, size);
  copy(bytesOf(to), bytesOf(from), size);
  return to;
}

CULPRIT_INSTRUMENTED void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
  checkRoom(room, size);
  copy(bytesOf(to), bytesOf(from), size);
  return to;
}

CULPRIT_INSTRUMENTED void *__mempcpy_chk(void *to, const void *from, size_t size, size_t room) {
  checkRoom(room, size);
  copy(bytesOf(to), bytesOf(from), size);
  return bytesOf(to) + size;
}

CULPRIT_INSTRUMENTED void *__memset_chk(void *to, int value, size_t size, size_t room) {
  checkRoom(room, size);
  fill(bytesOf(to), static_cast<Byte>(value), size);
  return to;
}

CULPRIT_INSTRUMENTED void __explicit_bzero_chk(void *to, size_t size, size_t room) {
  checkRoom(room, size);
  fill(bytesOf(to), Byte{0}, size);
}

} // namespace culprit

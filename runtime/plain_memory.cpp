// The few functions of <string.h> that the runtime uses, for itself.
//
// Those with libc's names may be the program's, or twins that note where each byte came from; the
// runtime must call neither. The build gives these, and the runtime's calls of them, names of their
// own (runtime/CMakeLists.txt), calls that the compiler makes included.
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

namespace {

/// What so many bytes are: the first ones and the last ones, which may overlap. All are read before
/// one is written.
template <typename Word> inline void copyEnds(char *to, const char *from, size_t size) {
  Word first, last;
  __builtin_memcpy(&first, from, sizeof first);
  __builtin_memcpy(&last, from + size - sizeof last, sizeof last);
  __builtin_memcpy(to, &first, sizeof first);
  __builtin_memcpy(to + size - sizeof last, &last, sizeof last);
}

constexpr size_t kSmall = 2 * sizeof(uint64_t);

/// The processor's own loop takes long to begin.
inline void copySmall(void *target, const void *source, size_t size) {
  auto *to = static_cast<char *>(target);
  auto *from = static_cast<const char *>(source);
  if (size >= sizeof(uint64_t))
    copyEnds<uint64_t>(to, from, size);
  else if (size >= sizeof(uint32_t))
    copyEnds<uint32_t>(to, from, size);
  else if (size >= sizeof(uint16_t))
    copyEnds<uint16_t>(to, from, size);
  else if (size != 0)
    *to = *from;
}

} // namespace

extern "C" {

void *memcpy(void *to, const void *from, size_t size) {
  void *result = to;
  if (size <= kSmall) {
    copySmall(to, from, size);
    return result;
  }
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
  return result;
}

void *memmove(void *to, const void *from, size_t size) {
  auto distance = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from);
  if (distance >= size || size <= kSmall)
    return memcpy(to, from, size);
  auto *target = static_cast<char *>(to);
  auto *source = static_cast<const char *>(from);
  for (size_t i = size; i > 0; --i)
    target[i - 1] = source[i - 1];
  return to;
}

void *memset(void *to, int value, size_t size) {
  void *result = to;
  asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
  return result;
}

void *memchr(const void *memory, int value, size_t size) {
  auto *bytes = static_cast<const unsigned char *>(memory);
  for (size_t i = 0; i < size; ++i)
    if (bytes[i] == static_cast<unsigned char>(value))
      return const_cast<unsigned char *>(bytes + i);
  return nullptr;
}

size_t strnlen(const char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length] != 0)
    ++length;
  return length;
}

size_t strlen(const char *text) {
  return strnlen(text, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t most) {
  for (size_t i = 0; i < most; ++i) {
    int difference = static_cast<unsigned char>(a[i]) - static_cast<unsigned char>(b[i]);
    if (difference != 0 || a[i] == 0)
      return difference;
  }
  return 0;
}

int strcmp(const char *a, const char *b) {
  return strncmp(a, b, SIZE_MAX);
}

char *strchr(const char *text, int value) {
  for (;; ++text) {
    if (*text == static_cast<char>(value))
      return const_cast<char *>(text);
    if (*text == 0)
      return nullptr;
  }
}

char *strstr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; strncmp(text, part, length) != 0; ++text)
    if (*text == 0)
      return nullptr;
  return const_cast<char *>(text);
}

char *strcpy(char *to, const char *from) {
  memcpy(to, from, strlen(from) + 1);
  return to;
}

char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

/// Of decimal numbers, which is all that hosts send.
long strtol(const char *text, char **end, int) {
  bool isNegative = *text == '-';
  long value = 0;
  for (text += isNegative; *text >= '0' && *text <= '9'; ++text)
    value = value * 10 + (*text - '0');
  if (end)
    *end = const_cast<char *>(text);
  return isNegative ? -value : value;
}

} // extern "C"

// Arrays of elements that are copied, filled, compared and searched: of bytes or wide characters.
#ifndef CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_BYTES_H
#define CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_BYTES_H

#include <stddef.h>
#include <stdint.h>

namespace culprit {

using Byte = unsigned char;

inline const Byte *bytesOf(const void *memory) {
  return static_cast<const Byte *>(memory);
}

inline Byte *bytesOf(void *memory) {
  return static_cast<Byte *>(memory);
}

/// Right for areas that overlap, as libc's memcpy is, too.
template <typename Element> void copy(Element *to, const Element *from, size_t count) {
  if (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from) >=
      count * sizeof(Element)) {
    for (size_t i = 0; i < count; ++i)
      to[i] = from[i];
    return;
  }
  for (size_t i = count; i > 0; --i)
    to[i - 1] = from[i - 1];
}

template <typename Element> void fill(Element *to, Element value, size_t count) {
  for (size_t i = 0; i < count; ++i)
    to[i] = value;
}

/// Null if it is not among the first `count`.
template <typename Element>
const Element *findElement(const Element *from, Element wanted, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (from[i] == wanted)
      return from + i;
  return nullptr;
}

/// What comparisons return: as libc, the distance of bytes, but only the sign for wide characters.
inline int orderOf(Byte a, Byte b) {
  return a - b;
}

inline int orderOf(char a, char b) {
  return orderOf(static_cast<Byte>(a), static_cast<Byte>(b));
}

inline int orderOf(wchar_t a, wchar_t b) {
  return a < b ? -1 : a > b;
}

template <typename Element> int compareElements(const Element *a, const Element *b, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (a[i] != b[i])
      return orderOf(a[i], b[i]);
  return 0;
}

} // namespace culprit
#endif

// Strings of narrow or wide characters: the loops behind str* and wcs*.
//
// No function reads behind a terminator, nor behind the bound that it is given.
#ifndef CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_TEXT_H
#define CULPRIT_EXTERNALS_SHIMS_INSTRUMENTED_TEXT_H

#include "externals/shims/instrumented/bytes.h"

namespace culprit {

template <typename Char> size_t lengthOf(const Char *text) {
  size_t length = 0;
  while (text[length] != 0)
    ++length;
  return length;
}

template <typename Char> size_t lengthWithin(const Char *text, size_t most) {
  size_t length = 0;
  while (length < most && text[length] != 0)
    ++length;
  return length;
}

/// Returns the new terminator.
template <typename Char> Char *copyText(Char *to, const Char *from) {
  while ((*to = *from) != 0) {
    ++to;
    ++from;
  }
  return to;
}

/// Exactly `count` characters, zeros behind the text. Returns the first zero, or the end.
template <typename Char> Char *copyPadded(Char *to, const Char *from, size_t count) {
  size_t length = 0;
  while (length < count && from[length] != 0) {
    to[length] = from[length];
    ++length;
  }
  fill(to + length, Char{0}, count - length);
  return to + length;
}

/// At most `count` characters and a terminator. Returns that.
template <typename Char> Char *copyWithin(Char *to, const Char *from, size_t count) {
  size_t length = 0;
  while (length < count && from[length] != 0) {
    to[length] = from[length];
    ++length;
  }
  to[length] = 0;
  return to + length;
}

template <typename Char> int compareText(const Char *a, const Char *b) {
  while (*a == *b && *a != 0) {
    ++a;
    ++b;
  }
  return orderOf(*a, *b);
}

template <typename Char> int compareWithin(const Char *a, const Char *b, size_t most) {
  for (size_t i = 0; i < most; ++i)
    if (a[i] != b[i] || a[i] == 0)
      return orderOf(a[i], b[i]);
  return 0;
}

/// The character or the terminator, whichever comes first.
template <typename Char> Char *findOrEnd(const Char *text, Char wanted) {
  while (*text != wanted && *text != 0)
    ++text;
  return const_cast<Char *>(text);
}

/// The terminator is found as a character, too.
template <typename Char> Char *findChar(const Char *text, Char wanted) {
  Char *found = findOrEnd(text, wanted);
  return *found == wanted ? found : nullptr;
}

template <typename Char> Char *findLastChar(const Char *text, Char wanted) {
  const Char *found = nullptr;
  for (;; ++text) {
    if (*text == wanted)
      found = text;
    if (*text == 0)
      return const_cast<Char *>(found);
  }
}

template <typename Char> bool isOneOf(Char character, const Char *set) {
  for (; *set != 0; ++set)
    if (*set == character)
      return true;
  return false;
}

/// How many characters at the beginning are in the set, or are not.
template <typename Char> size_t spanOf(const Char *text, const Char *set, bool areIn) {
  size_t length = 0;
  while (text[length] != 0 && isOneOf(text[length], set) == areIn)
    ++length;
  return length;
}

template <typename Char> bool beginsWith(const Char *text, const Char *wanted) {
  for (; *wanted != 0; ++text, ++wanted)
    if (*text != *wanted)
      return false;
  return true;
}

template <typename Char> Char *findText(const Char *text, const Char *wanted) {
  for (;; ++text) {
    if (beginsWith(text, wanted))
      return const_cast<Char *>(text);
    if (*text == 0)
      return nullptr;
  }
}

/// Ends the token at `text`; returns what follows, or null if it was the last.
template <typename Char> Char *cutToken(Char *text, const Char *delimiters) {
  Char *end = text + spanOf(text, delimiters, false);
  if (*end == 0)
    return nullptr;
  *end = 0;
  return end + 1;
}

} // namespace culprit
#endif

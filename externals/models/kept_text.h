// Texts that libc has for good (messages, names): the program gets copies.
//
// Equal texts have one copy, which stays: glibc hands out the same pointer again, too, and programs
// rely on two messages being there at once. Copies are as many as there are different texts, so
// what libc writes anew for each call is no matter for this table.
#ifndef CULPRIT_EXTERNALS_MODELS_KEPT_TEXT_H
#define CULPRIT_EXTERNALS_MODELS_KEPT_TEXT_H

#include <stddef.h>

namespace culprit {

/// The program's copy; null for null, and null when there is no memory.
char *keptText(const char *foreign);
/// The same for a text of wide characters, as functions that return both sorts have it.
char *keptWideText(const char *foreign);

/// Copies as much as fits, with a null behind it. Returns `slot`; null for null.
char *copyInto(char *slot, size_t size, const char *foreign);

/// The same for an array.
template <size_t Size> char *copyInto(char (&slot)[Size], const char *foreign) {
  return copyInto(slot, Size, foreign);
}

} // namespace culprit
#endif

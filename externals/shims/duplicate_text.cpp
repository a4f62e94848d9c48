// strdup and its kin: blocks of the program's heap for the program, of libc's for others.
#include "externals/external.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

namespace culprit {
namespace {

char *duplicate(const char *text, size_t length) {
  auto *copy = static_cast<char *>(malloc(length + 1));
  if (!copy)
    return nullptr;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

} // namespace

CULPRIT_EXTERNAL char *strdup(const char *text) {
  return CULPRIT_CALLED_BY_PROGRAM ? duplicate(text, strlen(text)) : CULPRIT_NEXT(strdup)(text);
}

CULPRIT_EXTERNAL char *strndup(const char *text, size_t most) {
  return CULPRIT_CALLED_BY_PROGRAM ? duplicate(text, strnlen(text, most))
                                   : CULPRIT_NEXT(strndup)(text, most);
}

// NOLINTBEGIN(bugprone-reserved-identifier)
CULPRIT_EXTERNAL char *__strdup(const char *text) __attribute__((alias("strdup")));
CULPRIT_EXTERNAL char *__strndup(const char *text, size_t most) __attribute__((alias("strndup")));
// NOLINTEND(bugprone-reserved-identifier)

CULPRIT_EXTERNAL wchar_t *wcsdup(const wchar_t *text) {
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return CULPRIT_NEXT(wcsdup)(text);
  size_t size = (wcslen(text) + 1) * sizeof(wchar_t);
  void *copy = malloc(size);
  return copy ? static_cast<wchar_t *>(memcpy(copy, text, size)) : nullptr;
}

} // namespace culprit

// strlen and its relatives.
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/text.h"

namespace culprit {
namespace {

char *found(const char *place) {
  return const_cast<char *>(place);
}

} // namespace

CULPRIT_INSTRUMENTED size_t strlen(const char *text) {
  return lengthOf(text);
}

CULPRIT_INSTRUMENTED size_t strnlen(const char *text, size_t most) {
  return lengthWithin(text, most);
}

CULPRIT_INSTRUMENTED char *strcpy(char *to, const char *from) {
  copyText(to, from);
  return to;
}

CULPRIT_INSTRUMENTED char *stpcpy(char *to, const char *from) {
  return copyText(to, from);
}

CULPRIT_INSTRUMENTED char *__stpcpy(char *to, const char *from) {
  return copyText(to, from);
}

CULPRIT_INSTRUMENTED char *strncpy(char *to, const char *from, size_t count) {
  copyPadded(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED char *stpncpy(char *to, const char *from, size_t count) {
  return copyPadded(to, from, count);
}

CULPRIT_INSTRUMENTED char *__stpncpy(char *to, const char *from, size_t count) {
  return copyPadded(to, from, count);
}

CULPRIT_INSTRUMENTED char *strcat(char *to, const char *from) {
  copyText(to + lengthOf(to), from);
  return to;
}

CULPRIT_INSTRUMENTED char *strncat(char *to, const char *from, size_t count) {
  copyWithin(to + lengthOf(to), from, count);
  return to;
}

CULPRIT_INSTRUMENTED int strcmp(const char *a, const char *b) {
  return compareText(a, b);
}

CULPRIT_INSTRUMENTED int strncmp(const char *a, const char *b, size_t most) {
  return compareWithin(a, b, most);
}

CULPRIT_INSTRUMENTED char *strchr(const char *text, int wanted) {
  return findChar(text, static_cast<char>(wanted));
}

CULPRIT_INSTRUMENTED char *index(const char *text, int wanted) {
  return findChar(text, static_cast<char>(wanted));
}

CULPRIT_INSTRUMENTED char *strrchr(const char *text, int wanted) {
  return findLastChar(text, static_cast<char>(wanted));
}

CULPRIT_INSTRUMENTED char *rindex(const char *text, int wanted) {
  return findLastChar(text, static_cast<char>(wanted));
}

CULPRIT_INSTRUMENTED char *strchrnul(const char *text, int wanted) {
  return findOrEnd(text, static_cast<char>(wanted));
}

CULPRIT_INSTRUMENTED size_t strspn(const char *text, const char *set) {
  return spanOf(text, set, true);
}

CULPRIT_INSTRUMENTED size_t strcspn(const char *text, const char *set) {
  return spanOf(text, set, false);
}

CULPRIT_INSTRUMENTED char *strpbrk(const char *text, const char *set) {
  const char *place = text + spanOf(text, set, false);
  return *place == 0 ? nullptr : found(place);
}

CULPRIT_INSTRUMENTED char *strstr(const char *text, const char *wanted) {
  return findText(text, wanted);
}

CULPRIT_INSTRUMENTED char *strsep(char **next, const char *delimiters) {
  char *token = *next;
  if (token)
    *next = cutToken(token, delimiters);
  return token;
}

CULPRIT_INSTRUMENTED char *__strsep_g(char **next, const char *delimiters) {
  char *token = *next;
  if (token)
    *next = cutToken(token, delimiters);
  return token;
}

namespace {

char *nextToken(char *text, const char *delimiters, char **next) {
  if (!text)
    text = *next;
  text += spanOf(text, delimiters, true);
  *next = text;
  if (*text == 0)
    return nullptr;
  char *following = cutToken(text, delimiters);
  *next = following ? following : text + lengthOf(text);
  return text;
}

} // namespace

CULPRIT_INSTRUMENTED char *strtok_r(char *text, const char *delimiters, char **next) {
  return nextToken(text, delimiters, next);
}

CULPRIT_INSTRUMENTED char *__strtok_r(char *text, const char *delimiters, char **next) {
  return nextToken(text, delimiters, next);
}

/// In string.h's sense: what follows the last slash, as it is.
CULPRIT_INSTRUMENTED char *basename(const char *path) {
  char *slash = findLastChar(path, '/');
  return slash ? slash + 1 : found(path);
}

/// Finds "name=value" or "name" among tokens and cuts it off at the next comma.
CULPRIT_INSTRUMENTED int getsubopt(char **option, char *const *tokens, char **value) {
  if (**option == 0)
    return -1;
  char *begin = *option;
  char *end = findOrEnd(begin, ',');
  auto *equals = const_cast<char *>(findElement<char>(begin, '=', end - begin));
  size_t length = (equals ? equals : end) - begin;
  int number = 0;
  while (tokens[number] &&
         (compareWithin(tokens[number], begin, length) != 0 || tokens[number][length] != 0))
    ++number;
  *value = equals ? equals + 1 : nullptr;
  if (!tokens[number]) {
    *value = begin;
    number = -1;
  }
  *option = end;
  if (*end != 0) {
    *end = 0;
    *option = end + 1;
  }
  return number;
}

} // namespace culprit

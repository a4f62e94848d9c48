// getenv, setenv and their kin over the array that libc uses, too.
//
// `environ` is one variable for the program and libc. What setenv adds is in the program's heap:
// the array, and one block for each different text, which stays and is used again, as glibc does
// it. Foreign code that changes the environment does it here as well.
#include "externals/external.h"
#include "externals/models/lock.h"
#include "externals/shims/tree_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace culprit {
namespace {

char **g_own;       ///< the array that was made here last
void *g_knownTexts; ///< a tree of the texts that were made here

bool isNamed(const char *entry, const char *name, size_t length) {
  return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

char *valueOf(const char *name) {
  if (!environ || !*name)
    return nullptr;
  size_t length = strlen(name);
  for (char **entry = environ; *entry; ++entry)
    if (isNamed(*entry, name, length))
      return *entry + length + 1;
  return nullptr;
}

int compareTexts(const void *a, const void *b) {
  return strcmp(static_cast<const char *>(a), static_cast<const char *>(b));
}

/// "name=value", the one that is known already if there is one.
char *textFor(const char *name, size_t length, const char *value) {
  size_t size = strlen(value) + 1;
  auto *text = static_cast<char *>(malloc(length + 1 + size));
  if (!text)
    return nullptr;
  memcpy(text, name, length);
  text[length] = '=';
  memcpy(text + length + 1, value, size);
  void *node = searchTree(text, &g_knownTexts, compareTexts);
  if (!node)
    return text;
  char *known = *static_cast<char **>(node);
  if (known != text)
    free(text);
  return known;
}

/// A free entry at the end, in an array that is ours; null when there is no memory.
char **addEntry(size_t count) {
  auto **larger =
      static_cast<char **>(realloc(static_cast<void *>(g_own), (count + 2) * sizeof(char *)));
  if (!larger)
    return nullptr;
  if (environ != g_own)
    memcpy(static_cast<void *>(larger), static_cast<void *>(environ), count * sizeof(char *));
  larger[count] = nullptr;
  larger[count + 1] = nullptr;
  g_own = environ = larger;
  return larger + count;
}

/// Either `text` ("name=value") or a value is given.
int add(const char *name, size_t length, const char *value, char *text, bool replaces) {
  ModelsGuard guard;
  size_t count = 0;
  char **entry = environ;
  for (; entry && *entry && !isNamed(*entry, name, length); ++entry)
    ++count;
  bool isThere = entry && *entry;
  if (isThere && !replaces)
    return 0;
  if (!isThere)
    entry = addEntry(count);
  if (entry && !text)
    text = textFor(name, length, value);
  if (!entry || !text)
    return -1;
  *entry = text;
  return 0;
}

void removeAll(const char *name, size_t length) {
  ModelsGuard guard;
  char **out = environ;
  if (!out)
    return;
  for (char **entry = environ; *entry; ++entry)
    if (!isNamed(*entry, name, length))
      *out++ = *entry;
  *out = nullptr;
}

bool isName(const char *name) {
  return name && *name && !strchr(name, '=');
}

int refuseName() {
  errno = EINVAL;
  return -1;
}

} // namespace

CULPRIT_EXTERNAL char *getenv(const char *name) {
  return valueOf(name);
}

CULPRIT_EXTERNAL char *secure_getenv(const char *name) {
  return getuid() != geteuid() || getgid() != getegid() ? nullptr : valueOf(name);
}

CULPRIT_EXTERNAL int setenv(const char *name, const char *value, int replaces) {
  return isName(name) ? add(name, strlen(name), value, nullptr, replaces != 0) : refuseName();
}

CULPRIT_EXTERNAL int unsetenv(const char *name) {
  if (!isName(name))
    return refuseName();
  removeAll(name, strlen(name));
  return 0;
}

CULPRIT_EXTERNAL int putenv(char *text) {
  const char *end = strchr(text, '=');
  if (end)
    return add(text, static_cast<size_t>(end - text), nullptr, text, true);
  removeAll(text, strlen(text));
  return 0;
}

CULPRIT_EXTERNAL int clearenv() {
  ModelsGuard guard;
  if (environ && environ == g_own) {
    free(static_cast<void *>(g_own));
    g_own = nullptr;
  }
  environ = nullptr;
  return 0;
}

} // namespace culprit

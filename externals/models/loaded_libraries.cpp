// Libraries that the program loads: handles are tokens, and dlopen("$ORIGIN/...") means the folder
// of the program or library that calls, not of its twin.
//
// libc tells by the return address who calls, and looks at the caller's run path, too. Code here is
// in the executable, so the executable's calls are made in its stead. Calls from libraries are
// jumped on to libc, and get libc's handles. One library has one token, as it has one handle in
// libc.
#include "externals/external.h"
#include "externals/models/tokens.h"
#include "runtime/start.h"

#include <dlfcn.h>
#include <string.h>

namespace culprit {
namespace {

constexpr size_t kLongest = 8192;
thread_local char g_name[kLongest];

/// Appends `text` at `end`; null when there is no room.
char *append(char *end, const char *text, size_t length) {
  if (!end || end + length >= g_name + kLongest)
    return nullptr;
  memcpy(end, text, length);
  return end + length;
}

/// Length of the word for the origin that `text` starts with, or 0.
size_t originWord(const char *text) {
  if (strncmp(text, "${ORIGIN}", 9) == 0)
    return 9;
  return strncmp(text, "$ORIGIN", 7) == 0 ? 7 : 0;
}

const char *originOfCaller(const void *caller) {
  Dl_info info;
  if (dladdr(caller, &info) == 0)
    return nullptr;
  const ImageRecord *image = imageAt(info.dli_fbase);
  return image ? originOf(image->index) : nullptr;
}

/// The name with the folder of the caller's original in the place of $ORIGIN.
const char *withOrigin(const char *name, const void *caller) {
  const char *origin = name && strstr(name, "ORIGIN") ? originOfCaller(caller) : nullptr;
  if (!origin)
    return name;
  char *end = g_name;
  for (const char *rest = name; *rest;) {
    size_t word = originWord(rest);
    end = word ? append(end, origin, strlen(origin)) : append(end, rest, 1);
    rest += word ? word : 1;
  }
  if (!end)
    return name;
  *end = 0;
  return g_name;
}

/// libc's handle for a token; others as they are.
void *behind(void *handle) {
  TokenEntry *entry = entryOf(TokenKind::Library, handle);
  return entry ? entry->theirs : handle;
}

} // namespace

CULPRIT_EXTERNAL void *dlopen(const char *name, int mode) {
  const void *caller = __builtin_return_address(0);
  name = withOrigin(name, caller);
  if (!isInExecutable(caller)) [[clang::musttail]]
    return CULPRIT_NEXT(dlopen)(name, mode);
  void *theirs = CULPRIT_NEXT(dlopen)(name, mode);
  return theirs ? tokenFor(TokenKind::Library, theirs) : nullptr;
}

CULPRIT_EXTERNAL void *dlmopen(Lmid_t space, const char *name, int mode) {
  if (!isInExecutable(__builtin_return_address(0))) [[clang::musttail]]
    return CULPRIT_NEXT(dlmopen)(space, name, mode);
  void *theirs = CULPRIT_NEXT(dlmopen)(space, name, mode);
  return theirs ? tokenFor(TokenKind::Library, theirs) : nullptr;
}

CULPRIT_EXTERNAL void *dlsym(void *handle, const char *name) {
  [[clang::musttail]] return CULPRIT_NEXT(dlsym)(behind(handle), name);
}

CULPRIT_EXTERNAL void *dlvsym(void *handle, const char *name, const char *version) {
  [[clang::musttail]] return CULPRIT_NEXT(dlvsym)(behind(handle), name, version);
}

CULPRIT_EXTERNAL int dlinfo(void *handle, int request, void *answer) {
  [[clang::musttail]] return CULPRIT_NEXT(dlinfo)(behind(handle), request, answer);
}

CULPRIT_EXTERNAL int dlclose(void *handle) {
  return CULPRIT_NEXT(dlclose)(behind(handle));
}

} // namespace culprit

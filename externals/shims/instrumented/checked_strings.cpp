// The str* functions that know how large the destination is; see -D_FORTIFY_SOURCE.
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/text.h"

namespace culprit {
namespace {

/// Writes as far as there is room. Returns the new terminator.
char *copyChecked(char *to, const char *from, size_t most, size_t room) {
  for (size_t i = 0;; ++i) {
    checkRoom(room, i + 1);
    to[i] = i < most ? from[i] : '\0';
    if (to[i] == 0)
      return to + i;
  }
}

void appendChecked(char *to, const char *from, size_t most, size_t room) {
  size_t length = 0;
  for (;; ++length) {
    checkRoom(room, length + 1);
    if (to[length] == 0)
      break;
  }
  copyChecked(to + length, from, most, room - length);
}

} // namespace

CULPRIT_INSTRUMENTED char *__strcpy_chk(char *to, const char *from, size_t room) {
  checkRoom(room, lengthOf(from) + 1);
  copyText(to, from);
  return to;
}

CULPRIT_INSTRUMENTED char *__stpcpy_chk(char *to, const char *from, size_t room) {
  checkRoom(room, lengthOf(from) + 1);
  return copyText(to, from);
}

CULPRIT_INSTRUMENTED char *__strncpy_chk(char *to, const char *from, size_t count, size_t room) {
  checkRoom(room, count);
  copyPadded(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED char *__stpncpy_chk(char *to, const char *from, size_t count, size_t room) {
  checkRoom(room, count);
  return copyPadded(to, from, count);
}

CULPRIT_INSTRUMENTED char *__strcat_chk(char *to, const char *from, size_t room) {
  appendChecked(to, from, SIZE_MAX, room);
  return to;
}

CULPRIT_INSTRUMENTED char *__strncat_chk(char *to, const char *from, size_t count, size_t room) {
  appendChecked(to, from, count, room);
  return to;
}

} // namespace culprit

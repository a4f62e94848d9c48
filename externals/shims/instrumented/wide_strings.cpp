// wmemcpy, wcslen and their relatives.
#include "externals/shims/instrumented/instrumented.h"
#include "externals/shims/instrumented/text.h"

#include <errno.h>

namespace culprit {
namespace {

wchar_t *found(const wchar_t *place) {
  return const_cast<wchar_t *>(place);
}

} // namespace

CULPRIT_INSTRUMENTED wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  copy(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
  copy(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t count) {
  copy(to, from, count);
  return to + count;
}

CULPRIT_INSTRUMENTED wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count) {
  fill(to, value, count);
  return to;
}

CULPRIT_INSTRUMENTED int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count) {
  return compareElements(a, b, count);
}

CULPRIT_INSTRUMENTED wchar_t *wmemchr(const wchar_t *from, wchar_t wanted, size_t count) {
  return found(findElement(from, wanted, count));
}

CULPRIT_INSTRUMENTED size_t wcslen(const wchar_t *text) {
  return lengthOf(text);
}

CULPRIT_INSTRUMENTED size_t wcsnlen(const wchar_t *text, size_t most) {
  return lengthWithin(text, most);
}

CULPRIT_INSTRUMENTED wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  copyText(to, from);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) {
  return copyText(to, from);
}

CULPRIT_INSTRUMENTED wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count) {
  copyPadded(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t count) {
  return copyPadded(to, from, count);
}

CULPRIT_INSTRUMENTED wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  copyText(to + lengthOf(to), from);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t count) {
  copyWithin(to + lengthOf(to), from, count);
  return to;
}

CULPRIT_INSTRUMENTED int wcscmp(const wchar_t *a, const wchar_t *b) {
  return compareText(a, b);
}

CULPRIT_INSTRUMENTED int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most) {
  return compareWithin(a, b, most);
}

CULPRIT_INSTRUMENTED wchar_t *wcschr(const wchar_t *text, wchar_t wanted) {
  return findChar(text, wanted);
}

CULPRIT_INSTRUMENTED wchar_t *wcsrchr(const wchar_t *text, wchar_t wanted) {
  return findLastChar(text, wanted);
}

CULPRIT_INSTRUMENTED wchar_t *wcschrnul(const wchar_t *text, wchar_t wanted) {
  return findOrEnd(text, wanted);
}

CULPRIT_INSTRUMENTED size_t wcsspn(const wchar_t *text, const wchar_t *set) {
  return spanOf(text, set, true);
}

CULPRIT_INSTRUMENTED size_t wcscspn(const wchar_t *text, const wchar_t *set) {
  return spanOf(text, set, false);
}

CULPRIT_INSTRUMENTED wchar_t *wcspbrk(const wchar_t *text, const wchar_t *set) {
  const wchar_t *place = text + spanOf(text, set, false);
  return *place == 0 ? nullptr : found(place);
}

CULPRIT_INSTRUMENTED wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted) {
  return findText(text, wanted);
}

CULPRIT_INSTRUMENTED wchar_t *wcswcs(const wchar_t *text, const wchar_t *wanted) {
  return findText(text, wanted);
}

/// Behind the last token, `next` is null.
CULPRIT_INSTRUMENTED wchar_t *wcstok(wchar_t *text, const wchar_t *delimiters, wchar_t **next) {
  if (!text)
    text = *next;
  if (!text) {
    errno = EINVAL;
    return nullptr;
  }
  text += spanOf(text, delimiters, true);
  if (*text == 0) {
    *next = nullptr;
    return nullptr;
  }
  *next = cutToken(text, delimiters);
  return text;
}

CULPRIT_INSTRUMENTED wchar_t *__wmemcpy_chk(wchar_t *to, const wchar_t *from, size_t count,
                                            size_t room) {
  checkRoom(room, count);
  copy(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t count,
                                             size_t room) {
  checkRoom(room, count);
  copy(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *__wmempcpy_chk(wchar_t *to, const wchar_t *from, size_t count,
                                             size_t room) {
  checkRoom(room, count);
  copy(to, from, count);
  return to + count;
}

CULPRIT_INSTRUMENTED wchar_t *__wmemset_chk(wchar_t *to, wchar_t value, size_t count, size_t room) {
  checkRoom(room, count);
  fill(to, value, count);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *__wcscpy_chk(wchar_t *to, const wchar_t *from, size_t room) {
  checkRoom(room, lengthOf(from) + 1);
  copyText(to, from);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *__wcpcpy_chk(wchar_t *to, const wchar_t *from, size_t room) {
  checkRoom(room, lengthOf(from) + 1);
  return copyText(to, from);
}

CULPRIT_INSTRUMENTED wchar_t *__wcsncpy_chk(wchar_t *to, const wchar_t *from, size_t count,
                                            size_t room) {
  checkRoom(room, count);
  copyPadded(to, from, count);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *__wcpncpy_chk(wchar_t *to, const wchar_t *from, size_t count,
                                            size_t room) {
  checkRoom(room, count);
  return copyPadded(to, from, count);
}

CULPRIT_INSTRUMENTED wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *from, size_t room) {
  size_t length = lengthOf(to);
  checkRoom(room, length + lengthOf(from) + 1);
  copyText(to + length, from);
  return to;
}

CULPRIT_INSTRUMENTED wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *from, size_t count,
                                            size_t room) {
  size_t length = lengthOf(to);
  checkRoom(room, length + lengthWithin(from, count) + 1);
  copyWithin(to + length, from, count);
  return to;
}

} // namespace culprit

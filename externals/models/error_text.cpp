// Texts for errors and signals. Known ones stay as long as the program runs; for others libc writes
// a text that stays until the thread's next call.
#include "externals/external.h"
#include "externals/models/kept_text.h"
#include "externals/models/thread_cells.h"

#include <gnu/libc-version.h>
#include <netdb.h>
#include <string.h>

namespace culprit {

CULPRIT_EXTERNAL char *strerror(int error) {
  char *text = CULPRIT_NEXT(strerror)(error);
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return text;
  return CULPRIT_NEXT(strerrordesc_np)(error) ? keptText(text)
                                              : copyInto(ownCells().unknownError, text);
}

CULPRIT_EXTERNAL char *strerror_r(int error, char *buffer, size_t size) {
  char *text = CULPRIT_NEXT(strerror_r)(error, buffer, size);
  return text == buffer || !CULPRIT_CALLED_BY_PROGRAM ? text : keptText(text);
}

CULPRIT_EXTERNAL char *strsignal(int signal) {
  char *text = CULPRIT_NEXT(strsignal)(signal);
  if (!CULPRIT_CALLED_BY_PROGRAM)
    return text;
  return CULPRIT_NEXT(sigdescr_np)(signal) ? keptText(text)
                                           : copyInto(ownCells().unknownSignal, text);
}

/// Functions of one number whose texts are libc's constants.
#define CULPRIT_CONSTANT_TEXT(function)                                                            \
  CULPRIT_EXTERNAL const char *function(int number) {                                              \
    const char *text = CULPRIT_NEXT(function)(number);                                             \
    return CULPRIT_CALLED_BY_PROGRAM ? keptText(text) : text;                                      \
  }
CULPRIT_CONSTANT_TEXT(strerrorname_np)
CULPRIT_CONSTANT_TEXT(strerrordesc_np)
CULPRIT_CONSTANT_TEXT(sigabbrev_np)
CULPRIT_CONSTANT_TEXT(sigdescr_np)
CULPRIT_CONSTANT_TEXT(gai_strerror)
CULPRIT_CONSTANT_TEXT(hstrerror)

CULPRIT_EXTERNAL const char *gnu_get_libc_version() {
  const char *text = CULPRIT_NEXT(gnu_get_libc_version)();
  return CULPRIT_CALLED_BY_PROGRAM ? keptText(text) : text;
}

CULPRIT_EXTERNAL const char *gnu_get_libc_release() {
  const char *text = CULPRIT_NEXT(gnu_get_libc_release)();
  return CULPRIT_CALLED_BY_PROGRAM ? keptText(text) : text;
}

} // namespace culprit

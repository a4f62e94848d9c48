// Texts that libc keeps: the program gets copies in memory of its own.
//
// As POSIX has it, a text stays valid until the next call.
#include "externals/external.h"

#include <string.h>

namespace culprit {
namespace {

constexpr size_t kLongest = 1024;
char g_error[kLongest];
char g_signal[kLongest];

char *copyInto(char (&slot)[kLongest], const char *text) {
  if (!text)
    return nullptr;
  size_t length = strnlen(text, kLongest - 1);
  memcpy(slot, text, length);
  slot[length] = 0;
  return slot;
}

} // namespace

CULPRIT_EXTERNAL char *strerror(int error) {
  char *text = CULPRIT_NEXT(strerror)(error);
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_error, text) : text;
}

CULPRIT_EXTERNAL char *strsignal(int signal) {
  char *text = CULPRIT_NEXT(strsignal)(signal);
  return CULPRIT_CALLED_BY_PROGRAM ? copyInto(g_signal, text) : text;
}

} // namespace culprit

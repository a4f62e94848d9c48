// See option_messages.h.
#include "externals/shims/option_messages.h"

#include <libintl.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

namespace culprit {
namespace {

const char *textOf(OptionMessage message) {
  switch (message) {
  case OptionMessage::Invalid:
    return "%s: invalid option -- '%c'\n";
  case OptionMessage::NeedsArgument:
    return "%s: option requires an argument -- '%c'\n";
  case OptionMessage::Unknown:
    return "%s: unrecognized option '%s%s'\n";
  case OptionMessage::NoArgument:
    return "%s: option '%s%s' doesn't allow an argument\n";
  case OptionMessage::NeedsLongArgument:
    return "%s: option '%s%s' requires an argument\n";
  }
  return "";
}

/// The format is translated; a stream of wide characters is written in its way.
void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  format = dcgettext("libc", format, LC_MESSAGES);
  char *text;
  if (fwide(stderr, 0) <= 0) {
    vfprintf(stderr, format, arguments);
  } else if (vasprintf(&text, format, arguments) >= 0) {
    fwprintf(stderr, L"%s", text);
    free(text);
  }
  va_end(arguments);
}

} // namespace

void sayOption(OptionMessage message, const char *program, char letter) {
  say(textOf(message), program, letter);
}

void sayOption(OptionMessage message, const char *program, const char *prefix, const char *name) {
  say(textOf(message), program, prefix, name);
}

void sayAmbiguous(const char *program, const char *prefix, const char *given, size_t length,
                  const option *options, const option *first, bool isLongOnly) {
  flockfile(stderr);
  say("%s: option '%s%s' is ambiguous; possibilities:", program, prefix, given);
  for (const option *each = options; each->name; ++each)
    if (strncmp(each->name, given, length) == 0 &&
        (each == first || isLongOnly || isAnotherOption(*first, *each)))
      say(" '%s%s'", prefix, each->name);
  say("\n");
  funlockfile(stderr);
}

} // namespace culprit

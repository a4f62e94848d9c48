// What getopt says of options that it does not like: libc's words, in the user's language.
#ifndef CULPRIT_EXTERNALS_SHIMS_OPTION_MESSAGES_H
#define CULPRIT_EXTERNALS_SHIMS_OPTION_MESSAGES_H

#include "externals/external.h"

#include <getopt.h>
#include <stddef.h>

namespace culprit {

enum class OptionMessage { Invalid, NeedsArgument, Unknown, NoArgument, NeedsLongArgument };

/// Of a short option.
void sayOption(OptionMessage message, const char *program, char letter);
/// Of a long one, as it was given: `prefix` is the dashes.
void sayOption(OptionMessage message, const char *program, const char *prefix, const char *name);
/// The first `length` characters of `given` are the beginning of several options.
void sayAmbiguous(const char *program, const char *prefix, const char *given, size_t length,
                  const option *options, const option *first, bool isLongOnly);

/// Whether the two do different things: then an abbreviation of both is ambiguous.
inline bool isAnotherOption(const option &a, const option &b) {
  return a.has_arg != b.has_arg || a.flag != b.flag || a.val != b.val;
}

} // namespace culprit
#endif

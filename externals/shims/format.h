// printf's formatting, apart from where the characters go.
//
// All functions of the family (over memory in print_memory.cpp, over streams elsewhere) hand a
// Sink, the format and the arguments to formatTo. A sink is a stretch of memory that is filled
// directly, and a function for what does not fit in there. Results are byte for byte glibc's 2.36;
// conversions that were registered with register_printf_function are not known here.
//
// The other direction is in scan.h.
#ifndef CULPRIT_EXTERNALS_SHIMS_FORMAT_H
#define CULPRIT_EXTERNALS_SHIMS_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <wchar.h>

namespace culprit {

/// Where formatted characters go. `Unit` is char or wchar_t.
///
/// Whoever makes a sink sets all three members. Characters are stored at `next` as long as there is
/// room for the whole piece (a run of format text, a converted value, some padding) in front of
/// `end`; `write` gets each piece that does not fit. A sink that wants to see each piece, such as
/// one of a line-buffered stream, keeps `next == end`.
template <typename Unit> struct BasicSink {
  Unit *next;
  Unit *end;
  /// Takes all `count` (at least 1) units, which come after those stored in front of `next`. It may
  /// set `next` and `end` anew. False when writing failed: formatting ends with -1, errno as it is.
  /// A sink with more to know is the first base of a class of its own.
  bool (*write)(BasicSink &sink, const Unit *units, size_t count);
};

using Sink = BasicSink<char>;
using WideSink = BasicSink<wchar_t>;

/// Formats into `sink`; what was stored there last is in front of `sink.next` when it returns.
/// Gives the number of units, or -1 with errno: EOVERFLOW when they are more than INT_MAX, EINVAL,
/// EILSEQ, ENOMEM, or what `write` has set. Units in front of the error have been written.
/// `isFortified`: dies when %n is in a format that can be written to, or positions have gaps.
int formatTo(Sink &sink, const char *format, va_list arguments, bool isFortified);
int formatTo(WideSink &sink, const wchar_t *format, va_list arguments, bool isFortified);

} // namespace culprit
#endif

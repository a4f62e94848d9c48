// scanf's conversions, apart from where the characters come from.
//
// All functions of the family hand a Source, the format and the arguments to scanFrom. A source is
// a stretch of memory that is read directly, and a function that finds more. What is taken from it
// is exactly what glibc 2.36 takes.
#ifndef CULPRIT_EXTERNALS_SHIMS_SCAN_H
#define CULPRIT_EXTERNALS_SHIMS_SCAN_H

#include <stdarg.h>
#include <stddef.h>
#include <wchar.h>

namespace culprit {

/// Where scanned characters come from. `Unit` is char or wchar_t.
///
/// Whoever makes a source sets all members. Units are taken from [next, end).
template <typename Unit> struct BasicSource {
  /// The first unit of the stretch: a unit that was taken is given back by going back to it, when
  /// it is in front of `next`.
  const Unit *start;
  const Unit *next;
  const Unit *end;
  /// Called when `next == end`. True when there are more units now: it has set all three anew, with
  /// `next < end`. False at the end of input and after an error, whose errno it has set.
  bool (*refill)(BasicSource &source);
  /// Gives `unit` back to be taken next, when it is not in front of `next`; sets the three as it
  /// likes, or ignores it. Only separators and digits that are several bytes long, matched in part
  /// and across a refill, come here: what is given back otherwise is the unit taken last.
  void (*giveBack)(BasicSource &source, Unit unit);
};

using Source = BasicSource<char>;
using WideSource = BasicSource<wchar_t>;

/// What C says of `%as`, `%aS` and `%a[`, in scanf and in __isoc99_scanf.
enum class LetterA {
  kAllocates, ///< "as" is GNU's old spelling of "ms"
  kIsFloat,
};

/// Scans from `source`; what has not been taken starts at `source.next` when it returns. Gives the
/// number of values assigned, or EOF when input ended before the first conversion or failed.
int scanFrom(Source &source, const char *format, va_list arguments, LetterA letterA);
int scanFrom(WideSource &source, const wchar_t *format, va_list arguments, LetterA letterA);

} // namespace culprit
#endif

// One conversion of a scanf format, such as "%*8[a-z]", and the arguments that they store to.
#ifndef CULPRIT_EXTERNALS_SHIMS_SCAN_SPEC_H
#define CULPRIT_EXTERNALS_SHIMS_SCAN_SPEC_H

#include "externals/shims/format_spec.h"
#include "externals/shims/scan.h"

namespace culprit {

struct ScanSpec {
  bool isSuppressed = false;     ///< '*'
  bool isGrouped = false;        ///< '\''
  bool usesLocaleDigits = false; ///< 'I'
  bool isChar = false;           ///< "hh"
  bool isShort = false;          ///< "h"
  bool isLong = false;           ///< "l", and all that is as long
  bool isLongDouble = false;     ///< "L", "q", "ll"
  bool isAllocated = false;      ///< "m", or the old "a"
  unsigned position = 0;         ///< "%2$": which argument; 0 is the next one
  int width = -1;                ///< negative when there is none
  unsigned letter = 0;           ///< 0 when the format ends too early
};

/// Reads the conversion whose '%' is in front of `cursor`.
template <typename Unit> ScanSpec readScanSpec(const Unit *&cursor, LetterA letterA);

class ScanArguments {
public:
  explicit ScanArguments(va_list arguments) {
    va_copy(all_.list, arguments);
    va_copy(following_.list, arguments);
  }
  ~ScanArguments() {
    va_end(all_.list);
    va_end(following_.list);
  }
  ScanArguments(const ScanArguments &) = delete;
  ScanArguments &operator=(const ScanArguments &) = delete;

  /// The pointer that a conversion stores to.
  void *take(const ScanSpec &spec);

private:
  ArgumentList all_;
  ArgumentList following_;
};

} // namespace culprit
#endif

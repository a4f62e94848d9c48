// The tables that the ctype macros index: see ctype_tables.cpp.
#ifndef CULPRIT_EXTERNALS_MODELS_CTYPE_TABLES_H
#define CULPRIT_EXTERNALS_MODELS_CTYPE_TABLES_H

#include <locale.h>

namespace culprit {

constexpr int kCtypeEntries = 384;
constexpr int kCtypeZero = 128; ///< tables are indexed from -128

struct CtypeTables {
  CtypeTables *next;
  unsigned short classes[kCtypeEntries];
  int toLower[kCtypeEntries];
  int toUpper[kCtypeEntries];
};

/// The program's copy of three tables of libc's, given by their entries for 0.
const CtypeTables *keptTables(const unsigned short *classes, const int *toLower,
                              const int *toUpper);

/// Takes over what libc now has for the calling thread, after the process's locale has changed.
void refreshCtype();
/// The same after the thread has changed to `locale`.
void refreshCtypeFor(locale_t locale);

} // namespace culprit
#endif

// What libc keeps for each thread and shows to the program: memory of the program at addresses that
// are the same in every run, unlike thread-locals.
//
// There is a place for each thread slot (runtime/thread_slots.h), which its thread clears when it
// first asks.
#ifndef CULPRIT_EXTERNALS_MODELS_THREAD_CELLS_H
#define CULPRIT_EXTERNALS_MODELS_THREAD_CELLS_H

#include <locale.h>

namespace culprit {

struct CtypeTables;

struct ThreadCells {
  int error;     ///< errno
  int hostError; ///< h_errno
  /// What the ctype macros read, one behind the start of the tables by 128 entries.
  const unsigned short *classes;
  const int *toLower;
  const int *toUpper;
  locale_t locale;       ///< what the program gave to uselocale
  char unknownError[96]; ///< texts that libc writes anew for each call
  char unknownSignal[96];
  char internetAddress[18];
  char *loaderError; ///< a heap block
};

/// Of the calling thread.
extern __thread ThreadCells *t_cells __attribute__((tls_model("initial-exec")));
ThreadCells *claimCells();
inline ThreadCells &ownCells() {
  return t_cells ? *t_cells : *claimCells();
}

} // namespace culprit
#endif

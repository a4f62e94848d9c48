// What the program has set for the signals that we watch.
#ifndef CULPRIT_RUNTIME_PROGRAM_ACTIONS_H
#define CULPRIT_RUNTIME_PROGRAM_ACTIONS_H

#include <signal.h>

namespace culprit {

bool isWatched(int signal);

/// sigaction() for a watched signal; either may be null.
void exchangeAction(int signal, const struct sigaction *wanted, struct sigaction *old);

} // namespace culprit
#endif

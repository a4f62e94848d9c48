// Signals of faults stay deliverable while the program blocks them.
#ifndef CULPRIT_RUNTIME_SIGNAL_MASKS_H
#define CULPRIT_RUNTIME_SIGNAL_MASKS_H

#include <signal.h>
#include <stdint.h>

namespace culprit {

/// From now on; before, masks go to the kernel as they are.
void keepFaultsUnblocked();

/// What the calling thread has blocked, for a thread that it makes.
uint64_t blockedFaults();
void inheritBlockedFaults(uint64_t blocked);

/// A signal has arrived that the program has blocked, and no fault is behind it: it is put back to
/// wait, on the mask that the handler will return to. False: it is to be handled.
bool holdBack(int signal, const siginfo_t &info, void *context);

} // namespace culprit
#endif

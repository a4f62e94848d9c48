// What a signal says of the failure behind it.
#ifndef CULPRIT_RUNTIME_FAILED_ACCESS_H
#define CULPRIT_RUNTIME_FAILED_ACCESS_H

#include "abi/failure.h"
#include "runtime/unwind.h"

#include <signal.h>

namespace culprit {

/// Signal, StackExhausted, Abort or FailedAssert.
abi::FailureKind kindOfSignal(int signal, const siginfo_t &info, const Registers &registers);

/// Fills in signal, address, access and libc's last words.
void describeSignal(abi::FailureRecord &record, int signal, const siginfo_t &info,
                    const void *context);

} // namespace culprit
#endif

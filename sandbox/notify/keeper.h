// Ends a sandbox without namespaces when the host has been killed: nobody else would.
#ifndef CULPRIT_SANDBOX_NOTIFY_KEEPER_H
#define CULPRIT_SANDBOX_NOTIFY_KEEPER_H

#include "sandbox/notify/members.h"

namespace culprit {

/// What a process of its own does: waits until the host has closed the other end of `lifeline`, and
/// kills what is left then.
[[noreturn]] void beKeeper(const rlimit &mark, int lifeline);

} // namespace culprit
#endif

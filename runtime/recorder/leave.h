// Leaving a recording: the program replays up to a point, is altered there, and goes on by itself.
//
// The host's plan (abi/altered_run.h) says where, and what is to be done at the start and there;
// mirror.h keeps the kernel's files as the program knows them. After the point the runtime has no
// part in the run any more: system calls go to the kernel, signals come as they come.
#ifndef CULPRIT_RUNTIME_RECORDER_LEAVE_H
#define CULPRIT_RUNTIME_RECORDER_LEAVE_H

#include "runtime/recorder/session.h"

namespace culprit {

/// Maps the plan and takes the steps of the start. False: it cannot be mapped.
bool openPlan(const char *file, uint64_t size);

/// Whether this replay is to be left, and has not been yet.
bool isLeaving();

/// The clock at which it is; the program must be made to ask there.
uint64_t leavingClock();

/// Leaves if the point is reached: then `context` is where the program goes on natively. Not while
/// a child runs in the program's memory.
bool leaveIfDue(ucontext_t *context);

} // namespace culprit
#endif

// See probe.h.
#include "runtime/probe.h"

#include "runtime/record.h"
#include "runtime/system.h"
#include "runtime/thread_state.h"

#include <sys/syscall.h>

namespace culprit {

void answerProbe(void *context) {
  abi::FailureRecord *record = failureRecord();
  if (!record)
    return;
  uint32_t slot = __atomic_fetch_add(&record->threadCount, 1, __ATOMIC_RELAXED);
  if (slot >= abi::kMostRecordedThreads)
    return;
  abi::FailureThread &thread = record->threads[slot];
  Registers registers = registersOf(context);
  thread.thread = threadNumber();
  thread.tid = static_cast<uint32_t>(rawSyscall(SYS_gettid));
  thread.pc = registers[kPc];
  thread.callerCount = collectCallers(registers, thread.callers, abi::kMostThreadCallers);
  if (slot == 0)
    recordImages(*record);
  __atomic_store_n(&thread.isComplete, 1, __ATOMIC_RELEASE);
}

void waitForEnd() {
  for (;;)
    rawSyscall(SYS_pause);
}

} // namespace culprit

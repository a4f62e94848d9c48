// What the runtime keeps for each thread: its number and a stack of its own for signals.
//
// A thread that has run out of stack can only tell so on another one. The kernel knows ours as the
// thread's alternate stack until the program names one of its own; the program is told that there
// is none. It is also where a failure is recorded when a signal came in elsewhere, for the stack
// there may be small.
#ifndef CULPRIT_RUNTIME_THREAD_STATE_H
#define CULPRIT_RUNTIME_THREAD_STATE_H

#include <stdint.h>

namespace culprit {

/// 1: the first; in the order of their creation; 0: a thread that something else made.
uint32_t threadNumber();

/// Makes the calling thread, the program's first, known.
void enterFirstThread();

/// A thread to be, with its slot and number.
struct NewThread {
  void *(*function)(void *);
  void *argument;
  uint64_t blocked; ///< by the thread that makes it
  uint64_t slot;
  uint32_t number;
  bool hasSignalStack;
};

/// Claims a number, a slot and a signal stack. Null when there are none: the thread does without.
NewThread *makeThread(void *(*function)(void *), void *argument, bool isDetached);

/// The thread's start function; its argument is the NewThread.
void *runThread(void *thread);

/// The thread was not started after all.
void forgetThread(NewThread *thread);

/// A thread of the program that has not ended.
struct LiveThread {
  uint32_t number;
  uint64_t pointer; ///< what %fs holds: the address of its control block
};

/// All of them, one after the other, the calling one first; false: there are no more. `place` is 0
/// at first. Others may end meanwhile.
bool nextLiveThread(uint64_t &place, LiveThread &thread);

/// Calls `function` on the thread's own signal stack, where there is one.
void callOnSignalStack(void (*function)(void *), void *argument);

/// Whether the program has not named an alternate stack, so that the kernel has one of ours.
bool isSignalStackOurs();

} // namespace culprit
#endif

// Whether all threads of a program wait for each other.
//
// The kernel says of every thread in which system call it sleeps. A program is stuck when for about
// a second every thread has slept in the same wait for a lock, a condition or another thread's end,
// without a time limit and inside this process: then only a signal could wake it. If the program
// handles signals, its threads must besides wait in a circle, each for a mutex that the next one
// has or for its end, since a handler may well be what posts the semaphore that all wait for.
#ifndef CULPRIT_CLI_DEADLOCK_H
#define CULPRIT_CLI_DEADLOCK_H

#include <chrono>
#include <string>
#include <sys/types.h>
#include <vector>

namespace culprit {

inline constexpr std::chrono::milliseconds kDeadlockInterval(200);

/// The kernel's numbers of a process's threads.
std::vector<pid_t> threadsOf(pid_t process);

class DeadlockWatch {
public:
  explicit DeadlockWatch(pid_t process) : process_(process) {}

  /// To be called about every kDeadlockInterval.
  bool isStuck();

private:
  pid_t process_;
  std::string last_; ///< what all threads did when last asked
  unsigned unchanged_ = 0;
};

} // namespace culprit
#endif

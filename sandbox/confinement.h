// What the two ways of a sandbox have in common for the host: its processes, its files, and the
// system calls that the host answers.
#ifndef CULPRIT_SANDBOX_CONFINEMENT_H
#define CULPRIT_SANDBOX_CONFINEMENT_H

#include "sandbox/change.h"
#include "sandbox/notification.h"
#include "sandbox/unique_fd.h"

#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace culprit {

class Confinement {
public:
  virtual ~Confinement() = default;

  /// The processes that are alive, by the numbers that they have for themselves; zombies are not.
  virtual std::vector<pid_t> processes() const = 0;
  virtual void kill(pid_t process) const = 0;
  /// Kills what is left, and the sandbox with it, and waits until nothing is.
  virtual void end() = 0;
  /// The host's number of a process, 0 if it is none of the host's children.
  virtual pid_t outside(pid_t process) const = 0;
  /// Bytes of memory that processes and written files take.
  virtual uint64_t memory() const = 0;
  /// Answers a system call that is not the supervisor's own.
  virtual void answer(Notification &call) = 0;
  /// Whether a program may be executed, where programs may at all.
  virtual bool mayExecute(const Notification &) { return true; }

  virtual std::vector<FileChange> changes() const = 0;
  /// The file that the program left under a path; not open if it has changed nothing there.
  virtual UniqueFd open(const std::string &path) const = 0;
};

/// Bytes of a process that are its own: its folder in an open /proc.
uint64_t residentMemory(int proc, pid_t process);

/// All processes of an open /proc.
std::vector<pid_t> listProcesses(int proc);

} // namespace culprit
#endif

// The processes of a sandbox without a process namespace.
//
// They are known by a mark that is inherited and that they cannot change: their limits for message
// queues, of which they have none. The system call filter forbids to set them.
#ifndef CULPRIT_SANDBOX_NOTIFY_MEMBERS_H
#define CULPRIT_SANDBOX_NOTIFY_MEMBERS_H

#include <sys/resource.h>
#include <sys/types.h>
#include <vector>

namespace culprit {

/// A mark that no other sandbox of this machine has at this time.
rlimit newMark();

class Members {
public:
  explicit Members(const rlimit &mark) : mark_(mark) {}

  /// A process or thread.
  bool contains(pid_t process) const;
  /// Those that are alive; zombies are not.
  std::vector<pid_t> alive() const;
  /// Waits for those that have ended and are children of this process, `kept` apart.
  void reap(pid_t kept) const;

private:
  rlimit mark_;
};

} // namespace culprit
#endif

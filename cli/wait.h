// Waits for the analysed program as the shell would for the program itself.
//
// Signals to culprit reach the program. A sandboxed program has no terminal of its own: what the
// terminal sends to culprit is passed on, too. When the program stops, culprit stops too, and
// continues it when it is continued: job control works as if culprit were not there. A program that
// runs longer than it may, or whose threads all wait for each other, is asked where it is and then
// killed.
#ifndef CULPRIT_CLI_WAIT_H
#define CULPRIT_CLI_WAIT_H

#include "abi/failure.h"

#include <csignal>
#include <memory>
#include <sys/resource.h>
#include <sys/types.h>

namespace culprit {

class Sandbox;

/// How the program ended.
struct Outcome {
  int status = 0;                   ///< exit status, or 128 + signal
  int signal = 0;                   ///< that it died of, or 0
  pid_t process = 0;                ///< that was the program, by the number that it had for itself
  std::shared_ptr<Sandbox> sandbox; ///< that it ran in, with what it left there; or null
  rusage used = {};                 ///< by the program and the processes that it waited for
  /// Of memory that the program had at most, as far as that was seen while it ran; 0: not at all.
  /// (`used` starts with what culprit had when it forked.)
  uint64_t kilobytes = 0;
  bool isSent = false; ///< the signal that it died of came to culprit, and was passed on
};

/// From before the program is started until it has ended.
class SignalsToChild {
public:
  explicit SignalsToChild(bool isSandboxed);
  ~SignalsToChild() { restore(); }
  SignalsToChild(const SignalsToChild &) = delete;
  SignalsToChild &operator=(const SignalsToChild &) = delete;

  /// Puts things back as they were; the child does so before it becomes the program.
  void restore() const;

private:
  static constexpr int kSignals[] = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,  SIGUSR1,
                                     SIGUSR2, SIGALRM, SIGTSTP, SIGTTIN, SIGTTOU};
  struct sigaction old_[sizeof kSignals / sizeof *kSignals];
  struct sigaction oldChild_;
  sigset_t oldMask_;
};

/// Waits for the end; SignalsToChild must be in force. `timeout`: seconds, 0: none.
Outcome waitForProgram(pid_t child, double timeout, abi::FailureRecord &record);

} // namespace culprit
#endif

// The host's thread that looks after one sandbox: it answers system calls and enforces limits.
#ifndef CULPRIT_SANDBOX_SUPERVISOR_H
#define CULPRIT_SANDBOX_SUPERVISOR_H

#include "sandbox/confinement.h"
#include "sandbox/options.h"
#include "sandbox/streams.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

namespace culprit {

/// What ended a run before its time.
enum class SandboxLimit { None, Time, Memory, Output };

class Supervisor {
public:
  /// The program waits at `listener` for leave to start.
  Supervisor(UniqueFd listener, const SandboxOptions &options, Confinement &confinement,
             const SandboxStreams &streams);
  ~Supervisor();
  Supervisor(const Supervisor &) = delete;
  Supervisor &operator=(const Supervisor &) = delete;

  /// From now on nothing can be forked.
  void forbidForks() { isEnding_ = true; }
  SandboxLimit limit() const { return limit_; }

private:
  using Clock = std::chrono::steady_clock;

  void run();
  void answer(Notification &call);
  void answerOpen(Notification &call);
  void answerFork(const Notification &call);
  bool giveGranted(const Notification &call, const std::string &path, int flags) const;
  void checkLimits();
  void endFor(SandboxLimit limit);

  UniqueFd listener_;
  const SandboxOptions &options_;
  Confinement &confinement_;
  const SandboxStreams &streams_;
  UniqueFd wake_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point nextCheck_ = start_;
  bool hasStarted_ = false;      ///< the program itself has been executed
  unsigned forksSinceCount_ = 0; ///< that went on
  size_t counted_ = 1;           ///< processes, when they were counted last
  std::atomic<bool> isEnding_ = false;
  std::atomic<SandboxLimit> limit_ = SandboxLimit::None;
  std::thread thread_;
};

} // namespace culprit
#endif

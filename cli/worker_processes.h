// Does independent jobs in processes of their own, several at a time.
//
// Processes, not threads: running a program takes over the process's signals, and what one job does
// to the tool, even a crash of it, is no matter to the others.
#ifndef CULPRIT_CLI_WORKER_PROCESSES_H
#define CULPRIT_CLI_WORKER_PROCESSES_H

#include "sandbox/unique_fd.h"
#include "support/diagnostics.h"

#include <csignal>
#include <functional>
#include <map>
#include <string>

namespace culprit {

/// How a job ended. What it found out it must have left in a file.
struct JobEnd {
  size_t job = 0;
  ExitCode code = ExitCode::Done;
  std::string message; ///< of a Failure that it threw
};

class WorkerProcesses {
public:
  using Work = std::function<void(size_t)>;
  using OnEnd = std::function<void(const JobEnd &)>;

  /// `work` is called in a new process with the number of its job, `onEnd` in this one.
  WorkerProcesses(unsigned most, Work work, OnEnd onEnd);
  /// Kills what still runs.
  ~WorkerProcesses();
  WorkerProcesses(const WorkerProcesses &) = delete;
  WorkerProcesses &operator=(const WorkerProcesses &) = delete;

  /// Does jobs 0 to count - 1, the first ones first. Returns the signal that interrupted that, or
  /// 0. This process must have one thread only.
  int run(size_t count);

private:
  struct Worker {
    size_t job;
    UniqueFd message; ///< what it says at its end
  };

  void start(size_t job);
  [[noreturn]] void become(size_t job, int message) const;
  void reap();

  unsigned most_;
  Work work_;
  OnEnd onEnd_;
  std::map<pid_t, Worker> running_;
  sigset_t waited_;
  sigset_t oldMask_;
  struct sigaction oldChild_;
};

} // namespace culprit
#endif

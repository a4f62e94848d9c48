// See worker_processes.h.
#include "cli/worker_processes.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr size_t kLongestMessage = 4096; ///< a pipe holds it

void ignoreChild(int) {}

/// What a worker has said; it has ended.
std::string readAll(int pipe) {
  char buffer[kLongestMessage];
  ssize_t count = read(pipe, buffer, sizeof buffer);
  return {buffer, count > 0 ? static_cast<size_t>(count) : 0};
}

} // namespace

WorkerProcesses::WorkerProcesses(unsigned most, Work work, OnEnd onEnd)
    : most_(most), work_(std::move(work)), onEnd_(std::move(onEnd)) {
  sigemptyset(&waited_);
  for (int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
    sigaddset(&waited_, signal);
  sigprocmask(SIG_BLOCK, &waited_, &oldMask_);
  struct sigaction action = {};
  action.sa_handler = ignoreChild; // an ignored SIGCHLD would leave nothing to wait for
  sigaction(SIGCHLD, &action, &oldChild_);
}

WorkerProcesses::~WorkerProcesses() {
  for (const auto &[process, worker] : running_)
    kill(process, SIGKILL);
  for (const auto &[process, worker] : running_)
    waitpid(process, nullptr, 0);
  sigaction(SIGCHLD, &oldChild_, nullptr);
  sigprocmask(SIG_SETMASK, &oldMask_, nullptr);
}

int WorkerProcesses::run(size_t count) {
  size_t next = 0;
  while (next < count || !running_.empty()) {
    if (next < count && running_.size() < most_) {
      start(next++);
      continue;
    }
    int signal = sigwaitinfo(&waited_, nullptr);
    if (signal > 0 && signal != SIGCHLD)
      return signal;
    reap();
  }
  return 0;
}

void WorkerProcesses::start(size_t job) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    failUsage("cannot make a pipe: {}", std::strerror(errno));
  UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0)
    failUsage("cannot start a process: {}", std::strerror(errno));
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent)
      become(job, to.get());
    _exit(static_cast<int>(ExitCode::Internal));
  }
  running_.emplace(child, Worker{job, std::move(from)});
}

/// What the terminal sends is for the parent, which ends its workers: a program that a signal ends
/// would look like one that did not fail.
void WorkerProcesses::become(size_t job, int message) const {
  setpgid(0, 0);
  sigaction(SIGCHLD, &oldChild_, nullptr);
  sigprocmask(SIG_SETMASK, &oldMask_, nullptr);
  ExitCode code = ExitCode::Done;
  std::string text;
  try {
    work_(job);
  } catch (const Failure &failure) {
    code = failure.code();
    text = failure.what();
  } catch (const std::exception &error) {
    code = ExitCode::Internal;
    text = fmt::format("internal error: {}", error.what());
  }
  (void)!write(message, text.data(), std::min(text.size(), kLongestMessage));
  _exit(static_cast<int>(code));
}

void WorkerProcesses::reap() {
  int status = 0;
  for (pid_t done; (done = waitpid(-1, &status, WNOHANG)) > 0;) {
    auto found = running_.find(done);
    if (found == running_.end())
      continue;
    Worker worker = std::move(found->second);
    running_.erase(found);
    if (WIFEXITED(status))
      onEnd_(
          {worker.job, static_cast<ExitCode>(WEXITSTATUS(status)), readAll(worker.message.get())});
    else
      onEnd_(
          {worker.job, ExitCode::Internal,
           fmt::format("internal error: culprit itself was ended by signal {}", WTERMSIG(status))});
  }
}

} // namespace culprit

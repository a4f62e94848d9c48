// See wait.h.
#include "cli/wait.h"

#include "cli/deadlock.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace culprit {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGrace(500); ///< for the threads to say where they are
volatile pid_t g_child = 0;
volatile bool g_isSandboxed = false;
volatile bool g_isStopSent = false; ///< to a sandboxed program
volatile uint64_t g_sent = 0;       ///< signals that were meant for the program, as bits
volatile uint64_t g_early = 0;      ///< those of them that came before its number was known

bool isStop(int signal) {
  return signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

void sendToChild(int signal) {
  if (!g_isSandboxed) {
    kill(g_child, signal);
    return;
  }
  g_isStopSent = isStop(signal);
  kill(g_child, isStop(signal) ? SIGSTOP : signal);
  if (!isStop(signal)) // it may have stopped itself, which no shell is told of
    kill(g_child, SIGCONT);
}

/// What the terminal sends goes to the whole group, the program included; what a process sends to
/// us is meant for the program. A sandboxed program is alone in its session: the terminal does not
/// reach it, and the stops of job control mean nothing to it.
void passOn(int signal, siginfo_t *info, void *) {
  uint64_t bit = uint64_t{1} << signal;
  g_sent = g_sent | bit;
  if (info->si_code > 0 && !g_isSandboxed)
    return;
  if (g_child > 0)
    sendToChild(signal);
  else
    g_early = g_early | bit;
}

/// The program may run, and tell others so, before we know its number.
void passOnEarly() {
  for (int signal = 1; signal < 64; ++signal)
    if ((g_early >> signal & 1) != 0)
      sendToChild(signal);
  g_early = 0;
}

void ignoreChild(int) {}

/// Calls nothing that another thread may be in the middle of: see Waker.
bool isStopped(pid_t child) {
  char path[32];
  char text[512];
  *fmt::format_to_n(path, sizeof path - 1, "/proc/{}/stat", child).out = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, text, sizeof text);
  close(file);
  std::string_view stat(text, size < 0 ? 0 : static_cast<size_t>(size));
  size_t end = stat.rfind(')');
  return end != std::string_view::npos && end + 2 < stat.size() && stat[end + 2] == 'T';
}

/// A process that continues this one, which stops, when the program has been continued: it may be
/// by one that does not know of us.
class Waker {
public:
  explicit Waker(pid_t child) : parent_(getpid()), process_(fork()) {
    if (process_ == 0)
      watch(child);
  }
  ~Waker() {
    if (process_ < 0)
      return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Waker(const Waker &) = delete;
  Waker &operator=(const Waker &) = delete;

private:
  [[noreturn]] void watch(pid_t child) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); // nobody who looks for the job finds this
    closefrom(0);
    while (getppid() == parent_ && (isStopped(child) || !isStopped(parent_))) {
      timespec pause{0, 20'000'000};
      nanosleep(&pause, nullptr);
    }
    if (getppid() == parent_)
      kill(parent_, SIGCONT);
    _exit(0);
  }

  pid_t parent_;
  pid_t process_;
};

/// Kilobytes that a process had at most; 0: it has ended.
uint64_t mostMemory(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      return std::stoull(line.substr(sizeof "VmHWM:"));
  return 0;
}

/// A sandboxed program that stops itself does not stop us, who see to its limits.
bool isStopShared() {
  bool isShared = !g_isSandboxed || g_isStopSent;
  g_isStopSent = false;
  return isShared;
}

/// The program has stopped; so do we, until somebody continues us. A stop that is over already is
/// none: both were stopped and continued together.
void stopWith(pid_t child) {
  if (!isStopped(child))
    return;
  Waker waker(child);
  raise(SIGSTOP);
  kill(child, SIGCONT);
}

/// Sleeps until a child changes or `duration` is over.
void sleepFor(Clock::duration duration) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count();
  timespec time{left / 1'000'000'000, left % 1'000'000'000};
  sigtimedwait(&set, nullptr, &time);
}

/// Lets every thread write down where it is, and says what for.
void askThreads(pid_t child, abi::FailureKind kind, abi::FailureRecord &record) {
  std::vector<pid_t> threads = threadsOf(child);
  for (pid_t thread : threads)
    syscall(SYS_tgkill, child, thread, abi::kProbeSignal);
  auto end = Clock::now() + kGrace;
  auto answered = [&] {
    size_t count = 0;
    for (const abi::FailureThread &thread : record.threads)
      count += __atomic_load_n(&thread.isComplete, __ATOMIC_ACQUIRE) != 0;
    return count >= std::min<size_t>(threads.size(), abi::kMostRecordedThreads);
  };
  while (!answered() && Clock::now() < end)
    std::this_thread::sleep_for(milliseconds(2));
  if (record.kind != abi::FailureKind::None && !record.isInHandler)
    return;
  record.kind = kind;
  record.isInHandler = 0;
  record.signal = 0;
  record.process = static_cast<uint32_t>(child);
  record.magic = abi::kFailureMagic;
}

class Waiter {
public:
  Waiter(pid_t child, double timeout, abi::FailureRecord &record)
      : child_(child), record_(record), deadlock_(child), hasLimit_(timeout > 0),
        limit_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(timeout))) {}

  Outcome run() {
    for (;;) {
      int status = 0;
      rusage used = {};
      pid_t done = wait4(child_, &status, WNOHANG | WUNTRACED, &used);
      bool isStop = done == child_ && WIFSTOPPED(status);
      if (isStop && isStopShared())
        stopWith(child_);
      else if (done == child_ && !isStop)
        return WIFEXITED(status)
                   ? Outcome{WEXITSTATUS(status), 0, child_, nullptr, used, memory_}
                   : Outcome{
                         128 + WTERMSIG(status), WTERMSIG(status), child_, nullptr, used, memory_};
      else if (done < 0 && errno != EINTR)
        failInternal("cannot wait for the program: {}", std::strerror(errno));
      else
        watch();
    }
  }

private:
  void watch() {
    if (isKilled_) {
      sleepFor(milliseconds(100));
      return;
    }
    Clock::duration nap = kDeadlockInterval;
    if (hasLimit_)
      nap = std::min<Clock::duration>(nap, limit_ - Clock::now());
    if (nap > Clock::duration::zero())
      sleepFor(nap);
    if (uint64_t kilobytes = mostMemory(child_))
      memory_ = kilobytes;
    if (hasLimit_ && Clock::now() >= limit_)
      end(abi::FailureKind::Timeout);
    else if (deadlock_.isStuck())
      end(abi::FailureKind::Deadlock);
  }

  void end(abi::FailureKind kind) {
    askThreads(child_, kind, record_);
    kill(child_, SIGKILL);
    isKilled_ = true;
  }

  pid_t child_;
  abi::FailureRecord &record_;
  DeadlockWatch deadlock_;
  bool hasLimit_;
  bool isKilled_ = false;
  uint64_t memory_ = 0;
  Clock::time_point limit_;
};

} // namespace

SignalsToChild::SignalsToChild(bool isSandboxed) {
  g_isSandboxed = isSandboxed;
  g_sent = 0;
  g_early = 0;
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &oldMask_);
  struct sigaction action = {};
  action.sa_handler = ignoreChild; // an ignored SIGCHLD would leave nothing to wait for
  sigaction(SIGCHLD, &action, &oldChild_);
  for (size_t i = 0; i < std::size(kSignals); ++i) {
    action.sa_sigaction = passOn;
    action.sa_flags = SA_SIGINFO;
    sigaction(kSignals[i], nullptr, &old_[i]);
    // What is ignored is ignored by the program too, unless it thinks otherwise: then it must come.
    sigaction(kSignals[i], &action, nullptr);
  }
}

void SignalsToChild::restore() const {
  for (size_t i = 0; i < std::size(kSignals); ++i)
    sigaction(kSignals[i], &old_[i], nullptr);
  sigaction(SIGCHLD, &oldChild_, nullptr);
  sigprocmask(SIG_SETMASK, &oldMask_, nullptr);
}

Outcome waitForProgram(pid_t child, double timeout, abi::FailureRecord &record) {
  g_child = child;
  passOnEarly();
  Outcome outcome = Waiter(child, timeout, record).run();
  g_child = 0;
  outcome.isSent = outcome.signal != 0 && (g_sent >> outcome.signal & 1) != 0;
  // Its handler has put things in order, and raised it again.
  if (outcome.isSent && record.kind == abi::FailureKind::Signal &&
      record.signal == static_cast<uint32_t>(outcome.signal))
    record.kind = abi::FailureKind::None;
  return outcome;
}

} // namespace culprit

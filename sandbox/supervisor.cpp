// See supervisor.h.
#include "sandbox/supervisor.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr std::chrono::milliseconds kBetweenChecks(20);

constexpr uint64_t kNewNamespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

} // namespace

Supervisor::Supervisor(UniqueFd listener, const SandboxOptions &options, Confinement &confinement,
                       const SandboxStreams &streams)
    : listener_(std::move(listener)), options_(options), confinement_(confinement),
      streams_(streams), wake_(eventfd(0, EFD_CLOEXEC)), thread_([this] { run(); }) {}

Supervisor::~Supervisor() {
  uint64_t one = 1;
  while (write(wake_.get(), &one, sizeof one) < 0 && errno == EINTR)
    continue;
  thread_.join();
}

void Supervisor::run() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  for (;;) {
    pollfd events[2] = {{listener_.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    poll(events, 2, static_cast<int>(kBetweenChecks.count()));
    if (events[1].revents != 0)
      return;
    if ((events[0].revents & POLLIN) != 0) {
      if (std::optional<Notification> call = Notification::receive(listener_.get()))
        answer(*call);
    } else if (events[0].revents != 0) { // nobody is left who could call
      listener_.reset();
    }
    if (Clock::now() >= nextCheck_)
      checkLimits();
  }
}

void Supervisor::answer(Notification &call) {
  switch (call.call()) {
  case SYS_execve:
  case SYS_execveat:
    if (!hasStarted_ || (options_.allowPrograms && confinement_.mayExecute(call)))
      call.goOn();
    else
      call.fail(EACCES);
    hasStarted_ = true;
    return;
  case SYS_fork:
  case SYS_vfork:
  case SYS_clone:
    answerFork(call);
    return;
  case SYS_open:
  case SYS_openat:
    answerOpen(call);
    return;
  default:
    confinement_.answer(call);
  }
}

void Supervisor::answerFork(const Notification &call) {
  if (call.call() == SYS_clone && (call.argument(0) & kNewNamespaces) != 0) {
    call.fail(EPERM);
    return;
  }
  unsigned most = options_.limits.processes;
  if (most > 0 && counted_ + forksSinceCount_ >= most) {
    counted_ = confinement_.processes().size();
    forksSinceCount_ = 0;
  }
  if (isEnding_ || (most > 0 && counted_ >= most)) {
    call.fail(EAGAIN);
    return;
  }
  ++forksSinceCount_;
  call.goOn();
}

bool Supervisor::giveGranted(const Notification &call, const std::string &path, int flags) const {
  for (const GrantedFile &file : options_.files) {
    if (file.path != path)
      continue;
    call.give(file.fd, (flags & O_CLOEXEC) != 0);
    return true;
  }
  return false;
}

void Supervisor::answerOpen(Notification &call) {
  unsigned first = call.call() == SYS_open ? 0 : 1;
  std::optional<std::string> path = call.text(call.argument(first));
  if (!path || !giveGranted(call, *path, call.intArgument(first + 1)))
    confinement_.answer(call);
}

void Supervisor::checkLimits() {
  nextCheck_ = Clock::now() + kBetweenChecks;
  if (isEnding_)
    return;
  const SandboxLimits &limits = options_.limits;
  std::chrono::duration<double> elapsed = Clock::now() - start_;
  if (limits.seconds > 0 && elapsed.count() > limits.seconds)
    endFor(SandboxLimit::Time);
  else if (streams_.isOverLimit())
    endFor(SandboxLimit::Output);
  else if (limits.memory > 0 && confinement_.memory() > limits.memory)
    endFor(SandboxLimit::Memory);
}

/// Whoever waits for the program sees it end.
void Supervisor::endFor(SandboxLimit limit) {
  limit_ = limit;
  isEnding_ = true;
  for (pid_t process : confinement_.processes())
    confinement_.kill(process);
}

} // namespace culprit

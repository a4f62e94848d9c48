// See sandbox.h.
#include "sandbox/sandbox.h"

#include "sandbox/channel.h"
#include "sandbox/filter.h"
#include "sandbox/namespace_confinement.h"
#include "sandbox/namespaces.h"
#include "sandbox/notify/keeper.h"
#include "sandbox/notify/notify_confinement.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace culprit {
namespace fs = std::filesystem;

/// One attempt to start a program in one of the two ways.
class SandboxStarter {
public:
  SandboxStarter(const SandboxedCommand &command, Sandbox &sandbox)
      : command_(command), sandbox_(sandbox), ends_(makeChannel()) {}

  void run() {
    int lifeline[2];
    if (pipe2(lifeline, O_CLOEXEC) != 0)
      failUsage("cannot make a pipe for the sandbox: {}", std::strerror(errno));
    sandbox_.lifeline_ = UniqueFd(lifeline[1]);
    UniqueFd lifelineEnd(lifeline[0]);
    std::error_code error;
    ProgramPlan plan{command_,
                     sandbox_.options_,
                     sandbox_.way_,
                     filterFor(sandbox_.way_),
                     fs::current_path(error).string(),
                     sandbox_.streams_.forProgram(),
                     harmlessCapabilities(),
                     newMark(),
                     ends_.child.get()};
    if (sandbox_.way_ == SandboxWay::Notify)
      forkNotified(plan, lifelineEnd.get());
    else
      forkBuilder(plan, lifelineEnd.get());
    ends_.child.reset();
    lifelineEnd.reset();
    sandbox_.streams_.start();
    converse();
  }

private:
  void forkBuilder(const ProgramPlan &plan, int lifeline) {
    builder_ = fork();
    if (builder_ < 0)
      failUsage("cannot start the program: {}", std::strerror(errno));
    if (builder_ == 0) {
      forgetHost();
      buildNamespaces(plan, lifeline);
    }
  }

  void forkNotified(const ProgramPlan &plan, int lifeline) {
    sandbox_.keeper_ = fork();
    if (sandbox_.keeper_ == 0) {
      forgetHost();
      beKeeper(plan.mark, lifeline);
    }
    pid_t program = sandbox_.keeper_ < 0 ? -1 : fork();
    if (program < 0)
      failUsage("cannot start the program: {}", std::strerror(errno));
    if (program == 0)
      becomeProgram(plan);
    takeProgram(program);
    sandbox_.confinement_ =
        std::make_unique<NotifyConfinement>(sandbox_.options_, plan.mark, program, plan.folder);
  }

  /// A process that waits for the host must not hold the host's ends itself: it would never learn
  /// that the host was killed.
  void forgetHost() {
    ends_.host.reset();
    sandbox_.lifeline_.reset();
  }

  /// Until the program has been executed: then the other end is closed.
  void converse() {
    std::optional<Failure> failure;
    while (std::optional<Message> message = receiveMessage(ends_.host.get())) {
      try {
        take(*message);
      } catch (const Failure &refusal) {
        failure = failure ? failure : refusal;
        ends_.host.reset();
        break;
      }
    }
    if (builder_ > 0)
      waitpid(builder_, nullptr, 0);
    if (!sandbox_.confinement_ && first_ > 0) {
      sandbox_.lifeline_.reset();
      waitpid(first_, nullptr, 0);
    }
    if (failure)
      throw Failure(*failure);
    if (!sandbox_.supervisor_ || sandbox_.program_ <= 0)
      throw Failure(ExitCode::Refused, "the sandbox ended before the program was started");
  }

  void take(Message &message) {
    switch (message.tag) {
    case Message::Tag::Unshared:
      mapUsers(builder_);
      sendMessage(ends_.host.get(), Message::Tag::Mapped);
      break;
    case Message::Tag::Places:
      sandbox_.confinement_ = std::make_unique<NamespaceConfinement>(
          first_, std::move(message.descriptors.at(0)), std::move(message.descriptors.at(1)));
      break;
    case Message::Tag::First:
      first_ = std::stoi(message.text);
      break;
    case Message::Tag::Program:
      takeProgram(std::stoi(message.text));
      break;
    case Message::Tag::Listener:
      listener_ = std::move(message.descriptors.at(0));
      break;
    case Message::Tag::Refused:
      throw Failure(ExitCode::Refused, message.text);
    case Message::Tag::Failed:
      throw Failure(ExitCode::Usage, message.text);
    case Message::Tag::Mapped:
      break;
    }
    if (sandbox_.confinement_ && listener_.isOpen())
      sandbox_.supervisor_ = std::make_unique<Supervisor>(
          std::move(listener_), sandbox_.options_, *sandbox_.confinement_, sandbox_.streams_);
  }

  void takeProgram(pid_t program) {
    sandbox_.program_ = program;
    sandbox_.programFd_ = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, program, 0)));
  }

  const SandboxedCommand &command_;
  Sandbox &sandbox_;
  ChannelEnds ends_;
  pid_t builder_ = 0;
  pid_t first_ = 0;
  UniqueFd listener_;
};

Sandbox::Sandbox(SandboxWay way, const SandboxOptions &options)
    : way_(way), options_(options), streams_(options) {}

std::unique_ptr<Sandbox> Sandbox::startIn(SandboxWay way, const SandboxedCommand &command,
                                          const SandboxOptions &options) {
  std::unique_ptr<Sandbox> sandbox(new Sandbox(way, options));
  SandboxStarter(command, *sandbox).run();
  return sandbox;
}

std::unique_ptr<Sandbox> Sandbox::start(const SandboxedCommand &command,
                                        const SandboxOptions &options) {
  if (options.way != SandboxWay::Automatic)
    return startIn(options.way, command, options);
  try {
    return startIn(SandboxWay::Namespace, command, options);
  } catch (const Failure &first) {
    if (first.code() != ExitCode::Refused)
      throw;
    try {
      return startIn(SandboxWay::Notify, command, options);
    } catch (const Failure &second) {
      if (second.code() != ExitCode::Refused)
        throw;
      throw Failure(ExitCode::Refused,
                    fmt::format("this machine cannot confine the program: namespaces: {}; "
                                "notifications: {}; see 'culprit doctor'",
                                first.what(), second.what()));
    }
  }
}

Sandbox::~Sandbox() {
  endAll();
}

SandboxEnd Sandbox::wait() {
  siginfo_t info = {};
  while (waitid(P_PIDFD, static_cast<id_t>(programFd_.get()), &info, WEXITED) != 0)
    if (errno != EINTR)
      failInternal("cannot wait for the sandboxed program: {}", std::strerror(errno));
  endAllBut(0);
  SandboxEnd end;
  end.limit = supervisor_->limit();
  end.signal = info.si_code == CLD_EXITED ? 0 : info.si_status;
  end.status = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
  return end;
}

void Sandbox::endAllBut(pid_t inside) {
  supervisor_->forbidForks();
  for (;;) {
    std::vector<pid_t> left = confinement_->processes();
    std::erase(left, inside);
    if (left.empty())
      break;
    for (pid_t process : left)
      confinement_->kill(process);
    usleep(200);
  }
  streams_.finish();
}

void Sandbox::endAll() {
  if (supervisor_)
    supervisor_->forbidForks();
  if (confinement_)
    confinement_->end();
  if (programFd_.isOpen()) {
    siginfo_t info = {};
    waitid(P_PIDFD, static_cast<id_t>(programFd_.get()), &info, WEXITED);
  }
  supervisor_.reset();
  lifeline_.reset();
  if (keeper_ > 0)
    waitpid(keeper_, nullptr, 0);
}

} // namespace culprit

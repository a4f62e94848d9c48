// See namespaces.h.
#include "sandbox/namespaces.h"

#include "sandbox/channel.h"
#include "sandbox/proc_text.h"
#include "sandbox/root.h"
#include "support/diagnostics.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <sstream>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit {
namespace {

[[noreturn]] void refuse(const std::string &what) {
  throw Failure(ExitCode::Refused, fmt::format("{}: {}", what, std::strerror(errno)));
}

bool writeText(const std::string &path, const std::string &text) {
  UniqueFd file(open(path.c_str(), O_WRONLY | O_CLOEXEC));
  return file.isOpen() &&
         write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

/// A map of this namespace's numbers to themselves.
std::string identity(const char *file) {
  std::istringstream lines(procText(file));
  std::string map;
  uint64_t inside = 0;
  uint64_t outside = 0;
  uint64_t count = 0;
  while (lines >> inside >> outside >> count)
    map += fmt::format("{} {} {}\n", inside, inside, count);
  return map;
}

/// Programs that talk to themselves over the loopback device can.
void startLoopback() {
  UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request = {};
  std::strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  ioctl(socket.get(), SIOCSIFFLAGS, &request);
}

/// A child of our parent. In the child the result is 0.
pid_t cloneForHost() {
  return static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
}

/// The first process of the namespace: as long as it lives, the others may. Says through `ready`
/// how its first task went: 0 or an error.
[[noreturn]] void beFirst(int lifeline, int ready) {
  int error = SandboxRoot::mountProcesses() ? 0 : errno;
  if (write(ready, &error, sizeof error) != sizeof error)
    _exit(1);
  dup2(lifeline, 0);
  syscall(SYS_close_range, 1U, ~0U, 0U);
  prctl(PR_SET_NAME, "culprit-sandbox");
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  struct sigaction ignore = {};
  ignore.sa_handler = SIG_IGN; // orphans leave no zombies
  sigaction(SIGCHLD, &ignore, nullptr);
  pollfd end{0, POLLIN, 0};
  while (poll(&end, 1, -1) <= 0)
    continue;
  _exit(0);
}

void startFirst(int channel, int lifeline) {
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0)
    refuse("cannot make a pipe");
  pid_t first = cloneForHost();
  if (first == 0)
    beFirst(lifeline, ready[1]);
  close(ready[1]);
  if (first < 0)
    refuse("cannot start a process in a namespace of its own");
  sendMessage(channel, Message::Tag::First, std::to_string(first));
  int error = ECHILD;
  if (read(ready[0], &error, sizeof error) != sizeof error || error != 0) {
    errno = error;
    refuse("cannot mount a /proc of the sandbox's own");
  }
  close(ready[0]);
}

void unshareAll(int channel) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
              CLONE_NEWUTS) != 0)
    refuse("user namespaces are not allowed here (unshare)");
  sendMessage(channel, Message::Tag::Unshared);
  std::optional<Message> answer = receiveMessage(channel);
  if (!answer || answer->tag != Message::Tag::Mapped)
    _exit(static_cast<int>(ExitCode::Passthrough));
}

/// A copy of what is left of a file that has no name any more.
UniqueFd copyOf(int fd, off_t size) {
  UniqueFd copy(static_cast<int>(syscall(SYS_memfd_create, "input", 0U)));
  char buffer[1 << 16];
  for (off_t at = 0; at < size;) {
    ssize_t got = pread(fd, buffer, sizeof buffer, at);
    if (got <= 0 || write(copy.get(), buffer, static_cast<size_t>(got)) != got)
      break;
    at += got;
  }
  lseek(copy.get(), lseek(fd, 0, SEEK_CUR), SEEK_SET);
  return copy;
}

/// Streams that are files or devices of the outside are opened anew: with an offset of their own,
/// and so that nothing but their bytes can be reached.
void reopenStreams(const SandboxRoot &root, ProgramPlan &plan, std::vector<UniqueFd> &kept) {
  for (int &stream : plan.streams) {
    struct stat facts = {};
    if (stream < 0 || fstat(stream, &facts) != 0 || S_ISFIFO(facts.st_mode))
      continue;
    bool isInput = &stream == plan.streams.data();
    UniqueFd again = root.reopen(stream, isInput);
    if (!again.isOpen() && S_ISREG(facts.st_mode))
      again = copyOf(stream, facts.st_size);
    if (!again.isOpen() && isatty(stream)) // of a terminal that has no name here
      continue;
    if (!again.isOpen())
      refuse(fmt::format("cannot open standard stream {} anew", &stream - plan.streams.data()));
    stream = kept.emplace_back(std::move(again)).get();
  }
}

std::vector<std::string> essentialFolders(const ProgramPlan &plan) {
  std::error_code error;
  return {plan.folder, std::filesystem::temp_directory_path(error).string()};
}

void build(ProgramPlan plan, int lifeline) {
  unshareAll(plan.channel);
  startLoopback();
  SandboxRoot root(plan.options.limits.memory, essentialFolders(plan));
  root.begin();
  startFirst(plan.channel, lifeline);
  std::vector<UniqueFd> kept;
  reopenStreams(root, plan, kept);
  for (const std::filesystem::path &folder : plan.options.folders)
    root.share(folder);
  root.finish();
  sendMessage(plan.channel, Message::Tag::Places, "", {root.memory(), root.processes()});
  pid_t program = cloneForHost();
  if (program == 0)
    becomeProgram(plan);
  sendMessage(plan.channel, Message::Tag::Program, std::to_string(program));
}

} // namespace

void buildNamespaces(const ProgramPlan &plan, int lifeline) {
  try {
    build(plan, lifeline);
  } catch (const Failure &failure) {
    sendMessage(plan.channel, Message::Tag::Refused, failure.what());
  }
  _exit(0);
}

void mapUsers(pid_t builder) {
  std::string folder = fmt::format("/proc/{}/", builder);
  if (writeText(folder + "uid_map", identity("/proc/self/uid_map")) &&
      writeText(folder + "gid_map", identity("/proc/self/gid_map")))
    return;
  writeText(folder + "setgroups", "deny");
  if (!writeText(folder + "uid_map", fmt::format("{0} {0} 1\n", geteuid())) ||
      !writeText(folder + "gid_map", fmt::format("{0} {0} 1\n", getegid())))
    refuse("user namespaces are not allowed here (uid_map)");
}

} // namespace culprit

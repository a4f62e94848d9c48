// See notify_confinement.h.
#include "sandbox/notify/notify_confinement.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace culprit {

NotifyConfinement::NotifyConfinement(const SandboxOptions &options, const rlimit &mark,
                                     pid_t program, const std::string &folder)
    : members_(mark), program_(program), folder_(folder),
      files_(options, members_, folder == "/" ? "" : folder) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); // orphans come to us
}

void NotifyConfinement::kill(pid_t process) const {
  if (members_.contains(process))
    ::kill(process, SIGKILL);
}

void NotifyConfinement::end() {
  for (std::vector<pid_t> left; !(left = members_.alive()).empty(); usleep(200))
    for (pid_t process : left)
      kill(process);
  members_.reap(program_);
}

uint64_t NotifyConfinement::memory() const {
  static const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  uint64_t bytes = files_.tree().size();
  for (pid_t process : members_.alive())
    bytes += residentMemory(proc, process);
  return bytes;
}

/// Numbers of processes are in registers: they stay what they are. Groups of the sandbox are in
/// sessions of its own, so that its own group has no others in it.
void NotifyConfinement::answerSignal(const Notification &call) {
  auto target = static_cast<pid_t>(call.argument(0));
  bool isGroup = call.call() == SYS_kill && target <= 0;
  if (!isGroup) {
    members_.contains(target) ? call.goOn() : call.fail(ESRCH);
    return;
  }
  if (target == 0) {
    call.goOn();
    return;
  }
  int found = 0;
  pid_t caller = callerOf(call.thread()).process;
  for (pid_t process : members_.alive()) {
    bool isMeant = target == -1 ? process != caller : getpgid(process) == -target;
    found += isMeant ? 1 : 0;
    if (isMeant && target == -1)
      ::kill(process, call.intArgument(1));
  }
  if (found == 0)
    call.fail(ESRCH);
  else if (target == -1)
    call.succeed(0);
  else
    call.goOn();
}

void NotifyConfinement::answer(Notification &call) {
  switch (call.call()) {
  case SYS_kill:
  case SYS_tkill:
  case SYS_tgkill:
  case SYS_rt_sigqueueinfo:
  case SYS_rt_tgsigqueueinfo:
    answerSignal(call);
    return;
  default:
    if (!files_.answer(call))
      call.fail(ENOSYS);
  }
}

/// The kernel reads the program from outside, and finds it from the folder that it knows.
bool NotifyConfinement::mayExecute(const Notification &call) {
  if (call.call() != SYS_execve)
    return false;
  std::optional<std::string> path = call.text(call.argument(0));
  if (!path || path->empty())
    return false;
  std::string folder = files_.workingFolder(call.thread());
  if ((*path)[0] != '/' && folder != folder_ && folder != (folder_ == "/" ? "" : folder_))
    return false;
  std::string whole = (*path)[0] == '/' ? *path : folder + "/" + *path;
  NodePointer node = files_.tree().at(whole);
  return !node || (!node->data.isOpen() && node->lower == whole);
}

UniqueFd NotifyConfinement::open(const std::string &path) const {
  NodePointer node = files_.tree().at(path);
  if (!node || !node->isFile())
    return {};
  std::string file =
      node->data.isOpen() ? fmt::format("/proc/self/fd/{}", node->data.get()) : node->lower;
  return UniqueFd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
}

} // namespace culprit

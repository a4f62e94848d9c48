// See program_process.h.
#include "sandbox/program_process.h"

#include "sandbox/channel.h"
#include "sandbox/filter.h"
#include "sandbox/notify/landlock.h"
#include "support/diagnostics.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr int kHarmless[] = {CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH,
                             CAP_FOWNER, CAP_FSETID,       CAP_KILL,
                             CAP_SETGID, CAP_SETUID,       CAP_NET_BIND_SERVICE};

[[noreturn]] void giveUp(int channel, Message::Tag tag, const std::string &what) {
  sendMessage(channel, tag, fmt::format("{}: {}", what, std::strerror(errno)));
  _exit(static_cast<int>(ExitCode::Passthrough));
}

void limit(decltype(RLIMIT_CPU) resource, rlim_t value) {
  rlimit now = {};
  getrlimit(resource, &now);
  rlim_t most = std::min(now.rlim_max, value);
  rlimit wanted{most, most};
  setrlimit(resource, &wanted);
}

void setLimits(const ProgramPlan &plan) {
  const SandboxLimits &limits = plan.options.limits;
  // No memory image, nor a program that the kernel starts for each: for that 0 is no limit.
  limit(RLIMIT_CORE, 1);
  if (limits.cpuSeconds > 0)
    limit(RLIMIT_CPU, static_cast<rlim_t>(std::ceil(limits.cpuSeconds)));
  if (limits.memory > 0)
    limit(RLIMIT_FSIZE, limits.memory);
  if (plan.way == SandboxWay::Notify)
    setrlimit(RLIMIT_MSGQUEUE, &plan.mark);
}

void dropCapabilities(uint64_t kept) {
  for (int capability = 0; capability <= 63; ++capability)
    if ((kept >> capability & 1) == 0)
      prctl(PR_CAPBSET_DROP, capability);
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  for (int half = 0; half < 2; ++half)
    data[half].effective = data[half].permitted = static_cast<uint32_t>(kept >> (32 * half));
  syscall(SYS_capset, &header, data);
}

/// The streams to 0, 1 and 2; the channel to 3, which execve closes; nothing else stays.
void arrangeDescriptors(ProgramPlan &plan) {
  int copies[3];
  for (size_t i = 0; i < 3; ++i)
    copies[i] = plan.streams[i] < 0 ? -1 : fcntl(plan.streams[i], F_DUPFD_CLOEXEC, 10);
  int channel = fcntl(plan.channel, F_DUPFD_CLOEXEC, 10);
  for (int i = 0; i < 3; ++i)
    copies[i] < 0 ? close(i) : dup2(copies[i], i);
  dup3(channel, 3, O_CLOEXEC);
  plan.channel = 3;
  syscall(SYS_close_range, 4U, ~0U, 0U);
}

std::vector<char *> pointersTo(const std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

} // namespace

uint64_t harmlessCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2] = {};
  syscall(SYS_capget, &header, data);
  uint64_t own = data[0].effective | uint64_t{data[1].effective} << 32;
  uint64_t kept = 0;
  for (int capability : kHarmless)
    kept |= own & uint64_t{1} << capability;
  return kept;
}

void becomeProgram(ProgramPlan plan) {
  setsid(); // signals to its group and the terminal's keys are the sandbox's own affair
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  arrangeDescriptors(plan);
  if (chdir(plan.folder.c_str()) != 0)
    giveUp(plan.channel, Message::Tag::Failed,
           fmt::format("the working folder '{}' is not there in the sandbox", plan.folder));
  setLimits(plan);
  dropCapabilities(plan.way == SandboxWay::Namespace ? plan.capabilities : 0);
  if (plan.options.beforeProgram)
    plan.options.beforeProgram();
  std::vector<char *> arguments = pointersTo(plan.command.arguments);
  std::vector<char *> environment = pointersTo(plan.command.environment);
  std::string executable = plan.command.executable.string();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    giveUp(plan.channel, Message::Tag::Refused, "cannot give up privileges for good");
  if (plan.way == SandboxWay::Notify)
    denyWrites();
  UniqueFd listener = installFilter(plan.filter);
  if (!listener.isOpen())
    giveUp(plan.channel, Message::Tag::Refused,
           "the kernel does not notify of system calls (seccomp, Linux 5.0)");
  sendMessage(plan.channel, Message::Tag::Listener, "", {listener.get()});
  listener.reset();
  execve(executable.c_str(), arguments.data(), environment.data());
  giveUp(plan.channel, Message::Tag::Failed, fmt::format("cannot run '{}'", executable));
}

} // namespace culprit

// See members.h.
#include "sandbox/notify/members.h"

#include "sandbox/confinement.h"
#include "sandbox/proc_text.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <sys/wait.h>

namespace culprit {
namespace {

constexpr rlim_t kHalf = 400'000; ///< of the usual limit of 819,200 bytes

int openProc() {
  static const int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return proc;
}

bool isZombie(pid_t process) {
  std::string stat = procText(fmt::format("/proc/{}/stat", process));
  size_t end = stat.rfind(')');
  return end == std::string::npos || end + 2 >= stat.size() || stat[end + 2] == 'Z' ||
         stat[end + 2] == 'X';
}

} // namespace

rlimit newMark() {
  static std::atomic<rlim_t> count = 0;
  return {count++ % kHalf, kHalf + static_cast<rlim_t>(getpid()) % kHalf};
}

bool Members::contains(pid_t process) const {
  rlimit found = {};
  return process > 0 && prlimit(process, RLIMIT_MSGQUEUE, nullptr, &found) == 0 &&
         found.rlim_cur == mark_.rlim_cur && found.rlim_max == mark_.rlim_max;
}

std::vector<pid_t> Members::alive() const {
  std::vector<pid_t> processes = listProcesses(openProc());
  std::erase_if(processes, [&](pid_t process) { return !contains(process) || isZombie(process); });
  return processes;
}

void Members::reap(pid_t kept) const {
  for (pid_t process : listProcesses(openProc())) {
    siginfo_t info = {};
    if (process != kept && contains(process))
      waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG);
  }
}

} // namespace culprit

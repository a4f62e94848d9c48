// See namespace_confinement.h.
#include "sandbox/namespace_confinement.h"

#include "sandbox/proc_text.h"
#include "sandbox/upper.h"

#include <cerrno>
#include <csignal>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr pid_t kFirst = 1; ///< the first process, by its own numbers

std::string linkText(const std::string &path) {
  std::error_code error;
  return fs::read_symlink(path, error).string();
}

/// The letter of a process's state.
char stateOf(int proc, pid_t process) {
  std::string status = procText(proc, fmt::format("{}/status", process));
  size_t at = status.find("\nState:\t");
  return at == std::string::npos ? 'X' : status[at + 8];
}

/// The children of this process, whichever of its threads started them.
std::vector<pid_t> ownChildren() {
  std::vector<pid_t> children;
  std::error_code error;
  for (const fs::directory_entry &thread : fs::directory_iterator("/proc/self/task", error)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child = 0; list >> child;)
      children.push_back(child);
  }
  return children;
}

/// All numbers of a process, the host's first, its own last.
std::vector<pid_t> numbersOf(pid_t process) {
  std::vector<pid_t> numbers;
  std::ifstream status(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(status, line);) {
    if (!line.starts_with("NSpid:"))
      continue;
    std::istringstream words(line.substr(6));
    for (pid_t number = 0; words >> number;)
      numbers.push_back(number);
  }
  return numbers;
}

/// The program can make children of ours; the namespace ends when they have been waited for.
void reapStrays(const std::string &namespaceName) {
  for (pid_t child : ownChildren()) {
    siginfo_t info = {};
    if (linkText(fmt::format("/proc/{}/ns/pid", child)) == namespaceName)
      waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG);
  }
}

} // namespace

uint64_t residentMemory(int proc, pid_t process) {
  uint64_t size = 0;
  uint64_t resident = 0;
  uint64_t ofFiles = 0;
  std::istringstream(procText(proc, fmt::format("{}/statm", process))) >> size >> resident >>
      ofFiles;
  return (resident - ofFiles) * static_cast<uint64_t>(getpagesize());
}

std::vector<pid_t> listProcesses(int proc) {
  std::vector<pid_t> processes;
  UniqueFd again(openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  DIR *folder = fdopendir(again.get());
  if (!folder)
    return processes;
  again.release();
  while (const dirent *entry = readdir(folder))
    if (pid_t process = static_cast<pid_t>(std::strtol(entry->d_name, nullptr, 10)))
      processes.push_back(process);
  closedir(folder);
  return processes;
}

NamespaceConfinement::NamespaceConfinement(pid_t first, UniqueFd memory, UniqueFd processes)
    : firstFd_(static_cast<int>(syscall(SYS_pidfd_open, first, 0))), memory_(std::move(memory)),
      processes_(std::move(processes)),
      namespaceName_(linkText(fmt::format("/proc/{}/ns/pid", first))) {}

std::vector<pid_t> NamespaceConfinement::processes() const {
  std::vector<pid_t> alive;
  for (pid_t process : listProcesses(processes_.get())) {
    char state = stateOf(processes_.get(), process);
    if (process != kFirst && state != 'Z' && state != 'X')
      alive.push_back(process);
  }
  return alive;
}

void NamespaceConfinement::kill(pid_t process) const {
  UniqueFd folder(openat(processes_.get(), std::to_string(process).c_str(),
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.isOpen())
    syscall(SYS_pidfd_send_signal, folder.get(), SIGKILL, nullptr, 0);
}

void NamespaceConfinement::end() {
  syscall(SYS_pidfd_send_signal, firstFd_.get(), SIGKILL, nullptr, 0);
  siginfo_t info = {};
  while (waitid(P_PIDFD, static_cast<id_t>(firstFd_.get()), &info, WEXITED | WNOHANG) == 0 &&
         info.si_pid == 0) {
    reapStrays(namespaceName_);
    usleep(200);
  }
}

pid_t NamespaceConfinement::outside(pid_t process) const {
  for (pid_t child : ownChildren()) {
    std::vector<pid_t> numbers = numbersOf(child);
    if (!numbers.empty() && numbers.back() == process &&
        linkText(fmt::format("/proc/{}/ns/pid", child)) == namespaceName_)
      return child;
  }
  return 0;
}

uint64_t NamespaceConfinement::memory() const {
  uint64_t bytes = 0;
  for (pid_t process : listProcesses(processes_.get()))
    bytes += process == kFirst ? 0 : residentMemory(processes_.get(), process);
  struct statvfs facts = {};
  if (fstatvfs(memory_.get(), &facts) == 0)
    bytes += (facts.f_blocks - facts.f_bfree) * facts.f_frsize;
  return bytes;
}

std::vector<FileChange> NamespaceConfinement::changes() const {
  return upperChanges(memory_.get());
}

UniqueFd NamespaceConfinement::open(const std::string &path) const {
  return openUpper(memory_.get(), path);
}

} // namespace culprit

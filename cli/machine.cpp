// See machine.h.
#include "cli/machine.h"

#include "abi/memory_map.h"
#include "compiler/cache/cache.h"
#include "sandbox/sandbox.h"
#include "support/diagnostics.h"
#include "support/files.h"
#include "support/process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/landlock.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

/// Does something in a process of its own, which returns 0 or an error.
template <typename Work> int errorInChild(Work work) {
  pid_t child = fork();
  if (child == 0)
    _exit(work());
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

MachineCheck withError(MachineCheck check, int error, const std::string &found) {
  check.works = error == 0;
  check.detail = error == 0 ? found : std::strerror(error);
  if (check.works)
    check.next.clear();
  return check;
}

MachineCheck checkCompilers() {
  MachineCheck check{"compilers", "the drop-in compilers",      false, true,
                     "",          "install clang-19 and lld-19"};
  try {
    fs::path tool = fs::read_symlink("/proc/self/exe").parent_path() / "culprit-cc";
    ProcessResult result = runProcess({tool.string(), "--version"});
    check.works = result.status == 0;
    check.detail = result.output.substr(0, result.output.find('\n'));
  } catch (const std::exception &error) {
    check.detail = error.what();
  }
  if (check.works)
    check.next.clear();
  return check;
}

MachineCheck checkCache() {
  MachineCheck check{"cache", "the cache of analysis builds",
                     false,   true,
                     "",      "set CULPRIT_CACHE_DIR to a folder that can be written to"};
  try {
    fs::path folder = Cache::open().folder();
    fs::path probe = folder / fmt::format("doctor-{}", getpid());
    writeFileAtomically(probe, "probe");
    fs::remove(probe);
    return withError(check, 0, folder.string());
  } catch (const std::exception &error) {
    check.detail = error.what();
  }
  return check;
}

/// Analysis builds have their memory at fixed addresses.
MachineCheck checkAddresses() {
  MachineCheck check{"fixed-addresses",
                     "memory at fixed addresses",
                     false,
                     true,
                     "",
                     "allow programs 47 bits of address space; expected no limit from 'ulimit -v'"};
  rlimit limit = {};
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur != RLIM_INFINITY) {
    check.detail = fmt::format("address space is limited to {} bytes", limit.rlim_cur);
    return check;
  }
  constexpr size_t kSize = 1 << 20;
  for (uint64_t address :
       {abi::kHeapBase, abi::kThreadSlots, abi::kHeapTables, abi::kLibraryBase}) {
    void *wanted = reinterpret_cast<void *>(address);
    void *map = mmap(wanted, kSize, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (map != wanted)
      return withError(check, map == MAP_FAILED ? errno : EEXIST, "");
    munmap(map, kSize);
  }
  return withError(check, 0, "where analysis builds want it");
}

MachineCheck checkUserNamespaces() {
  MachineCheck check{"user-namespaces",
                     "user namespaces",
                     false,
                     false,
                     "",
                     "allow them (kernel.unprivileged_userns_clone, "
                     "user.max_user_namespaces, AppArmor, the container's seccomp profile)"};
  int error = errorInChild([] {
    return unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET) == 0 ? 0 : errno;
  });
  return withError(check, error, "with mounts, processes and network of their own");
}

MachineCheck checkNotifications() {
  MachineCheck check{"seccomp-notify",
                     "notification of system calls",
                     false,
                     false,
                     "",
                     "use Linux 5.0 or later with seccomp"};
  seccomp_notif_sizes sizes = {};
  int error = syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) == 0 ? 0 : errno;
  return withError(check, error, "seccomp");
}

MachineCheck checkLandlock() {
  MachineCheck check{
      "landlock", "Landlock", false,
      false,      "",         "boot with landlock in the list of 'lsm='; the sandbox does without"};
  long version = syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return withError(check, version > 0 ? 0 : errno, fmt::format("version {}", version));
}

/// A trial of the real thing, on this very program.
MachineCheck checkSandbox(SandboxWay way, const char *name, const char *what) {
  MachineCheck check{name, what, false, false, "", "see docs/SANDBOX.md"};
  UniqueFd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  SandboxOptions options;
  options.way = way;
  options.input = options.output = options.error = nothing.get();
  options.limits.seconds = 20;
  std::error_code error;
  SandboxedCommand command{fs::read_symlink("/proc/self/exe", error), {"culprit", "--version"}, {}};
  try {
    SandboxEnd end = Sandbox::start(command, options)->wait();
    check.works = end.status == 0;
    check.detail = check.works ? "tried" : fmt::format("a trial ended with status {}", end.status);
  } catch (const Failure &failure) {
    check.detail = failure.what();
  }
  if (check.works)
    check.next.clear();
  return check;
}

MachineCheck checkDispatch() {
  MachineCheck check{
      "syscall-user-dispatch",  "dispatch of system calls to the program", false, false, "",
      "use Linux 5.11 or later"};
  int error = errorInChild([] {
    constexpr int kOff = 0;
    return prctl(PR_SET_SYSCALL_USER_DISPATCH, kOff, 0, 0, 0) == 0 ? 0 : errno;
  });
  return withError(check, error, "prctl");
}

MachineCheck checkPtrace() {
  MachineCheck check{
      "ptrace", "tracing of child processes",
      false,    false,
      "",       "allow ptrace (kernel.yama.ptrace_scope, the container's seccomp profile)"};
  pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  int error = ptrace(PTRACE_SEIZE, child, nullptr, nullptr) == 0 ? 0 : errno;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return withError(check, error, "ptrace");
}

MachineCheck checkCounters() {
  MachineCheck check{"hardware-counters", "hardware counters", false, false, "", ""};
  perf_event_attr attributes = {};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  UniqueFd counter(static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0)));
  check = withError(check, counter.isOpen() ? 0 : errno, "there");
  check.detail += "; culprit needs none";
  return check;
}

} // namespace

std::vector<MachineCheck> checkMachine() {
  std::vector<MachineCheck> checks = {checkCompilers(),      checkCache(),         checkAddresses(),
                                      checkUserNamespaces(), checkNotifications(), checkLandlock(),
                                      checkDispatch(),       checkPtrace(),        checkCounters()};
  MachineCheck namespaces = checkSandbox(SandboxWay::Namespace, "sandbox-namespace",
                                         "a sandbox of namespaces with overlays in memory");
  MachineCheck notify =
      checkSandbox(SandboxWay::Notify, "sandbox-notify", "a sandbox of notified system calls");
  MachineCheck any{"sandbox",
                   "a sandbox, one way or the other",
                   namespaces.works || notify.works,
                   true,
                   "",
                   "see docs/SANDBOX.md"};
  any.detail = any.works ? wayName(namespaces.works ? SandboxWay::Namespace : SandboxWay::Notify)
                         : "neither way works";
  if (any.works)
    any.next.clear();
  checks.push_back(std::move(namespaces));
  checks.push_back(std::move(notify));
  checks.push_back(std::move(any));
  return checks;
}

} // namespace culprit

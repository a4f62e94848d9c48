// See launch.h; runtime/start.cpp is the other end of what is said here.
#include "cli/launch.h"

#include "abi/contract.h"
#include "support/diagnostics.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iterator>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kLibraryPath = "LD_LIBRARY_PATH=";

std::string heapWord(const Layout &layout) {
  std::string word = fmt::format("order:{},spacing:{},guard:{},seed:{}", layout.heap.order,
                                 layout.heap.spacing, layout.guard, layout.heap.seed);
  if (layout.fill.fresh)
    word += fmt::format(",fresh:{}", *layout.fill.fresh);
  if (layout.fill.freed)
    word += fmt::format(",freed:{}", *layout.fill.freed);
  return word;
}

/// What of a layout takes effect at start.
template <typename Add> void addLayout(const Layout &layout, const Build &build, Add add) {
  if (layout.guard > 0 || layout.fill.uninitialised)
    add("frames=", build.frameWork().string());
  if (layout.fill.uninitialised)
    add("uninitialised=", std::to_string(*layout.fill.uninitialised));
  add("heap=", heapWord(layout));
}

/// Our word to the runtime: runtime/start.cpp lists its parts.
std::string startWord(const Launch &launch, bool hadPath) {
  std::string word = std::string(abi::kStartVariable) + "=";
  auto add = [&](std::string_view key, const std::string &value) {
    word += std::string(key) + value + "\x1f";
  };
  std::error_code error;
  fs::path real = fs::canonical(launch.program, error);
  add("program=", error ? fs::absolute(launch.program).string() : real.string());
  add("started=", launch.program.string());
  for (const ImageBuild &image : launch.build.images)
    add("origin=", image.original->origin().string());
  if (!launch.countFolder.empty())
    add("counts=", launch.countFolder.string());
  if (launch.layout)
    addLayout(*launch.layout, launch.build, add);
  if (launch.build.images.size() > 1)
    add("twins=", (launch.build.folder / "lib").string());
  if (hadPath)
    add("path", "");
  return word;
}

/// The environment with our word at the end, and the folder of twin libraries in front of the
/// library path.
std::vector<std::string> environmentFor(const Launch &launch) {
  std::vector<std::string> words;
  bool hasTwins = launch.build.images.size() > 1;
  std::string twins = (launch.build.folder / "lib").string();
  bool hadPath = false;
  for (char **slot = environ; *slot; ++slot) {
    std::string_view word = *slot;
    if (hasTwins && !hadPath && word.starts_with(kLibraryPath)) {
      std::string value(word.substr(kLibraryPath.size()));
      words.push_back(std::string(kLibraryPath) + twins + (value.empty() ? "" : ":" + value));
      hadPath = true;
    } else {
      words.emplace_back(word);
    }
  }
  if (hasTwins && !hadPath)
    words.push_back(std::string(kLibraryPath) + twins);
  words.push_back(startWord(launch, hadPath));
  return words;
}

std::vector<char *> pointersTo(const std::vector<std::string> &words) {
  std::vector<char *> pointers;
  for (const std::string &word : words)
    pointers.push_back(const_cast<char *>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

[[noreturn]] void execute(const Launch &launch) {
  std::vector<std::string> environment = environmentFor(launch);
  execve(launch.build.executable().c_str(), pointersTo(launch.arguments).data(),
         pointersTo(environment).data());
  failUsage("cannot run '{}': {}", launch.build.executable().string(), std::strerror(errno));
}

/// Waits until the child ends or the time is up; then kills it.
int waitFor(pid_t child, double timeout) {
  timespec start;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (;;) {
    int status = 0;
    pid_t done = waitpid(child, &status, timeout > 0 ? WNOHANG : 0);
    if (done == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (done < 0 && errno != EINTR)
      failInternal("cannot wait for the program: {}", std::strerror(errno));
    if (timeout <= 0)
      continue;
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (static_cast<double>(now.tv_sec - start.tv_sec) +
            static_cast<double>(now.tv_nsec - start.tv_nsec) / 1e9 >
        timeout) {
      kill(child, SIGKILL);
      diagnose(Severity::Note, fmt::format("the program was stopped after {} seconds", timeout));
      timeout = 0;
      continue;
    }
    timespec nap{0, 2'000'000};
    nanosleep(&nap, nullptr);
  }
}

} // namespace

int launchProgram(const Launch &launch) {
  if (launch.timeout > 0)
    return launchAndWait(launch);
  execute(launch);
}

namespace {

volatile pid_t g_child = 0;

void passOn(int signal) {
  if (g_child > 0)
    kill(g_child, signal);
}

/// While the program runs: what the terminal sends to the whole group reaches it anyway and is
/// ignored here; what is sent to us alone is passed on.
class SignalsToChild {
public:
  SignalsToChild() {
    for (size_t i = 0; i < std::size(kSignals); ++i) {
      struct sigaction action = {};
      bool isForGroup = kSignals[i] == SIGINT || kSignals[i] == SIGQUIT;
      action.sa_handler = isForGroup ? SIG_IGN : passOn;
      sigaction(kSignals[i], &action, &old_[i]);
    }
  }
  ~SignalsToChild() { restore(); }
  void restore() const {
    for (size_t i = 0; i < std::size(kSignals); ++i)
      sigaction(kSignals[i], &old_[i], nullptr);
  }

private:
  static constexpr int kSignals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
  struct sigaction old_[std::size(kSignals)];
};

[[noreturn]] void becomeProgram(const Launch &launch, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(static_cast<int>(ExitCode::Passthrough));
  try {
    execute(launch);
  } catch (const Failure &failure) {
    diagnose(Severity::Error, failure.what());
    _exit(static_cast<int>(ExitCode::Passthrough));
  }
}

} // namespace

int launchAndWait(const Launch &launch) {
  SignalsToChild signals;
  pid_t parent = getpid();
  pid_t child = fork();
  if (child < 0)
    failUsage("cannot start the program: {}", std::strerror(errno));
  if (child == 0) {
    signals.restore();
    becomeProgram(launch, parent);
  }
  g_child = child;
  int status = waitFor(child, launch.timeout);
  g_child = 0;
  return status;
}

} // namespace culprit

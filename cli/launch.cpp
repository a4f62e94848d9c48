// See launch.h; runtime/start.cpp is the other end of what is said here.
#include "cli/launch.h"

#include "abi/contract.h"
#include "cli/watch.h"
#include "support/diagnostics.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

extern char **environ;

namespace culprit {
namespace fs = std::filesystem;
namespace {

pid_t g_watcher; ///< this process, before it forks
pid_t g_parent;  ///< and who started it

constexpr std::string_view kLibraryPath = "LD_LIBRARY_PATH=";

std::string heapWord(const Layout &layout) {
  std::string word = fmt::format("order:{},spacing:{},guard:{},seed:{}", layout.heap.order,
                                 layout.heap.spacing, layout.guard, layout.heap.seed);
  if (!layout.heap.reuse || layout.heap.fence)
    word += fmt::format(",reuse:0,fence:{}", layout.heap.fence ? 1 : 0);
  if (layout.fill.fresh)
    word += fmt::format(",fresh:{}", *layout.fill.fresh);
  if (layout.fill.freed)
    word += fmt::format(",freed:{}", *layout.fill.freed);
  return word;
}

/// What of a layout takes effect at start.
template <typename Add> void addLayout(const Layout &layout, const Build &build, Add add) {
  if (layout.hasGaps() || layout.fill.uninitialised)
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
  const fs::path &program = launch.realProgram.empty() ? launch.program : launch.realProgram;
  fs::path real = fs::canonical(program, error);
  add("program=", error ? fs::absolute(program).string() : real.string());
  add("started=", launch.program.string());
  add("watcher=", std::to_string(g_watcher));
  add("parent=", std::to_string(g_parent));
  for (const ImageBuild &image : launch.build.images)
    add("origin=", image.original->origin().string());
  if (!launch.countFolder.empty())
    add("counts=", launch.countFolder.string());
  if (launch.layout)
    addLayout(*launch.layout, launch.build, add);
  add("failure=", launch.failure.path());
  if (launch.observed)
    add("observed=", launch.observed->path());
  if (launch.suppression)
    add("suppress=", launch.suppression->path());
  if (launch.build.images.size() > 1)
    add("twins=", (launch.build.folder / "lib").string());
  for (const std::string &more : launch.words)
    add(more, "");
  if (launch.isExact)
    add("deep", "");
  if (hadPath)
    add("path", "");
  return word;
}

void allowLimit(__rlimit_resource resource, uint64_t wanted, const char *what) {
  rlimit now = {};
  getrlimit(resource, &now);
  if (wanted > now.rlim_max)
    failUsage("the limit on {} cannot be what it was when the program was recorded ({}): the hard "
              "limit is {}",
              what, wanted == RLIM_INFINITY ? "none" : std::to_string(wanted), now.rlim_max);
}

/// Fails if the program cannot have the limits that it had.
void allowLimits(const StartState &start) {
  allowLimit(RLIMIT_STACK, start.stackLimit, "stacks (ulimit -s)");
  allowLimit(RLIMIT_AS, start.memoryLimit, "address space (ulimit -v)");
}

void setLimit(__rlimit_resource resource, uint64_t wanted) {
  rlimit now = {};
  getrlimit(resource, &now);
  now.rlim_cur = wanted;
  setrlimit(resource, &now);
}

/// In a process that is about to become the program; allowLimits() has been asked.
void setLimits(const StartState &start) {
  setLimit(RLIMIT_STACK, start.stackLimit);
  setLimit(RLIMIT_AS, start.memoryLimit);
}

/// The environment with our word at the end, and the folder of twin libraries in front of the
/// library path.
std::vector<std::string> environmentFor(const Launch &launch) {
  std::vector<std::string> words;
  std::vector<std::string> inherited =
      launch.start ? launch.start->environment : currentEnvironment();
  bool hasTwins = launch.build.images.size() > 1;
  std::string twins = (launch.build.folder / "lib").string();
  bool hadPath = false;
  for (std::string_view word : inherited) {
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

[[noreturn]] void becomeProgram(const Launch &launch) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != g_watcher)
    _exit(static_cast<int>(ExitCode::Passthrough));
  try {
    if (launch.start)
      setLimits(*launch.start);
    execute(launch);
  } catch (const Failure &failure) {
    diagnose(Severity::Error, failure.what());
    _exit(static_cast<int>(ExitCode::Passthrough));
  }
}

SandboxOptions sandboxOptions(const Launch &launch, const SignalsToChild &signals) {
  SandboxOptions options = *launch.sandbox;
  options.beforeProgram = [&signals, isWatched = launch.watched.has_value(), start = launch.start] {
    signals.restore();
    if (start)
      setLimits(*start);
    if (isWatched)
      waitForWatcher();
  };
  options.files.push_back({launch.failure.path(), launch.failure.descriptor()});
  if (launch.observed)
    options.files.push_back({launch.observed->path(), launch.observed->descriptor()});
  if (launch.suppression)
    options.files.push_back({launch.suppression->path(), launch.suppression->descriptor()});
  if (!launch.countFolder.empty())
    options.folders.push_back(launch.countFolder);
  return options;
}

/// The record has the numbers that processes have in the sandbox; the copy of the failed program
/// stays until it has been read.
void leaveSandbox(Sandbox &sandbox, abi::FailureRecord &record, Outcome &outcome) {
  auto copy = static_cast<pid_t>(record.snapshot);
  record.snapshot = static_cast<uint32_t>(copy > 0 ? sandbox.outside(copy) : 0);
  sandbox.endAllBut(copy);
  if (record.process == static_cast<uint32_t>(outcome.process))
    record.process = static_cast<uint32_t>(sandbox.programInside());
  outcome.process = sandbox.programInside();
}

Outcome launchSandboxed(const Launch &launch) {
  SignalsToChild signals(true);
  SandboxedCommand command{launch.build.executable(), launch.arguments, environmentFor(launch)};
  std::shared_ptr<Sandbox> sandbox = Sandbox::start(command, sandboxOptions(launch, signals));
  if (launch.watched)
    watchWrites(sandbox->program(), *launch.watched);
  Outcome outcome = waitForProgram(sandbox->program(), launch.timeout, launch.failure.record());
  leaveSandbox(*sandbox, launch.failure.record(), outcome);
  outcome.sandbox = std::move(sandbox);
  return outcome;
}

} // namespace

std::vector<std::string> currentEnvironment() {
  std::vector<std::string> words;
  for (char **slot = environ; *slot; ++slot)
    words.emplace_back(*slot);
  return words;
}

Outcome launchAndWait(const Launch &launch) {
  g_watcher = getpid();
  g_parent = getppid();
  if (launch.start)
    allowLimits(*launch.start);
  if (launch.sandbox)
    return launchSandboxed(launch);
  SignalsToChild signals(false);
  pid_t child = fork();
  if (child < 0)
    failUsage("cannot start the program: {}", std::strerror(errno));
  if (child == 0) {
    signals.restore();
    becomeProgram(launch);
  }
  if (launch.onStart)
    launch.onStart(child);
  return waitForProgram(child, launch.timeout, launch.failure.record());
}

} // namespace culprit

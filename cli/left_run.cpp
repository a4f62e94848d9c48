// See left_run.h.
#include "cli/left_run.h"

#include "cli/replay_files.h"
#include "recording/input.h"
#include "recording/log_writer.h"
#include "recording/stop_text.h"
#include "report/replay_text.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

/// Bytes that the runtime reads or writes, under a path.
class MemoryFile {
public:
  explicit MemoryFile(std::string_view bytes) : fd_(memfd_create("culprit-plan", MFD_CLOEXEC)) {
    if (!fd_.isOpen())
      failUsage("cannot make memory for the run: {}", std::strerror(errno));
    if (std::string error = writeAll(fd_.get(), bytes); !error.empty())
      failUsage("cannot make memory for the run: {}", error);
    lseek(fd_.get(), 0, SEEK_SET);
  }
  int descriptor() const { return fd_.get(); }
  std::string path() const { return fmt::format("/proc/{}/fd/{}", getpid(), fd_.get()); }

private:
  UniqueFd fd_;
};

/// The program's standard input: a file if it was one, else a pipe that is fed what is left.
class LeftInput {
public:
  LeftInput(const History &history, const RecordedLog &log, const fs::path &folder) {
    if (history.isInputFile) {
      file_.emplace(inputOf(log, folder));
      return;
    }
    for (const auto &[descriptor, thing] : history.open)
      if (thing->kind == OpenThing::Kind::Input)
        rest_ = thing->rest;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
      failUsage("cannot make a pipe for the program's input: {}", std::strerror(errno));
    read_ = UniqueFd(ends[0]);
    feeder_ = std::thread([this, end = ends[1]] { feed(UniqueFd(end)); });
  }
  ~LeftInput() {
    read_.reset();
    if (feeder_.joinable())
      feeder_.join();
  }
  LeftInput(const LeftInput &) = delete;
  LeftInput &operator=(const LeftInput &) = delete;

  int descriptor() const { return file_ ? file_->descriptor() : read_.get(); }

private:
  void feed(UniqueFd to) const {
    sigset_t pipeSignal;
    sigemptyset(&pipeSignal);
    sigaddset(&pipeSignal, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipeSignal, nullptr);
    writeAll(to.get(), rest_); // the program need not read it all
  }

  std::optional<MemoryFile> file_;
  std::string rest_;
  UniqueFd read_;
  std::thread feeder_;
};

} // namespace

LeftRuns::LeftRuns(fs::path folder, const RecordedLog &log, const RecordedBuild &build,
                   double timeout)
    : folder_(std::move(folder)), log_(log), build_(build),
      start_{log.meta.environment, log.meta.stackLimit, log.meta.memoryLimit} {
  if (!log.checkpoint.empty())
    throw Failure(
        ExitCode::Refused,
        fmt::format("'{}' does not start with the program: its beginning was dropped (--max-size), "
                    "and with it which files were open; record without --max-size to leave a "
                    "recording",
                    folder_.string()));
  if (chdir(log.meta.folder.c_str()) != 0)
    failUsage("the folder that the program was recorded in, '{}', cannot be entered: {}",
              log.meta.folder, std::strerror(errno));
  paths_ = parsePaths(findPaths(timeout));
}

std::string LeftRuns::findPaths(double timeout) const {
  ReplayFiles files(folder_, log_);
  ReplayFile state;
  FailureFile failure;
  MemoryFile paths("");
  Launch launch{build_.build(), log_.meta.started, log_.meta.arguments, failure, {}, timeout};
  launch.start = &start_;
  launch.realProgram = log_.meta.program;
  launch.words = files.words();
  launch.words.push_back("replaystate=" + state.path());
  launch.words.push_back("replaypaths=" + paths.path());
  launchAndWait(launch);
  const abi::ReplayState &end = state.record();
  if (end.end != abi::ReplayEnd::Running && end.end != abi::ReplayEnd::Exhausted &&
      end.end != abi::ReplayEnd::Stopped)
    failUsage("{}", describeDivergence(end, build_.build()));
  return readFile(paths.path());
}

void LeftRuns::check(const History &history, const LeavePoint &point) const {
  if (history.isReached)
    return;
  failUsage("the recording cannot be left after {} counted points and {} events: it ends after {} "
            "counted points and {} events{}; choose a point before that",
            point.clock, point.events, history.lastClock, log_.eventCount,
            log_.end ? "" : ", where its recorder was ended");
}

Outcome LeftRuns::run(const LeaveRequest &request, const SandboxOptions &sandbox, Launch &launch) {
  History history = historyOf(log_, paths_, request.point);
  check(history, request.point);
  LeavePlan plan = makeLeavePlan(history, request, log_, folder_);
  for (const std::string &note : plan.notes)
    diagnose(Severity::Note, note);
  ReplayFiles files(folder_, log_);
  ReplayFile state;
  MemoryFile planFile(plan.bytes);
  LeftInput input(history, log_, folder_);
  SandboxOptions options = sandbox;
  options.input = input.descriptor();
  options.files.push_back({state.path(), state.descriptor()});
  options.files.push_back({planFile.path(), planFile.descriptor()});
  for (const auto &[path, file] : files.events())
    options.files.push_back({path, file});
  launch.sandbox = &options;
  launch.start = &start_;
  launch.realProgram = log_.meta.program;
  launch.words = files.words();
  launch.words.push_back("replaystate=" + state.path());
  launch.words.push_back("leave=" + planFile.path());
  launch.words.push_back(fmt::format("leavesize={}", plan.bytes.size()));
  Outcome outcome = launchAndWait(launch);
  launch.sandbox = nullptr;
  checkEnd(state.record(), plan, history);
  return outcome;
}

void LeftRuns::checkEnd(const abi::ReplayState &state, const LeavePlan &plan,
                        const History &history) const {
  if (state.end == abi::ReplayEnd::NotRestored)
    throw Failure(ExitCode::Refused, describeLeaveTrouble(state, plan, history));
  if (state.end == abi::ReplayEnd::Diverged || state.end == abi::ReplayEnd::Unmappable)
    failUsage("{}", describeDivergence(state, build_.build()));
  if (!state.hasLeft)
    failUsage("the program ended before it came to the point where it was to leave the recording; "
              "choose an earlier one");
}

} // namespace culprit

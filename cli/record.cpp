// `culprit record`: runs a program and keeps what is needed to run it again exactly.
#include "cli/cached_files.h"
#include "cli/command.h"
#include "cli/failure_output.h"
#include "cli/launch.h"
#include "cli/program_arguments.h"
#include "cli/recorded_build.h"
#include "recording/folders.h"
#include "recording/processor.h"
#include "recording/recorder.h"
#include "recording/stop_text.h"
#include "report/failure_json.h"

#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

uint64_t softLimit(__rlimit_resource resource) {
  rlimit limit = {};
  getrlimit(resource, &limit);
  return limit.rlim_cur;
}

class Record : public Command {
public:
  const char *name() const override { return "record"; }
  const char *summary() const override { return "run a program and record it for exact replays"; }
  const char *details() const override {
    return "Runs the program after '--' as 'culprit run' does, and keeps what it could not have\n"
           "known: results of system calls and the bytes they wrote, signals and the points where\n"
           "they came, time, random numbers, the contents of files that it mapped. 'culprit\n"
           "replay' then runs it again, exactly. Needs no privileges and no counters.\n\n"
           "A recording is a folder that only its owner can read: the one given with -o, or a new\n"
           "one in $XDG_STATE_HOME/culprit/recordings. It can be read up to its last part after\n"
           "whatever has killed the program or culprit; when it cannot be written any further, it\n"
           "ends there and the program goes on.\n\n"
           "With --max-size, the oldest parts are dropped when the folder grows beyond it. A\n"
           "replay then starts in the middle, from a copy of the program's memory, which "
           "counts.\n\n"
           "What cannot be recorded ends the recording with the reason, and the program goes on:\n"
           "threads, memory shared with other processes, system calls that are not known. "
           "Children\n"
           "of the program run as ever and are not recorded.\n\n"
           "The exit status is the program's (128 + signal), or 125 for errors of culprit.";
  }
  bool takesProgram() const override { return true; }
  bool hasFindings() const override { return true; }
  int exitFor(ExitCode) const override { return static_cast<int>(ExitCode::Passthrough); }

  void addOptions(CLI::App &app) override {
    app.add_option("--output,-o", output_, "make the recording in DIR")->type_name("DIR");
    app.add_option("--save-on", saveOn_, "keep the recording: always, or after a failure only")
        ->type_name("WHEN")
        ->check(CLI::IsMember({"always", "failure"}));
    app.add_option("--max-size", maxSize_,
                   "keep the end of the recording in SIZE bytes (or 50M, 2G); replays start there")
        ->type_name("SIZE")
        ->transform(CLI::AsSizeValue(false));
  }

  int run(const CommonOptions &common) override {
    const std::vector<std::string> &arguments = programArguments(name());
    RecordedBuild recorded(findProgram(arguments[0]), common.jobs);
    fs::path folder = output_.empty() ? newRecordingFolder(recorded.path()) : fs::path(output_);
    FailureFile failure;
    Launch launch{recorded.build(), recorded.path(), arguments, failure, {}, common.timeout};
    CachedFiles packedFiles(recorded.cache());
    Recorder recorder(folder, describe(recorded, arguments), packedFiles, maxSize_);
    launch.words.push_back("recording=" + recorder.ringPath());
    launch.words.push_back("recordinglog=" + recorder.logPath());
    launch.onStart = [&](pid_t program) { recorder.begin(program); };
    Outcome outcome = launchAndWait(launch);
    recorder.end(outcome.status, outcome.signal);
    std::optional<FailureReport> report =
        reportFailure(launch, outcome, recorded.program(), common);
    writeReport(common.json, runAsJson(outcome.status, report ? &*report : nullptr));
    bool hasFailed = report || outcome.status != 0;
    if (saveOn_ == "failure" && !hasFailed)
      removeRecording(folder);
    else
      explain(recorder, folder);
    return outcome.status;
  }

private:
  static RecordingMeta describe(const RecordedBuild &recorded,
                                const std::vector<std::string> &arguments) {
    RecordingMeta meta;
    meta.program = fs::absolute(recorded.path()).string();
    meta.started = recorded.path().string();
    meta.arguments = arguments;
    meta.environment = currentEnvironment();
    std::error_code ignored;
    meta.folder = fs::current_path(ignored).string();
    meta.build = recorded.identity();
    meta.processor = describeProcessor();
    meta.stackLimit = softLimit(RLIMIT_STACK);
    meta.memoryLimit = softLimit(RLIMIT_AS);
    meta.time = static_cast<uint64_t>(std::time(nullptr));
    return meta;
  }

  static void explain(const Recorder &recorder, const fs::path &folder) {
    if (!recorder.trouble().empty())
      diagnose(Severity::Warning, fmt::format("the recording '{}' is not complete: {}",
                                              folder.string(), recorder.trouble()));
    if (recorder.isAboveLimit())
      diagnose(Severity::Warning,
               fmt::format("the recording '{}' is larger than --max-size: the program's memory "
                           "cannot be kept in it, so nothing could be dropped",
                           folder.string()));
    if (recorder.stop())
      diagnose(Severity::Warning, fmt::format("the recording '{}' cannot be replayed: {}",
                                              folder.string(), describeStop(*recorder.stop())));
  }

  std::string output_;
  std::string saveOn_ = "always";
  uint64_t maxSize_ = 0;
};

Record record;
const CommandRegistration registration(record);

} // namespace
} // namespace culprit

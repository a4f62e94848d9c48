// `culprit replay`: runs a recorded program again, exactly.
#include "abi/memory_map.h"
#include "cli/command.h"
#include "cli/failure_output.h"
#include "cli/launch.h"
#include "cli/recorded_build.h"
#include "cli/replay_files.h"
#include "recording/folders.h"
#include "recording/log.h"
#include "recording/processor.h"
#include "recording/stop_text.h"
#include "report/failure_json.h"
#include "report/replay_text.h"

namespace culprit {
namespace fs = std::filesystem;
namespace {

struct ReplayFile : SharedRecord<abi::ReplayState> {
  ReplayFile() : SharedRecord("the record of the replay") {}
};

void checkMachine(const RecordingMeta &meta) {
  std::string here = describeProcessor();
  if (here != meta.processor)
    failUsage(
        "the recording was made on another processor ({}); this one is {}; replay it where it "
        "was made",
        meta.processor, here);
}

class Replay : public Command {
public:
  const char *name() const override { return "replay"; }
  const char *summary() const override { return "run a recorded program again, exactly"; }
  const char *details() const override {
    return "Runs the program of a recording again: the same instructions on the same memory, with\n"
           "the same output, failure and exit status. Nothing outside is read or changed: files,\n"
           "network and other processes may have changed or gone; standard input is not read. The\n"
           "program itself must be the one that was recorded.\n\n"
           "Without a folder, replays the latest recording. If the program does anything else "
           "than\n"
           "recorded, says what, where, and at which event, and exits with 125. Output of the\n"
           "program's children is not in the recording.\n\n"
           "The exit status is the recorded one, or 125 for errors of culprit.";
  }
  bool hasFindings() const override { return true; }
  int exitFor(ExitCode) const override { return static_cast<int>(ExitCode::Passthrough); }

  void addOptions(CLI::App &app) override {
    app.add_option("recording", folder_, "a folder, or a name as 'culprit ls' shows it")
        ->type_name("DIR");
  }

  int run(const CommonOptions &common) override {
    fs::path folder = findRecording(folder_);
    RecordedLog log = readLog(folder);
    checkMachine(log.meta);
    if (const abi::StopEvent *stop = stopIn(log.events))
      failUsage("'{}' cannot be replayed: {}", folder.string(), describeStop(*stop));
    RecordedBuild recorded(log.meta.program, common.jobs);
    checkRecordedProgram(recorded, log.meta);
    ReplayFiles files(folder, log);
    ReplayFile state;
    FailureFile failure;
    StartState start{log.meta.environment, log.meta.stackLimit, log.meta.memoryLimit};
    Launch launch{recorded.build(), log.meta.started, log.meta.arguments, failure, {},
                  common.timeout};
    launch.start = &start;
    launch.realProgram = log.meta.program;
    launch.words = files.words();
    launch.words.push_back("replaystate=" + state.path());
    Outcome outcome = launchAndWait(launch);
    if (int ended = checkEnd(state.record(), log, recorded, outcome); ended >= 0)
      return ended;
    std::optional<FailureReport> report =
        reportFailure(launch, outcome, recorded.program(), common);
    writeReport(common.json, runAsJson(outcome.status, report ? &*report : nullptr));
    return outcome.status;
  }

private:
  /// Ends with an error unless the program ended as recorded. Returns the status of a program that
  /// was cut off, or -1.
  static int checkEnd(const abi::ReplayState &state, const RecordedLog &log,
                      const RecordedBuild &recorded, const Outcome &outcome) {
    if (state.end == abi::ReplayEnd::Exhausted) {
      if (log.end && log.end->isExecuted)
        failUsage("the recording ends here: the program executed another program in its own place");
      diagnose(Severity::Note,
               fmt::format("the recording ends here, after {} events: {}", log.eventCount,
                           log.end ? "what followed could not be written"
                                   : "its recorder was ended before the program"));
      return log.end ? log.end->status : static_cast<int>(ExitCode::Passthrough);
    }
    if (state.end != abi::ReplayEnd::Running)
      failUsage("{}", describeDivergence(state, recorded.build()));
    if (log.end && log.end->status != outcome.status)
      failUsage("the replay differs from the recording: the program ended with status {}, not {}",
                outcome.status, log.end->status);
    return -1;
  }

  std::string folder_;
};

Replay replay;
const CommandRegistration registration(replay);

} // namespace
} // namespace culprit

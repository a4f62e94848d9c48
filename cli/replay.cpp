// `culprit replay`: runs a recorded program again, exactly.
#include "abi/memory_map.h"
#include "cli/command.h"
#include "cli/failure_output.h"
#include "cli/launch.h"
#include "cli/left_run.h"
#include "cli/recorded_build.h"
#include "cli/replay_files.h"
#include "cli/sandbox_choice.h"
#include "recording/folders.h"
#include "recording/log.h"
#include "recording/processor.h"
#include "recording/stop_text.h"
#include "report/failure_json.h"
#include "report/replay_text.h"

#include <charconv>

namespace culprit {
namespace fs = std::filesystem;
namespace {

void checkMachine(const RecordingMeta &meta) {
  std::string here = describeProcessor();
  if (here != meta.processor)
    failUsage(
        "the recording was made on another processor ({}); this one is {}; replay it where it "
        "was made",
        meta.processor, here);
}

[[noreturn]] void failWrite(const std::string &text, const char *why) {
  failUsage("'--set {}' {}; give an address and bytes, both hexadecimal, such as "
            "'--set 0x10020=2a000000'",
            text, why);
}

int digitOf(char digit) {
  if (digit >= '0' && digit <= '9')
    return digit - '0';
  digit |= 0x20;
  return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/// What is wrong with it as a number; the library would make a large one of -5.
std::string isCount(const std::string &text) {
  uint64_t count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  bool isGood = error == std::errc() && end == text.data() + text.size();
  return isGood ? "" : fmt::format("'{}' is no count; expected a number from 0 on", text);
}

/// ADDRESS=HEXBYTES
MemoryWrite parseWrite(const std::string &text) {
  MemoryWrite write;
  size_t equals = text.find('=');
  if (equals == std::string::npos)
    failWrite(text, "has no '='");
  size_t begin = text.starts_with("0x") ? 2 : 0;
  auto [end, error] = std::from_chars(text.data() + begin, text.data() + equals, write.address, 16);
  if (error != std::errc() || end != text.data() + equals)
    failWrite(text, "does not begin with an address");
  size_t digits = text.size() - equals - 1;
  if (digits == 0 || digits % 2 != 0)
    failWrite(text, "does not have two digits for each byte");
  for (size_t i = equals + 1; i < text.size(); i += 2) {
    int high = digitOf(text[i]);
    int low = digitOf(text[i + 1]);
    if (high < 0 || low < 0)
      failWrite(text, "has a digit that is none");
    write.bytes += static_cast<char>(high * 16 + low);
  }
  return write;
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
           "With --leave-at, the program leaves the recording when it has passed that many "
           "counted\n"
           "points ('culprit info DIR' says how many there are), or later with --leave-after, and\n"
           "goes on by itself in the sandbox: with files, offsets and the rest of its input as at\n"
           "that point, and with time, processes and whatever it opens anew as they are now. "
           "What\n"
           "it writes, before and after, reaches nothing outside. With --set, its memory is "
           "altered\n"
           "there. If something cannot be had again, says what, and exits with 4.\n\n"
           "The exit status is the recorded one, with --leave-at the program's, or 125 for "
           "errors of\n"
           "culprit.";
  }
  bool hasFindings() const override { return true; }
  int exitFor(ExitCode code) const override {
    return static_cast<int>(code == ExitCode::Refused ? code : ExitCode::Passthrough);
  }

  void addOptions(CLI::App &app) override {
    app.add_option("recording", folder_, "a folder, or a name as 'culprit ls' shows it")
        ->type_name("DIR");
    app.add_option("--leave-at", leaveAt_,
                   "leave the recording after CLOCK counted points, and go on in the sandbox")
        ->type_name("CLOCK")
        ->check(isCount);
    app.add_option("--leave-after", leaveAfter_, "with --leave-at: not before so many events")
        ->type_name("EVENTS")
        ->check(isCount)
        ->needs("--leave-at");
    app.add_option("--set", writes_,
                   "with --leave-at: write bytes to memory there; both are hexadecimal")
        ->type_name("ADDRESS=BYTES")
        ->allow_extra_args(false)
        ->needs("--leave-at");
    sandbox_.addOptions(app, "--leave-at");
  }

  int run(const CommonOptions &common) override {
    fs::path folder = fs::absolute(findRecording(folder_));
    RecordedLog log = readLog(folder);
    checkMachine(log.meta);
    if (log.stop)
      failUsage("'{}' cannot be replayed: {}", folder.string(), describeStop(*log.stop));
    RecordedBuild recorded(log.meta, common.jobs);
    checkRecordedProgram(recorded, log.meta);
    if (leaveAt_)
      return leave(folder, log, recorded, common);
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
  int leave(const fs::path &folder, const RecordedLog &log, const RecordedBuild &recorded,
            const CommonOptions &common) {
    LeaveRequest request{{*leaveAt_, leaveAfter_}, {}};
    for (const std::string &write : writes_)
      request.writes.push_back(parseWrite(write));
    LeftRuns runs(folder, log, recorded, common.timeout);
    FailureFile failure;
    Launch launch{recorded.build(), log.meta.started, log.meta.arguments, failure, {},
                  common.timeout};
    Outcome outcome = runs.run(request, *sandbox_.options(), launch);
    std::optional<FailureReport> report =
        reportFailure(launch, outcome, recorded.program(), common);
    sandbox_.report(*outcome.sandbox);
    writeReport(common.json, runAsJson(outcome.status, report ? &*report : nullptr));
    return outcome.status;
  }

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
  std::optional<uint64_t> leaveAt_;
  uint64_t leaveAfter_ = 0;
  std::vector<std::string> writes_;
  SandboxChoice sandbox_;
};

Replay replay;
const CommandRegistration registration(replay);

} // namespace
} // namespace culprit

// `culprit locate`: the statement that first corrupted memory.
#include "analysis/locate/locate.h"

#include "analysis/failure/code_places.h"
#include "cli/command.h"
#include "cli/kept_input.h"
#include "cli/launch.h"
#include "cli/program_arguments.h"
#include "cli/recorded_run.h"
#include "cli/snapshot.h"
#include "compiler/twin/build.h"
#include "report/locate_json.h"
#include "report/locate_text.h"
#include "support/output.h"

#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

/// Makes the builds that altered runs need, and runs them.
class AlteredRuns {
public:
  AlteredRuns(const Program &program, fs::path path, const std::vector<std::string> &arguments,
              const Cache &cache, const CommonOptions &common, const RecordedRun *recorded)
      : program_(program), path_(std::move(path)), arguments_(arguments), cache_(cache),
        common_(common), recorded_(recorded),
        input_(recorded ? KeptInput(recorded->input) : KeptInput()) {}

  Build build(const AlteredRun &wanted) const {
    BuildOptions options{findMode(wanted.isExact ? "suppress-exact" : "suppress"), common_.jobs,
                         wanted.layout};
    for (const Execution &point : wanted.points)
      options.sites[point.site.moduleId].points.insert(point.site.site);
    if (wanted.probe)
      options.sites[wanted.probe->moduleId].probes.insert(wanted.probe->site);
    return makeBuild(program_, options, cache_);
  }

  RunResult run(const AlteredRun &wanted, const ProgramSites &sites) const {
    Build made = build(wanted);
    FailureFile failure;
    SuppressionFile suppression;
    abi::SuppressionRecord &record = suppression.record();
    for (const Execution &point : wanted.points)
      if (record.pointCount < abi::kMostPoints)
        record.points[record.pointCount++] = {sites.numberOf(point.site), point.time, point.low,
                                              point.high};
    record.tracedTime = wanted.tracedTime;
    record.tracedPointer = wanted.tracedPointer;
    Launch launch{made, path_, arguments_, failure, {}, timeout(), wanted.layout};
    launch.suppression = &suppression;
    launch.isExact = wanted.isExact;
    launch.watched = wanted.watched;
    launch.start = recorded_ ? &recorded_->start : nullptr;
    UniqueFd input = input_.fresh();
    UniqueFd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC));
    SandboxOptions sandbox;
    sandbox.allowPrograms = true;
    sandbox.input = input.get();
    sandbox.output = sandbox.error = nowhere.get();
    launch.sandbox = &sandbox;
    auto start = std::chrono::steady_clock::now();
    Outcome outcome = launchAndWait(launch);
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (!longest_)
      longest_ = kGrace + kSlower * elapsed.count();
    return read(launch, outcome);
  }

private:
  static constexpr double kUsualTimeout = 60;
  /// An altered run that takes much longer than the first one hangs.
  static constexpr double kGrace = 5, kSlower = 50;

  double timeout() const {
    double most = common_.timeout > 0 ? common_.timeout : kUsualTimeout;
    return longest_ ? std::min(most, *longest_) : most;
  }

  RunResult read(const Launch &launch, const Outcome &outcome) const {
    RunResult result;
    Snapshot memory(launch.failure.record());
    FailureContext context{launch.failure.record(),
                           launch.build,
                           static_cast<uint32_t>(outcome.process),
                           outcome.signal,
                           outcome.status,
                           launch.timeout,
                           &program_,
                           launch.layout,
                           {},
                           memory.reader()};
    result.failure = readFailure(context);
    result.seen = launch.suppression->record();
    result.status = outcome.status;
    for (uint32_t i = 0; i < result.seen.operandCount; ++i) {
      uint64_t word = 0;
      uint64_t address = result.seen.operands[i].value;
      if (memory.reader() && memory.reader()->read(address, &word, sizeof word))
        result.readable.insert(address);
    }
    readWrites(context, result);
    readTraces(context, result);
    if (result.seen.overrun.address != 0)
      result.overrun = CodePlaces(context).stackOf(0, true, result.seen.overrun.allocatedAt,
                                                   countCallers(result.seen.overrun));
    return result;
  }

  static uint32_t countCallers(const abi::FailureBlock &block) {
    uint32_t count = 0;
    while (count < abi::kMostBlockCallers && block.allocatedAt[count] != 0)
      ++count;
    return count;
  }

  static void readWrites(const FailureContext &context, RunResult &result) {
    CodePlaces places(context);
    uint64_t count = result.seen.writeCount;
    for (uint64_t i = count < abi::kMostWrites ? 0 : count - abi::kMostWrites; i < count; ++i) {
      const abi::WatchedWrite &write = result.seen.writes[i % abi::kMostWrites];
      result.writes.push_back(
          {write.time, places.stackOf(write.pc, true, write.callers,
                                      static_cast<uint32_t>(write.callerCount))});
    }
  }

  static void readTraces(const FailureContext &context, RunResult &result) {
    CodePlaces places(context);
    auto stackOf = [&](const abi::PointerCopy &copy) {
      return places.stackOf(0, true, copy.callers, static_cast<uint32_t>(copy.callerCount));
    };
    uint64_t count = result.seen.copyCount;
    for (uint64_t i = count < abi::kMostCopies ? 0 : count - abi::kMostCopies; i < count; ++i) {
      const abi::PointerCopy &copy = result.seen.copies[i % abi::kMostCopies];
      result.copies.push_back({copy.time, copy.address, stackOf(copy)});
    }
    if (result.seen.traced.callerCount > 0)
      result.traced = stackOf(result.seen.traced);
  }

  const Program &program_;
  fs::path path_;
  const std::vector<std::string> &arguments_;
  const Cache &cache_;
  const CommonOptions &common_;
  const RecordedRun *recorded_; ///< null: the program is run as this process was started
  KeptInput input_;
  mutable std::optional<double> longest_; ///< seconds for altered runs; none before the first run
};

class Locate : public Command {
public:
  const char *name() const override { return "locate"; }
  const char *summary() const override { return "find the statement that first corrupted memory"; }
  const char *details() const override {
    return "Runs the program after '--' until it fails, finds where the values that the failing\n"
           "statement used were defined, and runs it again without the effect of those\n"
           "definitions. If it fails elsewhere, goes on from there. When it does not fail any "
           "more,\n"
           "what was suppressed last is the root cause.\n\n"
           "With the folder of a recording ('culprit record') instead of a program, runs the\n"
           "recorded program with the recorded arguments, environment and input, in the folder\n"
           "where it was recorded. Files are as they are now, and so is the time.\n\n"
           "Exit status: 0 a root cause was found, 1 there is none (the program does not fail, or\n"
           "not because of its memory), 2 wrong usage, 4 the program starts threads, or this "
           "machine\n"
           "has no sandbox.";
  }
  bool takesProgram() const override { return true; }
  void addOptions(CLI::App &app) override {
    app.add_option("recording", folder_, "a recording, in place of a program")->type_name("DIR");
  }

  int run(const CommonOptions &common) override {
    if (!folder_.empty() && hasProgramArguments())
      failUsage("both a recording and a program are given; expected one of them");
    std::optional<RecordedRun> recorded;
    bool isNamed = !common.json.empty() && common.json != "-";
    fs::path json = isNamed ? fs::absolute(common.json) : fs::path(common.json);
    if (!folder_.empty())
      recorded = enterRecordedRun(folder_, common.jobs);
    const std::vector<std::string> &arguments =
        recorded ? recorded->arguments : programArguments(name());
    fs::path path = recorded ? recorded->program : findProgram(arguments[0]);
    Program program = loadProgram(path);
    refuseThreads(program);
    Cache cache = Cache::open();
    AlteredRuns runs(program, path, arguments, cache, common, recorded ? &*recorded : nullptr);
    ProgramSites sites(runs.build({}));
    LocateReport report =
        locate([&](const AlteredRun &wanted) { return runs.run(wanted, sites); }, sites, program);
    writeReport(json.string(), locateAsJson(report));
    if (recorded && recorded->hasFailed && report.verdict == Verdict::NoFailure)
      diagnose(Severity::Note, "the recorded run failed, and does not when it is run anew: it "
                               "depends on more than its arguments, environment and input; "
                               "'culprit replay' shows it exactly");
    if (common.json != "-")
      writeOut(printLocated(report, {path.string(), wantsColour(STDOUT_FILENO), !common.quiet}));
    return report.verdict == Verdict::MemoryCorruption ? 0 : 1;
  }

private:
  std::string folder_;

  static void refuseThreads(const Program &program) {
    for (const Image *image : program.images())
      if (image->startsThreads)
        throw Failure(
            ExitCode::Refused,
            fmt::format("'{}' starts threads, which locate cannot follow yet; 'culprit run "
                        "--exact' says where the program fails",
                        image->path.string()));
  }
};

Locate locateCommand;
const CommandRegistration registration(locateCommand);

} // namespace
} // namespace culprit

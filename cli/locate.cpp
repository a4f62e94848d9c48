// `culprit locate`: the statement that first corrupted memory.
#include "analysis/locate/locate.h"

#include "cli/altered_runs.h"
#include "cli/program_arguments.h"
#include "cli/recorded_run.h"
#include "report/locate_json.h"
#include "report/locate_sarif.h"
#include "report/locate_text.h"
#include "support/files.h"
#include "support/output.h"

#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

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
           "With --fails-when, a run has failed, too, if it ends by itself and COMMAND, run by "
           "the\n"
           "shell, then exits with 0. COMMAND reads what the program wrote to its standard output\n"
           "on its own standard input; $CULPRIT_STDOUT and $CULPRIT_STDERR are files with what it\n"
           "wrote, $CULPRIT_STATUS is its exit status. What is looked at is the condition that "
           "led\n"
           "to the call of exit(). Example: --fails-when 'grep -q \"bad checksum\"'.\n\n"
           "Gives up on the program after 300 seconds, unless --timeout says otherwise, and on an\n"
           "altered run when it takes far longer than the first one.\n\n"
           "Builds of a program with large modules are not optimised, for that takes longer than\n"
           "most programs run; they are after all if the first run takes more than 5 seconds (4\n"
           "for each MB of bitcode, if that is more), or with --optimise from the start.\n\n"
           "With --keep, leaves in DIR/1, DIR/2, ... what was altered in each run, how it ended,\n"
           "and what the program wrote to its standard output and error. With --sarif, writes the\n"
           "root cause as a result, with the way from there to the failure as code flow.\n\n"
           "A program that does not fail is run on other layouts of its memory, which show what "
           "it\n"
           "does by luck: with guard words around buffers, freed memory out of reach, and "
           "patterns\n"
           "in memory that was not set; --jobs of these at a time.\n\n"
           "Exit status: 0 a root cause was found, 1 there is none (the program does not fail, or\n"
           "not because of its memory, or only candidates are known), 2 wrong usage, 4 the "
           "program\n"
           "starts threads, or this machine has no sandbox.";
  }
  bool takesProgram() const override { return true; }
  bool hasFindings() const override { return true; }
  void addOptions(CLI::App &app) override {
    app.add_option("recording", folder_, "a recording, in place of a program")->type_name("DIR");
    app.add_option("--fails-when", failsWhen_,
                   "what ends by itself has failed if this command exits with 0")
        ->type_name("COMMAND");
    app.add_option("--keep", keep_,
                   "leave every run in DIR: what was altered, how it ended, output")
        ->type_name("DIR");
    app.add_flag("--optimise", isOptimised_,
                 "optimise large modules from the start, for programs that run long");
  }

  int run(const CommonOptions &common) override {
    if (!folder_.empty() && hasProgramArguments())
      failUsage("both a recording and a program are given; expected one of them");
    if (fs::is_regular_file(folder_))
      failUsage("'{}' is a file, and is no recording; a program is named behind '--': culprit "
                "locate -- {}",
                folder_, folder_);
    std::optional<RecordedRun> recorded;
    fs::path json = whereIs(common.json);
    fs::path sarif = whereIs(common.sarif);
    fs::path keep = whereIs(keep_);
    if (!folder_.empty())
      recorded = enterRecordedRun(folder_, common.jobs);
    const std::vector<std::string> &arguments =
        recorded ? recorded->arguments : programArguments(name());
    fs::path path = recorded ? recorded->program : findProgram(arguments[0]);
    Program program = loadProgram(path);
    refuseThreads(program);
    Cache cache = Cache::open();
    AlteredRuns runs(program, path, arguments, cache, common);
    runs.showRuns();
    if (isOptimised_)
      runs.optimise();
    std::optional<KeptRuns> kept;
    if (!keep.empty())
      runs.keepIn(kept.emplace(keep));
    if (recorded)
      runs.startWith(recorded->start);
    FailureTest test(failsWhen_);
    if (!failsWhen_.empty())
      runs.testWith(test);
    KeptInput input = recorded ? KeptInput(recorded->input) : KeptInput();
    ProgramSites sites(runs.first());
    LocateReport report = locate(runs.ways(sites, input), sites, program);
    writeReport(json.string(), locateAsJson(report));
    if (!common.sarif.empty())
      writeFileAtomically(sarif, locateAsSarif(report));
    if (recorded && recorded->hasFailed && report.verdict == Verdict::NoFailure)
      diagnose(Severity::Note, "the recorded run failed, and does not when it is run anew: it "
                               "depends on more than its arguments, environment and input; "
                               "'culprit replay' shows it exactly");
    if (common.json != "-")
      writeOut(printLocated(report, {path.string(), wantsColour(STDOUT_FILENO), !common.quiet}));
    return report.verdict == Verdict::MemoryCorruption ? 0 : 1;
  }

private:
  /// A file that the user names: a recorded program is run in another folder.
  fs::path whereIs(const std::string &name) const {
    bool isFile = !name.empty() && name != "-";
    return isFile && !folder_.empty() ? fs::absolute(name) : fs::path(name);
  }

  std::string folder_;
  std::string keep_;
  std::string failsWhen_;
  bool isOptimised_ = false;
};

Locate locateCommand;
const CommandRegistration registration(locateCommand);

} // namespace
} // namespace culprit

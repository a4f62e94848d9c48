// `culprit run`: runs the analysis build of a program in place of the program.
#include "analysis/failure/address_names.h"
#include "cli/closer_look.h"
#include "cli/command.h"
#include "cli/failure_output.h"
#include "cli/launch.h"
#include "cli/program_arguments.h"
#include "cli/sandbox_choice.h"
#include "compiler/twin/build.h"
#include "report/count_run.h"
#include "report/failure_json.h"
#include "report/line_counts.h"
#include "report/observed_text.h"
#include "support/files.h"
#include "support/output.h"
#include "support/run_folder.h"

#include <cstdlib>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

class Run : public Command {
public:
  const char *name() const override { return "run"; }
  const char *summary() const override { return "run the analysis build of a program"; }
  const char *details() const override {
    return "Rebuilds the program after '--' from the bitcode that it carries, on flat memory: an\n"
           "access out of bounds does what the machine would do. Then runs it with the same\n"
           "arguments, environment, working folder and standard streams. The build is cached.\n\n"
           "If the program fails (a fatal signal, abort, a failed assertion, an uncaught\n"
           "exception, an exhausted stack, threads that all wait for each other, --timeout), says\n"
           "on standard error what happened where, with the calls that led there; as JSON with\n"
           "--json, as SARIF with --sarif. A failure that the program handles itself is none: its\n"
           "handler mends it, or ends the program with status 0.\n\n"
           "A program that has failed is run a second time, unoptimised, in the sandbox and\n"
           "unheard, to tell which access failed and for which time it was executed; standard\n"
           "input must be a file, or empty. Where that cannot be, the report says why. With\n"
           "--exact there is just one run, unoptimised. Slower.\n\n"
           "With --count, prints afterwards how often each source line was entered, like gcov, to\n"
           "standard error or to the file given with --output, and as JSON with --json.\n\n"
           "With --observe, says afterwards which functions were called that were not compiled\n"
           "with the program and that culprit does not know, where, and what of the program's\n"
           "memory they changed, in the first 1000 calls at each place. 'culprit info\n"
           "--externals' lists all functions from outside.\n\n"
           "With --layout, the program's memory is arranged as the file says: the order of\n"
           "globals and of each function's locals, spacing and order of heap blocks, guard words\n"
           "behind buffers, fill patterns. 'culprit info --layout' prints the default to start\n"
           "from.\n\n"
           "With --sandbox, nothing that the program does reaches the outside: what it writes,\n"
           "deletes or renames is seen by itself alone, there is no network, no signal leaves,\n"
           "and no other program is executed. --show-writes lists what it did to files. All of it\n"
           "is over when the program ends or passes a limit. docs/SANDBOX.md has the details.\n\n"
           "The exit status is the program's (128 + signal), or 125 for errors of culprit; 4 if\n"
           "this machine has no way to confine the program. After a time-out, a deadlock or a\n"
           "limit the program is killed: 137.";
  }
  bool takesProgram() const override { return true; }
  bool hasFindings() const override { return true; }
  int exitFor(ExitCode code) const override {
    return static_cast<int>(code == ExitCode::Refused ? code : ExitCode::Passthrough);
  }

  void addOptions(CLI::App &app) override {
    app.add_flag("--count", count_, "count how often each source line is entered");
    app.add_option("--output,-o", output_, "with --count: write the annotated sources to FILE")
        ->type_name("FILE");
    app.add_flag("--exact", exact_, "tell apart all accesses that share a line (slower)")
        ->excludes("--count");
    app.add_flag("--observe", observe_,
                 "say what unknown functions change that their arguments lead to")
        ->excludes("--count", "--exact");
    app.add_flag("--observe-all", observeAll_, "the same for all memory of the program")
        ->excludes("--count", "--exact");
    app.add_option("--layout", layout_, "arrange the program's memory as FILE says")
        ->type_name("FILE");
    app.add_flag("--print-path", printPath_,
                 "print the path of the analysis build instead of running it");
    sandbox_.addOptions(app);
  }

  int run(const CommonOptions &common) override {
    const std::vector<std::string> &arguments = programArguments(name());
    fs::path path = findProgram(arguments[0]);
    Program program = loadProgram(path);
    if (access(path.c_str(), X_OK) != 0)
      failUsage("'{}' is not executable; make it so with 'chmod +x'", path.string());
    Cache cache = Cache::open();
    BuildOptions options{findMode(mode()), common.jobs};
    Layout layout;
    if (!layout_.empty()) {
      layout = parseLayout(readFile(layout_), layout_);
      makeCatalog(program, options, cache).check(layout, layout_);
      options.layout = &layout;
    }
    Build build = makeBuild(program, options, cache);
    if (printPath_) {
      writeOut(build.executable().string() + "\n");
      return 0;
    }
    program_ = &program;
    FailureFile failure;
    Launch launch{build, path, arguments, failure, {}, common.timeout, options.layout, exact_};
    launch.sandbox = sandbox_.options();
    std::optional<RunFolder> counters;
    if (count_ || exact_)
      launch.countFolder = counters.emplace("count").path();
    if (observe_ || observeAll_)
      return runObserved(launch, common);
    return count_ ? runCounted(launch, common) : runPlain(launch, common);
  }

private:
  const char *mode() const {
    if (observe_ || observeAll_)
      return "observe";
    return count_ ? "count" : exact_ ? "exact" : "plain";
  }

  int runPlain(const Launch &launch, const CommonOptions &common) {
    CloserLook closerLook;
    Outcome outcome = launchAndWait(launch);
    std::optional<FailureReport> failure = readFailureOf(launch, outcome, *program_);
    if (failure && !exact_)
      closerLook.complete(*failure, launch, *program_, common);
    printFailureOf(failure, launch, common);
    if (outcome.sandbox)
      sandbox_.report(*outcome.sandbox);
    writeReport(common.json, runAsJson(outcome.status, failure ? &*failure : nullptr));
    return outcome.status;
  }

  /// What went wrong, and what the sandbox has to say.
  void report(const Launch &launch, const Outcome &outcome, const CommonOptions &common) const {
    reportFailure(launch, outcome, *program_, common);
    if (outcome.sandbox)
      sandbox_.report(*outcome.sandbox);
  }

  std::vector<ObservedFunction> nameChanges(const Launch &launch,
                                            const abi::ObservedRecord &observed) const {
    auto memory = std::make_unique<abi::FailureRecord>();
    FailureContext context{*memory, launch.build};
    context.program = program_;
    context.layout = launch.layout;
    AddressNames names(context);
    return readObserved(observed, [&](const abi::ObservedEntry &entry) {
      memory->blocks[0] = entry.block;
      memory->blockCount = entry.block.size != 0;
      memory->frames[0] = entry.frame;
      memory->frameCount = entry.frame.size != 0;
      return names.describe(entry.firstChange);
    });
  }

  int runObserved(Launch &launch, const CommonOptions &common) {
    ObservedFile observed;
    observed.record().isWhole = observeAll_ ? 1 : 0;
    launch.observed = &observed;
    Outcome outcome = launchAndWait(launch);
    report(launch, outcome, common);
    std::vector<ObservedFunction> functions = nameChanges(launch, observed.record());
    writeReport(common.json, observedAsJson(outcome.status, functions));
    if (common.json != "-")
      for (const std::string &sentence : describeObserved(functions, observed.record().lost))
        diagnose(Severity::Note, sentence);
    return outcome.status;
  }

  int runCounted(const Launch &launch, const CommonOptions &common) {
    Outcome outcome = launchAndWait(launch);
    report(launch, outcome, common);
    std::vector<FileCounts> files = readCounts(launch.build, launch.countFolder);
    writeReport(common.json, lineCountsAsJson(files));
    std::string text = printLineCounts(files);
    if (!output_.empty())
      writeFileAtomically(output_, text);
    else if (common.json.empty())
      writeErr(text);
    return outcome.status;
  }

  const Program *program_ = nullptr;
  bool count_ = false;
  bool exact_ = false;
  bool observe_ = false;
  bool observeAll_ = false;
  bool printPath_ = false;
  std::string output_;
  std::string layout_;
  SandboxChoice sandbox_;
};

Run run;
const CommandRegistration registration(run);

} // namespace
} // namespace culprit

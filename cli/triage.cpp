// `culprit triage`: groups a folder of failing inputs by root cause.
#include "analysis/locate/locate.h"
#include "analysis/triage/groups.h"
#include "analysis/triage/inputs.h"
#include "cli/altered_runs.h"
#include "cli/program_arguments.h"
#include "cli/triage_state.h"
#include "cli/worker_processes.h"
#include "report/locate_json.h"
#include "report/triage_json.h"
#include "report/triage_sarif.h"
#include "report/triage_text.h"
#include "support/files.h"
#include "support/output.h"
#include "support/progress.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kPlaceholder = "@@";

/// The arguments of the program, with the input's path where they say so.
class ArgumentPattern {
public:
  explicit ArgumentPattern(std::vector<std::string> words) : words_(std::move(words)) {
    for (size_t i = 1; i < words_.size(); ++i)
      namesInput_ |= words_[i].find(kPlaceholder) != std::string::npos;
  }

  /// Whether the input is named; else it is standard input.
  bool namesInput() const { return namesInput_; }
  const std::vector<std::string> &words() const { return words_; }

  std::vector<std::string> with(const fs::path &input) const {
    std::vector<std::string> words = words_;
    std::string path = fs::absolute(input).string();
    for (size_t i = 1; i < words.size(); ++i)
      for (size_t at = 0; (at = words[i].find(kPlaceholder, at)) != std::string::npos;
           at += path.size())
        words[i].replace(at, kPlaceholder.size(), path);
    return words;
  }

private:
  std::vector<std::string> words_;
  bool namesInput_ = false;
};

/// A content that is to be located: one or several inputs have it.
struct Content {
  std::string hash;
  uint64_t bytes = 0;
  std::vector<fs::path> paths;
  std::optional<Located> located;
  std::string error; ///< why it is not
  ExitCode code = ExitCode::Done;
};

class Triage : public Command {
public:
  const char *name() const override { return "triage"; }
  const char *summary() const override { return "group failing inputs by their root cause"; }
  const char *details() const override {
    return "Locates the root cause of every input in the folders, as 'culprit locate' does, and\n"
           "groups inputs that have the same one: crashes at different places often do. For each\n"
           "group names how its inputs fail, a representative, and the smallest input. Inputs\n"
           "whose root cause is not found are grouped by how they fail; those that do not fail "
           "are\n"
           "a group, too.\n\n"
           "The program after '--' gets the path of an input in place of '@@' in its arguments;\n"
           "without any '@@' it gets the input as its standard input.\n\n"
           "A folder is one of AFL++ (FOLDER/crashes/id:... or FOLDER/FUZZER/crashes/id:..., only\n"
           "these files), one of libFuzzer (crash-, oom-, timeout- and leak-, only these), or any\n"
           "other: then every file in it that is not hidden. A file is an input itself.\n\n"
           "Works on --jobs inputs at a time, each in a process of its own and every run in the\n"
           "sandbox. What was found is kept in $XDG_STATE_HOME/culprit/triage (else\n"
           "~/.local/state/culprit/triage, or as --state says), by the content of the input and "
           "of\n"
           "the program, its arguments, the working folder and --timeout: the same command goes "
           "on\n"
           "where it was interrupted, and takes new inputs in. --fresh starts over.\n\n"
           "Exit status: 0 at least one root cause was found, 1 none was, 2 wrong usage, 4 the\n"
           "program starts threads, or this machine has no sandbox. An input that cannot be read\n"
           "is a warning as long as there are others.";
  }
  bool takesProgram() const override { return true; }
  bool hasFindings() const override { return true; }

  void addOptions(CLI::App &app) override {
    app.add_option("folders", folders_, "folders with inputs, or inputs")
        ->required()
        ->type_name("FOLDER");
    app.add_option("--state", state_, "keep results in FOLDER")->type_name("FOLDER");
    app.add_flag("--fresh", fresh_, "locate again what is known");
  }

  int run(const CommonOptions &common) override {
    auto start = std::chrono::steady_clock::now();
    ArgumentPattern pattern(programArguments(name()));
    fs::path path = findProgram(pattern.words()[0]);
    TriageReport report;
    std::vector<Content> contents = readContents(findInputs(folders_), report.errors);
    locateAll(pattern, path, common, contents, report);
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    report.seconds = elapsed.count();
    finish(contents, report);
    warn(pattern, report);
    writeReport(common.json, triageAsJson(report));
    if (!common.sarif.empty())
      writeFileAtomically(common.sarif, triageAsSarif(report));
    if (common.json != "-")
      writeOut(printTriage(report, {path.string(), wantsColour(STDOUT_FILENO), !common.quiet}));
    return !report.groups.empty() && report.groups.front().hasCause() ? 0 : 1;
  }

private:
  /// What the inputs hold, each content once, in the order of the inputs.
  static std::vector<Content> readContents(const std::vector<fs::path> &inputs,
                                           std::vector<TriageError> &errors) {
    std::vector<Content> contents;
    std::map<std::string, size_t> byHash;
    for (const fs::path &input : inputs) {
      try {
        std::string bytes = readFile(input);
        std::string hash = CacheKey().add(bytes).hex();
        auto [known, isNew] = byHash.try_emplace(hash, contents.size());
        if (isNew)
          contents.push_back({hash, bytes.size(), {}, {}, {}, {}});
        contents[known->second].paths.push_back(input);
      } catch (const Failure &failure) {
        errors.push_back({input, failure.what()});
      }
    }
    if (contents.empty())
      failUsage("none of {} inputs can be read: {}", errors.size(), errors.front().message);
    return contents;
  }

  void locateAll(const ArgumentPattern &pattern, const fs::path &path, const CommonOptions &common,
                 std::vector<Content> &contents, TriageReport &report) const {
    Program program = loadProgram(path);
    refuseThreads(program);
    Cache cache = Cache::open();
    std::string key;
    std::optional<ProgramSites> sites;
    AlteredRuns any(program, path, pattern.words(), cache, common);
    {
      Build build = any.first();
      key = keyOf(build, pattern, common);
      sites.emplace(build);
    }
    TriageState state(state_.empty() ? TriageState::usualFolder() : fs::path(state_),
                      path.filename().string() + "-" + key);
    std::vector<Content *> pending = unknown(contents, state, report);
    if (!pending.empty()) { // what all workers need is made once
      AlteredRun closer;
      closer.isExact = true;
      any.build(closer, *sites);
    }
    unsigned jobs = common.jobs ? common.jobs : std::max(1U, std::thread::hardware_concurrency());
    CommonOptions single = common;
    single.jobs = jobs > 1 ? 1 : common.jobs;
    auto work = [&](size_t job) {
      setQuiet(true);
      const Content &content = *pending[job];
      AlteredRuns runs(program, path, pattern.with(content.paths[0]), cache, single);
      KeptInput input(pattern.namesInput() ? std::string() : readFile(content.paths[0]));
      LocateReport located = locate(runs.ways(*sites, input), *sites, program);
      state.store(content.hash, locateAsJson(located));
    };
    workOn(pending, work, jobs, state, report);
  }

  /// What decides the result besides the input. The name of a build is a hash of the program and
  /// of culprit itself.
  static std::string keyOf(const Build &build, const ArgumentPattern &pattern,
                           const CommonOptions &common) {
    CacheKey key;
    key.add(build.folder.filename().string()).add(fs::current_path().string());
    key.add(std::to_string(common.timeout));
    for (const std::string &word : pattern.words())
      key.add(word);
    return key.hex().substr(0, 16);
  }

  std::vector<Content *> unknown(std::vector<Content> &contents, const TriageState &state,
                                 TriageReport &report) const {
    std::vector<Content *> pending;
    for (Content &content : contents) {
      if (!fresh_)
        content.located = state.find(content.hash);
      if (content.located)
        ++report.known;
      else
        pending.push_back(&content);
    }
    return pending;
  }

  static void workOn(const std::vector<Content *> &pending, const WorkerProcesses::Work &work,
                     unsigned jobs, const TriageState &state, TriageReport &report) {
    int interruption = 0;
    {
      Progress progress("inputs", pending.size());
      WorkerProcesses workers(jobs, work, [&](const JobEnd &end) {
        Content &content = *pending[end.job];
        if (end.code == ExitCode::Refused)
          throw Failure(end.code, end.message);
        if (end.code == ExitCode::Done)
          content.located = state.find(content.hash);
        if (!content.located)
          noteError(content, end);
        report.located += content.located.has_value();
        progress.step();
      });
      interruption = workers.run(pending.size());
    }
    if (interruption != 0)
      stop(interruption, report, state);
  }

  static void noteError(Content &content, const JobEnd &end) {
    content.error = end.code == ExitCode::Done ? "its result cannot be read back" : end.message;
    content.code = end.code == ExitCode::Done ? ExitCode::Usage : end.code;
  }

  /// Ends as the signal would have ended this process.
  [[noreturn]] static void stop(int interruption, const TriageReport &report,
                                const TriageState &state) {
    diagnose(Severity::Note,
             fmt::format("interrupted; {} results are kept in '{}', and the same command goes on "
                         "from there",
                         report.known + report.located, state.folder().string()));
    signal(interruption, SIG_DFL);
    raise(interruption);
    _exit(128 + interruption);
  }

  static void finish(const std::vector<Content> &contents, TriageReport &report) {
    std::vector<LocatedInput> inputs;
    for (const Content &content : contents)
      for (const fs::path &path : content.paths) {
        if (content.located)
          inputs.push_back({path, content.bytes, content.hash, *content.located});
        else
          report.errors.push_back({path, content.error});
      }
    if (inputs.empty())
      throw Failure(contents.front().code,
                    fmt::format("no input could be located: {}", contents.front().error));
    std::sort(inputs.begin(), inputs.end(), [](const LocatedInput &one, const LocatedInput &other) {
      return one.path < other.path;
    });
    report.groups = groupInputs(inputs);
  }

  static void warn(const ArgumentPattern &pattern, const TriageReport &report) {
    for (const TriageError &error : report.errors)
      diagnose(Severity::Warning,
               fmt::format("'{}' is left out: {}", error.path.string(), error.message));
    bool isAllFine = std::all_of(report.groups.begin(), report.groups.end(),
                                 [](const TriageGroup &group) { return group.failures.empty(); });
    if (isAllFine && !pattern.namesInput())
      diagnose(Severity::Note, "no argument of the program holds '@@', so it got the inputs as its "
                               "standard input, and did not fail on any");
  }

  std::vector<std::string> folders_;
  std::string state_;
  bool fresh_ = false;
};

Triage triage;
const CommandRegistration registration(triage);

} // namespace
} // namespace culprit

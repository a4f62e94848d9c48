// Entry point of `culprit`: splits off the program after `--`, parses, runs one command, and turns
// every failure into a message and a documented exit status.
#include "cli/command.h"
#include "cli/program_arguments.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fmt/ranges.h>
#include <new>
#include <sys/resource.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

Command *selectedCommand(CLI::App &app) {
  for (Command *command : commands())
    if (app.got_subcommand(command->name()))
      return command;
  return nullptr;
}

/// The first word that is no option, if it names no command.
std::string unknownCommand(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.starts_with("-"))
      continue;
    for (Command *command : commands())
      if (word == command->name())
        return "";
    return word;
  }
  return "";
}

/// The program that stands where only culprit's own options may, or empty.
std::string programBeforeDashes(const CLI::App &app, const Command *command) {
  if (!command || !command->takesProgram() || hasProgramArguments())
    return "";
  std::vector<std::string> words = app.remaining(/*recurse=*/true);
  bool hasOption = std::any_of(words.begin(), words.end(),
                               [](const std::string &word) { return word.starts_with("-"); });
  return words.empty() || hasOption ? "" : fmt::format("{}", fmt::join(words, " "));
}

/// `culprit: error: ...` for a command line that does not parse; help and version print themselves.
int reportParseError(CLI::App &app, const CLI::ParseError &error, Command *command) {
  if (error.get_exit_code() == 0)
    return app.exit(error);
  std::string problem = error.what();
  if (std::string program = programBeforeDashes(app, command); !program.empty())
    problem =
        fmt::format("the program is named behind '--': culprit {} -- {}", command->name(), program);
  diagnose(Severity::Error, fmt::format("{}; try 'culprit {}--help'", problem,
                                        command ? std::string(command->name()) + " " : ""));
  return command ? command->exitFor(ExitCode::Usage) : static_cast<int>(ExitCode::Usage);
}

/// Of memory that culprit itself did not get.
std::string describeLackOfMemory() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return "not enough memory for culprit itself; end other programs, or use fewer --jobs";
  return fmt::format("not enough memory for culprit itself: 'ulimit -v' is {} kB; raise it, a "
                     "gigabyte is enough for most programs",
                     limit.rlim_cur / 1024);
}

/// Before anything runs: a report that cannot be written afterwards has cost the user's time.
void checkFolderOf(const std::string &report) {
  fs::path folder = fs::path(report).parent_path();
  if (!report.empty() && report != "-" && !folder.empty() && !fs::is_directory(folder))
    failUsage("cannot write '{}': there is no folder '{}'", report, folder.string());
}

int runCommand(Command &command, const CommonOptions &common) {
  try {
    setQuiet(common.quiet);
    if (!command.takesProgram() && hasProgramArguments())
      failUsage("'culprit {}' takes no program after '--'; try 'culprit {} --help'", command.name(),
                command.name());
    checkFolderOf(common.json);
    checkFolderOf(common.sarif);
    if (!common.sarif.empty() && !command.hasFindings())
      diagnose(Severity::Warning, fmt::format("'culprit {}' has no findings; nothing is written to "
                                              "'{}'",
                                              command.name(), common.sarif));
    return command.run(common);
  } catch (const Failure &failure) {
    diagnose(Severity::Error, failure.what());
    return command.exitFor(failure.code());
  } catch (const std::bad_alloc &) {
    diagnose(Severity::Error, describeLackOfMemory());
    return command.exitFor(ExitCode::Usage);
  } catch (const std::exception &error) {
    diagnose(Severity::Error,
             fmt::format("internal error: {}; this is a defect of culprit, please report it with "
                         "the command that led here",
                         error.what()));
    return command.exitFor(ExitCode::Internal);
  }
}

/// A file that gets larger than the limit (ulimit -f) is a failed write, which is reported, and not
/// the end. The program, which a handler is not passed on to, has the signal as it was.
void surviveFileLimit() {
  struct sigaction action = {};
  sigaction(SIGXFSZ, nullptr, &action);
  if (action.sa_handler == SIG_DFL) {
    action.sa_handler = [](int) {};
    sigaction(SIGXFSZ, &action, nullptr);
  }
}

} // namespace
} // namespace culprit

int main(int argc, char **argv) {
  using namespace culprit;
  surviveFileLimit();
  int ours = splitProgramArguments(argc, argv);
  CommonOptions common;
  std::unique_ptr<CLI::App> app = makeParser(common);
  try {
    app->parse(ours, argv);
  } catch (const CLI::ParseError &error) {
    if (std::string word = unknownCommand(ours, argv); !word.empty()) {
      diagnose(Severity::Error, fmt::format("unknown command '{}'; try 'culprit --help'", word));
      return static_cast<int>(ExitCode::Usage);
    }
    return reportParseError(*app, error, selectedCommand(*app));
  }
  return runCommand(*selectedCommand(*app), common);
}

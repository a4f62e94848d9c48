// The parser that all commands share; see command.h.
#include "cli/command.h"

#include "support/files.h"
#include "support/output.h"

#include <algorithm>
#include <cstring>

namespace culprit {
namespace {

std::vector<Command *> &registered() {
  static std::vector<Command *> list;
  return list;
}

void addCommonOptions(CLI::App &app, CommonOptions &common) {
  app.add_option("--json", common.json, "write the result as JSON to FILE ('-': standard output)")
      ->type_name("FILE");
  app.add_option("--sarif", common.sarif, "write findings as SARIF 2.1.0 to FILE")
      ->type_name("FILE");
  app.add_flag("--quiet,-q", common.quiet, "errors only: no notes, warnings or progress");
  app.add_option("--jobs,-j", common.jobs, "work on N things at once (default: all processors)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  app.add_option("--timeout", common.timeout, "give up on the program after S seconds")
      ->type_name("S")
      ->check(CLI::Range(0.001, 1e9));
}

} // namespace

CommandRegistration::CommandRegistration(Command &command) {
  registered().push_back(&command);
}

const std::vector<Command *> &commands() {
  std::vector<Command *> &list = registered();
  std::sort(list.begin(), list.end(),
            [](Command *a, Command *b) { return std::strcmp(a->name(), b->name()) < 0; });
  return list;
}

std::unique_ptr<CLI::App> makeParser(CommonOptions &common) {
  auto app = std::make_unique<CLI::App>(
      "culprit finds the root cause of failures in C and C++ programs built with culprit-cc.",
      "culprit");
  app->set_version_flag("--version", "culprit " CULPRIT_VERSION " (LLVM " CULPRIT_LLVM_VERSION ")");
  app->set_help_flag("--help,-h", "print this help");
  app->require_subcommand(1);
  app->footer(
      "'culprit COMMAND --help' explains a command. Programs come after '--'.\n\n"
      "Exit status: 0 found or done, 1 nothing to find, 2 wrong usage or environment,\n"
      "3 a defect of culprit, 4 refused: this machine cannot do it safely. 'run' passes\n"
      "the program's own status through (128 + signal) and uses 125 for errors of its own.");
  for (Command *command : commands()) {
    CLI::App *sub = app->add_subcommand(command->name(), command->summary());
    sub->set_help_flag("--help,-h", "print this help");
    sub->footer(command->details());
    command->addOptions(*sub);
    addCommonOptions(*sub, common);
  }
  return app;
}

void writeReport(const std::string &file, const std::string &text) {
  if (file.empty())
    return;
  if (file == "-")
    writeOut(text);
  else
    writeFileAtomically(file, text);
}

} // namespace culprit

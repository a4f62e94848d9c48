// A subcommand of `culprit`: one file each, registered by a static object.
#ifndef CULPRIT_CLI_COMMAND_H
#define CULPRIT_CLI_COMMAND_H

#include "support/diagnostics.h"

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace culprit {

/// Options that every command accepts.
struct CommonOptions {
  std::string json;
  std::string sarif;
  bool quiet = false;
  unsigned jobs = 0;
  double timeout = 0;
};

class Command {
public:
  virtual ~Command() = default;
  virtual const char *name() const = 0;
  virtual const char *summary() const = 0; ///< one line, for the list of commands
  virtual const char *details() const = 0; ///< paragraphs, for --help and the man page
  virtual void addOptions(CLI::App &app) = 0;
  /// Does the work; returns the exit status.
  virtual int run(const CommonOptions &common) = 0;
  /// The exit status of our own errors, for commands that pass the program's status through.
  virtual int exitFor(ExitCode code) const { return static_cast<int>(code); }
  /// Whether `-- PROGRAM ARGS` follows the options.
  virtual bool takesProgram() const { return false; }
  /// Whether --sarif is of use.
  virtual bool hasFindings() const { return false; }
};

/// The registered commands, by name.
const std::vector<Command *> &commands();

struct CommandRegistration {
  explicit CommandRegistration(Command &command);
};

/// Builds the parser with every command in it; `selected` tells which one was named.
std::unique_ptr<CLI::App> makeParser(CommonOptions &common);

/// Writes a report to the file given with --json; "-" is standard output.
void writeReport(const std::string &file, const std::string &text);

} // namespace culprit
#endif

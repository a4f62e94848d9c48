// The options of commands that run a program in the sandbox, and what is said of it afterwards.
#ifndef CULPRIT_CLI_SANDBOX_CHOICE_H
#define CULPRIT_CLI_SANDBOX_CHOICE_H

#include "sandbox/sandbox.h"

#include <CLI/CLI.hpp>
#include <string>

namespace culprit {

class SandboxChoice {
public:
  void addOptions(CLI::App &app);
  /// The same where the option `needed` brings the sandbox with it.
  void addOptions(CLI::App &app, const std::string &needed);
  /// Null when the user wants none.
  const SandboxOptions *options();
  /// Says which limit ended the program, and lists and saves what it wrote, as far as that was
  /// asked for.
  void report(const Sandbox &sandbox) const;

private:
  CLI::Option *addWay(CLI::App &app);
  void addMore(CLI::App &app, const std::string &needed);

  bool isAlways_ = false;
  std::string way_;
  SandboxOptions options_;
  bool showWrites_ = false;
  std::string writesFolder_;
};

} // namespace culprit
#endif

// Starts an analysis build so that the program sees itself as the user started it.
#ifndef CULPRIT_CLI_LAUNCH_H
#define CULPRIT_CLI_LAUNCH_H

#include "compiler/twin/build.h"

#include <filesystem>
#include <string>
#include <vector>

namespace culprit {

struct Launch {
  const Build &build;
  std::filesystem::path program; ///< the user's program, by the name that exec would get
  const std::vector<std::string> &arguments;
  std::filesystem::path countFolder; ///< counters go here; empty: not counting
  double timeout = 0;                ///< seconds; 0: none
  const Layout *layout = nullptr;    ///< null: the default one
};

/// Replaces this process by the program; with a timeout, waits for it instead.
int launchProgram(const Launch &launch);

/// Runs the program as a child; returns its exit status, or 128 + signal. Signals that the terminal
/// sends to the group reach the program and leave us waiting for its end.
int launchAndWait(const Launch &launch);

} // namespace culprit
#endif

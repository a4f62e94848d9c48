// Starts an analysis build so that the program sees itself as the user started it.
#ifndef CULPRIT_CLI_LAUNCH_H
#define CULPRIT_CLI_LAUNCH_H

#include "cli/shared_record.h"
#include "cli/wait.h"
#include "compiler/twin/build.h"
#include "sandbox/sandbox.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace culprit {

/// How a program is started that is not started as this process was.
struct StartState {
  std::vector<std::string> environment;
  uint64_t stackLimit = 0; ///< soft limit
  uint64_t memoryLimit = 0;
};

struct Launch {
  const Build &build;
  std::filesystem::path program; ///< the user's program, by the name that exec would get
  const std::vector<std::string> &arguments;
  const FailureFile &failure;                   ///< where the program says what went wrong
  std::filesystem::path countFolder;            ///< counters go here; empty: not counting
  double timeout = 0;                           ///< seconds; 0: none
  const Layout *layout = nullptr;               ///< null: the default one
  bool isExact = false;                         ///< the build is not optimised
  const ObservedFile *observed = nullptr;       ///< of mode `observe`
  const SandboxOptions *sandbox = nullptr;      ///< null: the program may do what it likes
  const SuppressionFile *suppression = nullptr; ///< of mode `suppress`
  std::optional<uint64_t> watched =
      {}; ///< address of a word whose writers are wanted; in the sandbox
  std::vector<std::string> words = {}; ///< more for the runtime: runtime/start.cpp
  /// Null: as this process was started.
  const StartState *start = nullptr;
  std::filesystem::path realProgram =
      {}; ///< the user's program, where it is; empty: as `program` says
  std::function<void(pid_t)> onStart = {}; ///< called with the program's process id
};

/// The variables of this process.
std::vector<std::string> currentEnvironment();

/// Runs the program as a child until it ends; see wait.h.
Outcome launchAndWait(const Launch &launch);

} // namespace culprit
#endif

// The altered runs that locating needs: their builds, their input, and what came of them.
#ifndef CULPRIT_CLI_ALTERED_RUNS_H
#define CULPRIT_CLI_ALTERED_RUNS_H

#include "analysis/locate/altered_run.h"
#include "analysis/locate/program_sites.h"
#include "cli/command.h"
#include "cli/failure_test.h"
#include "cli/kept_input.h"
#include "cli/kept_runs.h"
#include "cli/launch.h"
#include "compiler/twin/build.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace culprit {

/// Throws Failure (refused) when the program starts threads.
void refuseThreads(const Program &program);

/// Makes the builds that altered runs need, and runs them, always in the sandbox.
class AlteredRuns {
public:
  /// `path` is the program, `arguments` what it is started with, its name included. What is
  /// referred to must live as long as this.
  AlteredRuns(const Program &program, std::filesystem::path path,
              std::vector<std::string> arguments, const Cache &cache, const CommonOptions &common);

  /// Starts all further runs with another environment.
  void startWith(const StartState &start) { start_ = &start; }
  /// The test says which of all further runs have failed that did not crash.
  void testWith(const FailureTest &test) { test_ = &test; }
  /// Optimises all builds from the start.
  void optimise() { isOptimised_ = true; }
  /// Says on a terminal which run is being made.
  void showRuns() { showsRuns_ = true; }
  /// Leaves all further runs there.
  void keepIn(KeptRuns &kept) { kept_ = &kept; }

  /// The build that nothing is known of yet.
  Build first() const;
  Build build(const AlteredRun &wanted, const ProgramSites &sites);

  /// Runs the program on all of `input`.
  RunResult run(const AlteredRun &wanted, const ProgramSites &sites, const KeptInput &input);

  /// How each of these runs fails, in processes of their own, as many at a time as --jobs says.
  std::vector<abi::FailureKind> scan(const std::vector<AlteredRun> &wanted,
                                     const ProgramSites &sites, const KeptInput &input);

  /// Both ways for locate(), which must not outlive what is referred to.
  Runs ways(const ProgramSites &sites, const KeptInput &input);

private:
  /// Of the unaltered run, in seconds, unless --timeout says another.
  static constexpr double kUsualTimeout = 300;

  /// Of the unaltered run of a program that is not optimised; one that takes longer is. About ten
  /// runs and two builds are made, and what is optimised runs three times as fast.
  static constexpr double kPatience = 5, kPatiencePerByte = 4e-6;

  /// An altered run that takes much longer than the unaltered one hangs.
  static constexpr double kGrace = 5, kSlower = 50;

  using ProbedSites = std::map<std::string, std::set<uint32_t>>; ///< by module

  unsigned jobs() const;
  /// Whether the run is one of `suppress-exact`.
  bool isFollowedExactly(const AlteredRun &run) const;
  /// Whether what the run ends with is all that is wanted of it.
  bool needsNoOrigins(const AlteredRun &run) const;
  const char *modeFor(const AlteredRun &run) const;
  RunResult runOnce(const AlteredRun &wanted, const ProgramSites &sites, const KeptInput &input,
                    const std::optional<KeptRun> &kept);
  const ProbedSites &probedFor(const AlteredRun &wanted, const ProgramSites &sites);
  std::string describe(const AlteredRun &wanted, const ProgramSites &sites) const;
  double timeoutFor(const AlteredRun &wanted) const;
  RunResult read(const Launch &launch, const Outcome &outcome) const;
  void applyTest(const Outcome &outcome, const SandboxOptions &sandbox, RunResult &result) const;

  const Program &program_;
  std::filesystem::path path_;
  std::vector<std::string> arguments_;
  const Cache &cache_;
  const CommonOptions &common_;
  uint64_t largeModules_; ///< bytes of their bitcode
  /// To optimise a large module takes longer than most programs do that are not optimised. So their
  /// builds all keep sites apart, and differ in parts only (compiler/twin/parts.h), until a run
  /// takes long.
  bool isOptimised_;
  const StartState *start_ = nullptr; ///< null: as this process was started
  double unaltered_ = 0;              ///< seconds of the last unaltered run
  KeptRuns *kept_ = nullptr;          ///< null: nothing is left
  bool showsRuns_ = false;
  unsigned runs_ = 0;                 ///< so far
  std::optional<ProbedSites> probed_; ///< in builds that keep sites apart: all that was asked for
  const FailureTest *test_ = nullptr; ///< null: only crashes are failures
};

} // namespace culprit
#endif

// An altered run, as the loop of locate.h sees it: what is suppressed, and what came of it.
#ifndef CULPRIT_ANALYSIS_LOCATE_ALTERED_RUN_H
#define CULPRIT_ANALYSIS_LOCATE_ALTERED_RUN_H

#include "abi/origins.h"
#include "analysis/failure/failure.h"
#include "compiler/layout/layout.h"

#include <cstdlib>
#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace culprit {

/// One execution of a statement.
struct Execution {
  SiteAddress site;
  uint64_t time = 0; ///< on the clock of the run
  /// Of a store that runs over something: all its later stores to these addresses, too.
  uint64_t low = 0, high = 0;

  bool operator==(const Execution &other) const { return site == other.site && time == other.time; }
};

struct AlteredRun {
  std::vector<Execution> points;     ///< executions to suppress, the earliest first
  std::optional<SiteAddress> probe;  ///< whose operands are wanted
  std::optional<uint64_t> watched;   ///< address of a word whose writers are wanted
  std::vector<SiteAddress> branches; ///< that go another way than past what they decide
  abi::Way way = abi::Way::Past;     ///< which, if they depend on what is corrupt
  const Layout *layout = nullptr;    ///< null: the default one
  bool checksReads = false;   ///< of guard words, which end the program; nothing is suppressed
  bool isExact = false;       ///< every site is to be told apart; slower
  uint64_t tracedTime = 0;    ///< of the probe: of that execution it tells, and who called; 0: last
  uint64_t tracedPointer = 0; ///< allocation whose pointer's copies are wanted; 0: not
};

/// A store to the watched word.
struct ResolvedWrite {
  uint64_t time = 0;
  CallStack stack;
};

/// A copy of the traced pointer.
struct ResolvedCopy {
  uint64_t time = 0;
  uint64_t address = 0; ///< that it was stored to
  CallStack stack;
  bool isFreed = false; ///< what it points to had been freed
  bool isGone = false;  ///< that place was no more when the program failed
};

struct RunResult {
  std::optional<FailureReport> failure;
  /// Of a run that has failed.
  const FailureReport &howItFailed() const {
    if (!failure)
      std::abort();
    return *failure;
  }
  abi::SuppressionRecord seen = {};
  std::vector<ResolvedWrite> writes; ///< to the watched word, the last ones, in their order
  std::vector<ResolvedCopy> copies;  ///< of the traced pointer, the last ones, in their order
  CallStack traced;                  ///< calls that led to the probe
  std::string touched;               ///< what the traced access was to, in words
  std::string place;                 ///< where the probed access had its pointer from, in words
  CallStack overrun;                 ///< where the block in front of `seen.broken` was allocated
  std::set<uint64_t> readable;       ///< values of probed operands that point to memory
  int status = 0;
  double seconds = 0;     ///< of processor time
  uint64_t kilobytes = 0; ///< of memory, at most
};

using Runner = std::function<RunResult(const AlteredRun &)>;
/// How each of these runs fails (FailureKind::None: not); several are made at a time.
using Scanner = std::function<std::vector<abi::FailureKind>(const std::vector<AlteredRun> &)>;

/// The ways to run the program.
struct Runs {
  Runner run;
  Scanner scan; ///< empty: runs can only be made one after the other
};

} // namespace culprit
#endif

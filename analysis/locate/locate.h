// Finds the statement that first corrupted memory, from one failing run (paper 1).
//
// The program fails: the values that the failing statement used were defined somewhere. It is run
// again without the effect of those definitions. It fails elsewhere: the same again, earlier. It
// does not fail any more: what was suppressed last is the root cause.
#ifndef CULPRIT_ANALYSIS_LOCATE_LOCATE_H
#define CULPRIT_ANALYSIS_LOCATE_LOCATE_H

#include "analysis/locate/made_runs.h"
#include "analysis/locate/program_sites.h"

#include <string>
#include <vector>

namespace culprit {

enum class Verdict { MemoryCorruption, NoFailure, NotFound };

/// A statement that is to blame, or was suppressed on the way.
struct Suspect {
  Execution execution;
  SitePlace place;
  std::string why;           ///< a sentence
  bool isFree = false;       ///< it frees memory that is used later
  bool isUnset = false;      ///< it allocates memory that was used as it was
  uint64_t value = 0;        ///< that was used of what it defined; 0: not known, or a good pointer
  uint64_t instance = 0;     ///< which execution of the place it was, from 1; 0: not known
  std::string usedFrom = {}; ///< where what it defined was used from, in words; empty: not known
  std::string wrote = {};    ///< where it stored to, in words; empty: not known
  CallStack calls = {};      ///< of the program's own functions that led to it, the innermost first
  bool leavesMember = false; ///< it stores behind the array member that it means to store to
};

struct LocateStep {
  FailureReport failure;
  std::vector<Suspect> suppressed; ///< because of it
};

struct LocateReport {
  Verdict verdict = Verdict::NotFound;
  std::optional<FailureReport> failure; ///< of the unaltered run
  std::vector<Suspect> rootCauses;      ///< the likeliest first
  std::vector<Suspect> candidates;      ///< that might be, where none was found
  std::vector<LocateStep> steps;
  LocateCounts runs;
  std::optional<Layout> layout; ///< that the failure needs; none: the default one
  std::string setting;          ///< what is different there: "with guard words ..."
  std::string reason;           ///< of verdicts other than memory corruption: a sentence
  std::string proof;            ///< of memory corruption, what showed it: a sentence
  double seconds = 0;
};

/// Runs the program as often as it takes.
LocateReport locate(const Runs &runs, const ProgramSites &sites, const Program &program);

} // namespace culprit
#endif

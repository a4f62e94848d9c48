// What a failure used: the values that led to it, by the failure's kind, with where they were
// defined.
#ifndef CULPRIT_ANALYSIS_LOCATE_USED_VALUES_H
#define CULPRIT_ANALYSIS_LOCATE_USED_VALUES_H

#include "analysis/locate/altered_run.h"
#include "analysis/locate/program_sites.h"

#include <optional>
#include <string>
#include <vector>

namespace culprit {

/// Whether the failure says something about values at all, and which site has them.
struct ProbePlan {
  std::optional<SiteAddress> site; ///< to probe
  std::string refusal;             ///< why there is none: a sentence
};

ProbePlan planProbe(const FailureReport &failure, const ProgramSites &sites);

inline constexpr char kHandsOutLocal[] =
    "hands out the address of a local, which is used when its function has returned";
inline constexpr char kOutOfRange[] = "defines the index that is out of range";

struct UsedValue {
  uint64_t origin = 0; ///< of its definition, or of what made it wrong; 0: defined nowhere
  uint64_t value = 0;
  std::string why; ///< "defines the index that is out of range": what the origin's statement does
  bool isFree = false;        ///< the origin's statement has freed what the value points to
  uint64_t allocation = 0;    ///< of that: the execution that had allocated it; 0: not known
  uint64_t place = 0;         ///< that the value was loaded from; 0: not known
  bool isUnset = false;       ///< the origin has allocated the block that the value was loaded from
  uint64_t pointerOrigin = 0; ///< if the origin has freed something: of the pointer to that
};

/// The pointers into the memory for locals that a probed access followed, the last one first, or
/// that a probed call was handed.
std::vector<UsedValue> pointersToLocals(const RunResult &probed);

/// The pointer that a probed computation has computed another one from; nothing: it did not.
std::optional<UsedValue> sourceOfPointer(const RunResult &probed);

/// What a probed call was told by that argument.
std::optional<UsedValue> argumentOf(const RunResult &probed, unsigned index, const char *what);

/// One of the values that a probed branch compares.
std::optional<UsedValue> comparedIn(const RunResult &probed, unsigned index, const char *what);

/// An operand of what was probed, by its number (compiler/suppress/probes.h); null: there is none.
const abi::ProbedOperand *operand(const abi::SuppressionRecord &seen, uint64_t number);

/// The pointer from which a probed access starts.
std::optional<UsedValue> baseOfAccess(const RunResult &probed);

/// Where that was loaded from, or the function that a probed call calls; 0: not known.
uint64_t placeOfBase(const RunResult &probed);

/// Where the first argument of a probed call was loaded from; 0: not known.
uint64_t placeOfFirstArgument(const RunResult &probed);

/// The first argument of a probed call; 0: not known.
uint64_t firstArgument(const RunResult &probed);

/// Whether one of the arguments of a probed call is `value`.
bool isPassed(const RunResult &probed, uint64_t value);

/// Where the argument of a probed call that is `value` was loaded from; nothing: no argument is, or
/// it was not loaded there.
std::optional<uint64_t> placeOfArgumentWith(const RunResult &probed, uint64_t value);

/// A pointer to what was freed, among what a probed access used.
std::optional<UsedValue> danglingIn(const RunResult &probed);

/// Whether the failure is due to an argument of the probed call, in which it happened: to memory
/// there, or to a pointer to what was freed. Else it is due to what the function has loaded.
bool isAboutArgument(const RunResult &probed);

/// The value that is to blame, from what the probe saw; nothing if it saw nothing.
std::optional<UsedValue> usedValue(const RunResult &probed);

} // namespace culprit
#endif

// The loop of execution suppression on one layout (paper 1, figure 3): a failure, what it used,
// where that was defined; the same run without; until no failure is left.
#ifndef CULPRIT_ANALYSIS_LOCATE_SUPPRESSION_LOOP_H
#define CULPRIT_ANALYSIS_LOCATE_SUPPRESSION_LOOP_H

#include "analysis/locate/locate.h"
#include "analysis/locate/owners.h"
#include "analysis/locate/used_values.h"
#include "analysis/locate/values_behind.h"

#include <optional>
#include <string>
#include <vector>

namespace culprit {

/// How many functions may hand a pointer on to where it is freed, or stored through.
inline constexpr unsigned kMostHandedOn = 3;
/// How many computations are followed from a pointer to the one that it was computed from.
inline constexpr unsigned kMostDerived = 8;

/// The program that is run.
struct Subject {
  MadeRuns &runs;
  const ProgramSites &sites;
  const Program &program;
};

class SuppressionLoop {
public:
  SuppressionLoop(const Subject &subject, const Layout *layout)
      : runs_(subject.runs), sites_(subject.sites), program_(subject.program), layout_(layout) {}

  /// Ends follow() when a failure used a value that was copied: something may have been run over.
  void stopAtCopies() { stopsAtCopies_ = true; }

  /// Starts from a run that has failed. False when it got stuck; then reason() says why.
  bool follow(RunResult failed);

  /// Starts from a run that has read guard words. False if nothing of the program did.
  bool blameRead(const RunResult &failed);

  /// Whether what was read was a local of a function that had returned.
  bool blamesLocal() const { return blamesLocal_; }

  const std::vector<LocateStep> &steps() const { return steps_; }
  /// The statements to blame, the likeliest first; if it got stuck, those that might be.
  const std::vector<Suspect> &suspects() const { return suspects_; }
  const std::string &reason() const { return reason_; }
  /// What shows that they are to blame.
  const std::string &proof() const { return proof_; }
  /// Whether they run over memory, or free what is still used: that is wrong on any layout.
  bool isMisuse() const;
  /// Whether the program works when there is room behind its buffers.
  bool isProvedByRoom() const { return isProvedByRoom_; }
  /// Whether a block was run over that may have been before, where it did not show.
  bool hasSlack() const { return brokenWord_ && hasSlack_; }
  /// Whether a value that a failure used was copied: then the copy may have run over something.
  bool hasCopied() const { return hasCopied_; }

private:
  bool search(RunResult failed);
  bool suppress(RunResult &failed, Suspect suspect);
  AlteredRun altered() const;
  unsigned repeats() const;
  bool isAlwaysWrong(const Suspect &suspect) const;
  void addCandidates();

  // Runs that say nothing of the program; no_evidence.cpp.
  static bool isEvidence(const RunResult &result);
  bool endedTooEarly(const RunResult &result);
  bool isPast(const RunResult &probed) const;
  std::optional<Suspect> tryOtherWays(RunResult &failed);
  bool goesPast(abi::Way way, RunResult &result, std::optional<Suspect> &suspect);

  bool isPastFree(const RunResult &result) const;
  bool isPastDoubleFree(const RunResult &result) const;
  std::optional<Suspect> definitionFor(RunResult &failed);
  RunResult closestLook(const SiteAddress &site);
  RunResult probed(const SiteAddress &site);
  std::optional<Suspect> suspectOf(const UsedValue &value);
  std::optional<Suspect> lastWriter(const UsedValue &value);
  std::optional<Suspect> firstWriter(const RunResult &failed);
  Suspect runningOver(const SiteAddress &site, uint64_t time, uint64_t place,
                      bool isDownwards = false) const;
  bool isBelow(const FailureReport &failure, const SiteAddress &site, uint64_t place) const;
  uint64_t beginOfStore(const Execution &store);
  std::optional<Suspect> goingOnDown(const SiteAddress &site, uint64_t time, uint64_t place);
  const ResolvedWrite *firstWrong(const std::vector<ResolvedWrite> &writes) const;
  RunResult look(AlteredRun closer);
  RunResult lookAt(const Execution &execution);
  void findSite(RunResult &failed);
  bool add(const Execution &execution);
  void blame(const RunResult &failed, const Suspect &suspect);
  void noteInstance(const RunResult &altered);

  // What made a used value wrong; look_behind.cpp.
  void lookBehind(UsedValue &value, const RunResult &failed);
  bool isUnsetPointer(const UsedValue &value) const;
  std::optional<UsedValue> wrongSource(UsedValue pointer, const RunResult &failed);
  bool isLeftUnset(UsedValue value, const RunResult &failed);
  std::optional<UsedValue> misuse(const UsedValue &value, const RunResult &failed);
  ProbedProgram probedProgram();
  std::optional<UsedValue> staleLocal(const RunResult &probed, const CallStack &stack);
  std::optional<UsedValue> boundOfLoop(const UsedValue &index);
  std::optional<UsedValue> sizeOfMapping(const RunResult &failed);
  std::optional<Suspect> firstOfSeveral(const UsedValue &value);
  std::optional<Suspect> overrunBehind(const UsedValue &value);
  std::optional<Suspect> overrunOfMember(const UsedValue &value);
  bool leavesMember(const ResolvedWrite &write, uint64_t place);
  bool isDeletedAsOne(const RunResult &failed) const;

  // What else is to blame, and what is said of it; suspects.cpp.
  void judgeStore();
  bool preferEarlyFree(const RunResult &store);
  bool preferStalePointer(const RunResult &store);
  bool failsUnfreed(const Suspect &freeing);
  void preferFreedSource();
  std::optional<UsedValue> pointerOfStore(const RunResult &store) const;
  void addVariableBlock(const RunResult &store);
  void findFirstOverrun(const RunResult &store);
  void addAllocation();
  std::optional<Suspect> decidingAllocation(bool &isComputed);
  bool wasComputed(uint64_t origin);
  void addSecondOwner();
  bool findSecondOwner();
  void addOrderToFree();
  bool preferUnsetPointer(const RunResult &freeing);
  bool preferOwnCall(const RunResult &freeing);
  bool isFreedByLibrary(const Suspect &suspect) const;
  uint64_t placeInCallers(const CallStack &stack, uint64_t pointer, AlteredRun closer);
  void nameMemory(Suspect &suspect) const;
  void placeInProgram(Suspect &suspect, const CallStack *known = nullptr);
  bool vanishesWithRoom();
  bool definesMemory(const Suspect &suspect) const;
  bool isUnsetMemory(const Suspect &suspect) const;
  bool vanishesWithZeroes();
  const StackFrame *deciding(const CallStack &allocation) const;
  const StackFrame *behindOneLiners(const CallStack &stack, const StackFrame *frame) const;
  const StackFrame *callerOfAccess(const Suspect &suspect, const CallStack &stack) const;

  // Who had it taken out of a container, and goes on using it; holders.cpp.
  void addHolder();
  const StackFrame *freeingCaller(const CallStack &freeing, const CallStack &use) const;

  /// An execution of a statement that failed.
  struct Failing {
    std::optional<SiteAddress> site; ///< none: not known
    uint64_t instance = 0;
  };

  MadeRuns &runs_;
  const ProgramSites &sites_;
  const Program &program_;
  const Layout *layout_; ///< null: the default one
  std::vector<Execution> points_;
  std::vector<LocateStep> steps_;
  std::vector<Suspect> suspects_;
  std::optional<uint64_t> brokenWord_;         ///< that the suspects so far have written to
  CallStack overrun_;                          ///< where the block was allocated that they ran over
  uint64_t overrunTime_ = 0;                   ///< when; 0: not known
  uint64_t overrunBegin_ = 0, overrunEnd_ = 0; ///< where that is
  std::string reason_;
  std::string proof_;
  bool hasSlack_ = false;                ///< and may have been run over before that shows
  FreedBlock freed_;                     ///< of the last failure
  std::vector<FreedBlock> freedInSteps_; ///< of each step
  FreedBlock blamedFree_;                ///< of the one that the suspects are to blame for
  bool hasCopied_ = false;
  bool stopsAtCopies_ = false;
  bool isProvedByRoom_ = false;
  bool blamesLocal_ = false;
  Failing failing_; ///< in the run that was looked at last
  Failing wanted_;  ///< what has to be gone past: of the failure for which something was suppressed
  std::vector<SiteAddress> branches_; ///< that do not go past what they decide, and
  abi::Way way_ = abi::Way::Past;     ///< where they go
  bool isStale_ = false; ///< the last failure depends on what may be wrong by suppression itself
};

/// What shows that a statement is to blame: nothing fails without it, when branches on what is
/// corrupt then go that way.
std::string proofOf(abi::Way way);

/// Whether a failure is about words that were found broken: who wrote them counts, whatever value.
bool isAboutWords(const FailureReport &failure);

bool isSignal(const FailureReport &failure, uint32_t signal);

/// Where it failed, if that is known.
std::optional<SiteAddress> failingSite(const FailureReport &failure);

/// Whether the program has ended because it, or the processor, did not like a value, which may be
/// due to what ran over it, or to what it was computed from.
bool isDecided(const FailureReport &failure);

/// Whether it failed in one of the program's functions where no site is: at the load of an origin,
/// which the optimiser has put before the program's own.
bool isBetweenSites(const FailureReport &failure, const ProgramSites &sites);

/// The word that is broken, if the failure is about one or one was found broken when it happened: a
/// store that ran over a block may die of where the block's memory ends.
std::optional<abi::FailureWord> brokenWord(const RunResult &failed);

} // namespace culprit
#endif

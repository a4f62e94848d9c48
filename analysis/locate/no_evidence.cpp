// See suppression_loop.h: altered runs whose end says nothing of the program.
//
// A statement that was skipped, because a branch depends on what is corrupt, may be missed later: a
// failure that depends on what it would have set is no evidence, nor is a hang, nor a lack of
// memory, nor an end before what failed was reached. The same run is made again with those branches
// taking a side, once the one that the corrupt value stands for and once another. If it gets past
// what failed then, the suppression did what it should; if it fails again on every side, by the
// same statement, that does not depend on what was skipped.
#include "analysis/locate/suppression_loop.h"

namespace culprit {

bool SuppressionLoop::isEvidence(const RunResult &result) {
  return result.failure && result.failure->kind != abi::FailureKind::Timeout &&
         result.failure->kind != abi::FailureKind::OutOfMemory;
}

/// Whether the run, whose probe is at the statement that failed before, has gone past that.
bool SuppressionLoop::isPast(const RunResult &probed) const {
  return !wanted_.site || probed.seen.probedInstance >= wanted_.instance;
}

/// Whether the program has ended because of what was suppressed, and not after what failed before.
bool SuppressionLoop::endedTooEarly(const RunResult &result) {
  if (result.seen.ending != abi::Ending::Early)
    return false;
  AlteredRun closer = altered();
  closer.probe = wanted_.site;
  if (!wanted_.site || !isPast(look(closer))) {
    reason_ = "without the suspect the program ends before it could fail";
    return true;
  }
  proof_ = "without that the program goes past the failure, and ends";
  return false;
}

/// What is to be suppressed next, whichever side branches on corrupt values take, with the failure
/// that shows it. Nothing, but a proof: on one of the sides nothing fails.
std::optional<Suspect> SuppressionLoop::tryOtherWays(RunResult &failed) {
  if (failed.failure && !isEvidence(failed))
    reason_ = "without the suspect the program goes past the failure, but does not end";
  if (way_ != abi::Way::Past)
    return std::nullopt;
  std::string reason = reason_;
  RunResult skipping = look(altered());
  for (uint32_t i = 0; i < skipping.seen.skippedCount; ++i)
    if (std::optional<SiteAddress> branch = sites_.find(skipping.seen.skipped[i]))
      branches_.push_back(*branch);
  RunResult onOther, onComputed;
  std::optional<Suspect> other, computed;
  if (!branches_.empty() && !goesPast(abi::Way::Other, onOther, other) &&
      !goesPast(abi::Way::Computed, onComputed, computed) && computed &&
      (!other || other->execution.site == computed->execution.site)) {
    failed = std::move(onComputed);
    return computed;
  }
  if (proof_.empty()) {
    branches_.clear();
    way_ = abi::Way::Past;
    reason_ = reason;
  }
  return std::nullopt;
}

/// Whether nothing fails any more if the branches go that way. Else `result` is the run, and
/// `suspect` what led to its failure, if that says something.
bool SuppressionLoop::goesPast(abi::Way way, RunResult &result, std::optional<Suspect> &suspect) {
  way_ = way;
  AlteredRun run = altered();
  run.probe = wanted_.site;
  result = runs_.run(run);
  if (!result.failure && isPast(result)) {
    proof_ = proofOf(way);
    return true;
  }
  if (isEvidence(result))
    suspect = definitionFor(result);
  return false;
}

} // namespace culprit

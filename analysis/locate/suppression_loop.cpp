// See suppression_loop.h.
#include "analysis/locate/suppression_loop.h"

#include "analysis/locate/wrappers.h"
#include "compiler/suppress/probes.h"

#include <algorithm>
#include <csignal>
#include <fmt/format.h>

namespace culprit {
namespace {

constexpr unsigned kMostSteps = 40;
/// Of one statement: what it computes is not what is wrong.
constexpr unsigned kMostRepeats = 8;
/// How often a statement is suppressed for the same failure, before it is for good.
constexpr unsigned kByTurns = 3;
/// How often a statement that frees too early is suppressed alone, before it is for good.
constexpr int kFreesByTurns = 2;
/// Bytes left free behind buffers, to see whether a failure is due to what follows them.
constexpr uint64_t kRooms[] = {1 << 10, 16 << 20};
constexpr uint64_t kMostLocalRoom = 16 << 10;
constexpr char kRunsOver[] = "writes over memory that is not its own";

/// Bytes that one store writes.
constexpr uint64_t kMostStored = 64;

/// How far a store that runs over a word may go on.
constexpr uint64_t kOverrun = uint64_t{1} << 40;

bool isAccessOrFree(const FailureReport &failure) {
  return isSignal(failure, SIGSEGV) || isSignal(failure, SIGBUS) ||
         failure.kind == abi::FailureKind::DoubleFree || failure.kind == abi::FailureKind::WildFree;
}

struct OverrunBlock {
  CallStack allocatedAt;
  uint64_t time = 0; ///< of the allocation; 0: not known
  uint64_t address = 0;
  uint64_t size = 0;
  bool hasSlack = false; ///< bytes between its end and the word that stores may reach unnoticed
};

/// The block in front of a broken word.
OverrunBlock blockBefore(const RunResult &failed, uint64_t word) {
  const abi::SuppressionRecord &seen = failed.seen;
  if (!isAboutWords(failed.howItFailed()))
    return {failed.overrun, abi::timeOfOrigin(seen.overrunAllocation), seen.overrun.address,
            seen.overrun.size, seen.overrun.address + seen.overrun.size < word};
  const ReportedBlock *before = nullptr;
  for (const ReportedBlock &block : failed.howItFailed().blocks)
    if (!block.isFreed && block.address + block.size <= word + 8 && block.address < word &&
        (!before || block.address > before->address))
      before = &block;
  if (!before)
    return {};
  auto origin = std::find_if(std::begin(seen.blocks), std::end(seen.blocks),
                             [&](const auto &block) { return block.address == before->address; });
  uint64_t time = origin == std::end(seen.blocks) ? 0 : abi::timeOfOrigin(origin->allocation);
  return {before->allocatedAt, time, before->address, before->size,
          before->address + before->size < word};
}

/// Whether two runs failed in the same way and place. The destructor of an object may free what
/// that holds before the object itself is freed: without the latter it does so twice all the same.
bool isSame(const FailureReport &failure, const FailureReport &other) {
  return failure.kind == other.kind && failure.address == other.address;
}

} // namespace

bool isAboutWords(const FailureReport &failure) {
  using Kind = abi::FailureKind;
  return failure.kind == Kind::BrokenReturn || failure.kind == Kind::BrokenHeap ||
         failure.kind == Kind::BrokenGuard;
}

bool isSignal(const FailureReport &failure, uint32_t signal) {
  return failure.kind == abi::FailureKind::Signal && failure.signal == signal;
}

std::optional<SiteAddress> failingSite(const FailureReport &failure) {
  return failure.place < failure.stack.size() ? failure.stack[failure.place].site : std::nullopt;
}

bool isDecided(const FailureReport &failure) {
  using Kind = abi::FailureKind;
  return failure.kind == Kind::Abort || failure.kind == Kind::FailedAssert ||
         failure.kind == Kind::Exit || failure.kind == Kind::UncaughtException ||
         (failure.kind == Kind::Signal && failure.signal == SIGFPE);
}

bool isBetweenSites(const FailureReport &failure, const ProgramSites &sites) {
  return !failure.stack.empty() && !failure.stack.front().site &&
         sites.hasFunction(failure.stack.front().linkageName);
}

std::optional<abi::FailureWord> brokenWord(const RunResult &failed) {
  if (isAboutWords(failed.howItFailed()))
    return failed.howItFailed().words.empty()
               ? std::nullopt
               : std::optional(failed.howItFailed().words.front().word);
  if (failed.seen.broken.address != 0)
    return failed.seen.broken;
  return std::nullopt;
}

std::string proofOf(abi::Way way) {
  if (way == abi::Way::Past)
    return "without that the program does not fail any more";
  return fmt::format("without that, and with the branches that depend on it going {}, the program "
                     "does not fail any more",
                     way == abi::Way::Other ? "the other way" : "as before");
}

bool SuppressionLoop::follow(RunResult failed) {
  bool isFound = search(std::move(failed));
  if (stopsAtCopies_ && hasCopied_)
    return false;
  if (isFound) {
    reason_.clear();
    judgeStore();
    preferFreedSource();
    addAllocation();
    addSecondOwner();
    addOrderToFree();
  } else {
    addCandidates();
  }
  for (Suspect &suspect : suspects_) {
    nameMemory(suspect);
    placeInProgram(suspect);
  }
  if (isFound)
    addHolder();
  return isFound;
}

/// The loop itself. False when it got stuck.
bool SuppressionLoop::search(RunResult failed) {
  for (unsigned i = 0; failed.failure || endedTooEarly(failed); ++i) {
    bool isEndless = i > 0 && failed.failure && !isEvidence(failed);
    if (isEndless && isMisuse()) { // which is wrong, however the program goes on
      proof_ = "without that the program goes past the failure, but does not end";
      return true;
    }
    if (i == 1 && failed.failure && (brokenWord_ ? vanishesWithRoom() : vanishesWithZeroes()))
      return true;
    if (isPastFree(failed)) {
      proof_ = "without that the program goes past the failure, and fails elsewhere";
      return true;
    }
    if (i == kMostSteps || repeats() == kMostRepeats) {
      reason_ = "the program goes on failing, whatever is suppressed";
      return false;
    }
    std::optional<Suspect> suspect;
    if (i == 0 || isEvidence(failed))
      suspect = definitionFor(failed);
    if (!suspect && i > 0 && (isStale_ || !isEvidence(failed))) {
      suspect = tryOtherWays(failed);
      if (!suspect && proof_.empty() && failed.failure && isMisuse())
        proof_ =
            "without that the program goes past the failure, to where it needs what was left out";
      if (!suspect && !proof_.empty())
        return true;
    }
    if (!suspect && isPastDoubleFree(failed)) {
      proof_ = "without that the program goes past the failure, and fails elsewhere";
      return true;
    }
    if (!suspect || !suppress(failed, *suspect))
      return false;
  }
  if (proof_.empty())
    proof_ = proofOf(way_);
  return true;
}

/// Runs the program again without what led to its failure, which becomes that of the new run. False
/// if that was done before.
bool SuppressionLoop::suppress(RunResult &failed, Suspect suspect) {
  auto isSameSite = [&](const LocateStep &step) {
    return step.suppressed[0].execution.site == suspect.execution.site;
  };
  if (suspect.isFree && std::count_if(steps_.begin(), steps_.end(), isSameSite) >= kFreesByTurns)
    suspect.execution.high = ~uint64_t{0}; // and all that follow
  if (isAlwaysWrong(suspect)) {
    auto first = std::find_if(steps_.begin(), steps_.end(), isSameSite);
    suspect.execution.time = first->suppressed[0].execution.time;
    suspect.execution.high = ~uint64_t{0};
    std::erase_if(points_, [&](const Execution &point) {
      return point.site == suspect.execution.site; // they are among these
    });
  }
  steps_.push_back({failed.howItFailed(), {suspect}});
  freedInSteps_.push_back(freed_);
  if (!add(suspect.execution)) {
    reason_ = "suppressing a statement did not keep its effect from the failure";
    return false;
  }
  blame(failed, suspect);
  wanted_ = failing_;
  failed = runs_.run(altered());
  noteInstance(failed);
  return true;
}

/// Whether a statement has led to a failure of the same statement so often that every execution
/// does, such as one that makes each object alike: without one, the next fails.
bool SuppressionLoop::isAlwaysWrong(const Suspect &suspect) const {
  return repeats() >= kByTurns && suspect.execution.high == 0 && failing_.site &&
         failing_.site == wanted_.site &&
         steps_.back().suppressed[0].execution.site == suspect.execution.site;
}

/// The run with all that is suppressed so far.
AlteredRun SuppressionLoop::altered() const {
  AlteredRun run;
  run.points = points_;
  run.branches = branches_;
  run.way = way_;
  run.layout = layout_;
  return run;
}

/// Whether the program works when there is nothing behind its buffers that they could run over.
/// Without the stores that run over one, what was to be stored is missing, and the program may go
/// wrong for that.
bool SuppressionLoop::vanishesWithRoom() {
  for (uint64_t room : kRooms) {
    Layout roomy = layout_ ? *layout_ : Layout();
    roomy.guard = 0;
    roomy.room = std::min(room, kMostLocalRoom);
    roomy.heap.spacing = room;
    AlteredRun other;
    other.layout = &roomy;
    if (runs_.run(other).failure)
      continue;
    proof_ =
        fmt::format("with {} bytes of room behind every buffer the program does not fail", room);
    isProvedByRoom_ = true;
    return true;
  }
  return false;
}

/// How often the last statement was suppressed without a break.
unsigned SuppressionLoop::repeats() const {
  unsigned count = 0;
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step, ++count)
    if (step->suppressed[0].execution.site != steps_.back().suppressed[0].execution.site)
      break;
  return count;
}

bool SuppressionLoop::isMisuse() const {
  return !suspects_.empty() &&
         (brokenWord_ || suspects_.back().isFree || suspects_.back().leavesMember);
}

/// Whether the first failure was an access to freed memory that is out of reach, and this is
/// another one: then that access was wrong, whatever fails later.
bool SuppressionLoop::isPastFree(const RunResult &result) const {
  if (!layout_ || !layout_->heap.fence || steps_.empty() || !result.failure)
    return false;
  const LocateStep &first = steps_.front();
  return first.suppressed[0].isFree && (result.failure->kind != first.failure.kind ||
                                        result.failure->address != first.failure.address);
}

/// Whether a block was freed twice, and is not any more, but something fails whose cause is not
/// known: who frees it first is wrong all the same.
bool SuppressionLoop::isPastDoubleFree(const RunResult &result) const {
  if (steps_.empty() || !result.failure || !suspects_.front().isFree)
    return false;
  const FailureReport &first = steps_.front().failure;
  return first.kind == abi::FailureKind::DoubleFree && steps_.front().suppressed[0].isFree &&
         !isSame(first, *result.failure);
}

/// What was suppressed last is to blame; of stores that run over memory, the first.
void SuppressionLoop::blame(const RunResult &failed, const Suspect &suspect) {
  std::optional<abi::FailureWord> word = brokenWord(failed);
  // To use freed memory is wrong, and so is what comes of it when it is not freed.
  bool isFreed = !word && !suspects_.empty() && suspects_.front().isFree;
  bool goesOn = isFreed || (word && brokenWord_ && !suspects_.empty());
  bool isSameFailure = isFreed && !suspect.isFree && steps_.size() == 2 &&
                       isSame(steps_.front().failure, failed.howItFailed());
  if (goesOn && (isSameFailure || suspect.execution.time >= suspects_.front().execution.time))
    return;
  suspects_ = {suspect};
  blamedFree_ = freed_;
  brokenWord_.reset();
  overrun_.clear();
  if (word) {
    brokenWord_ = word->address;
    OverrunBlock block = blockBefore(failed, word->address);
    overrun_ = block.allocatedAt;
    overrunTime_ = block.time;
    overrunBegin_ = block.address;
    overrunEnd_ = block.address + block.size;
    // Between a buffer and the return address there are other locals, or nothing.
    hasSlack_ = block.hasSlack || failed.howItFailed().kind == abi::FailureKind::BrokenReturn;
  }
}

/// Which execution of its statement was suppressed last: the run has counted them.
void SuppressionLoop::noteInstance(const RunResult &altered) {
  Suspect &last = steps_.back().suppressed[0];
  auto point = std::find(points_.begin(), points_.end(), last.execution);
  auto number = static_cast<size_t>(point - points_.begin());
  if (number >= altered.seen.pointCount)
    return;
  last.instance = altered.seen.points[number].instance;
  for (Suspect &suspect : suspects_)
    if (suspect.execution == last.execution)
      suspect.instance = last.instance;
}

/// One execution of a statement, in the run without what was suppressed before it.
RunResult SuppressionLoop::lookAt(const Execution &execution) {
  AlteredRun closer = altered();
  std::erase_if(closer.points,
                [&](const Execution &point) { return point.time >= execution.time; });
  closer.probe = execution.site;
  closer.tracedTime = execution.time;
  RunResult seen = look(closer);
  if (seen.seen.probedTime == execution.time || closer.points.empty())
    return seen;
  closer.points.clear(); // something was found later that comes before it, and without that it is
                         // not executed
  return look(closer);
}

RunResult SuppressionLoop::look(AlteredRun closer) {
  closer.layout = layout_;
  closer.isExact = true;
  return runs_.run(closer);
}

/// Where the optimiser has left no site at the failing instruction, the same run tells that keeps
/// sites apart.
void SuppressionLoop::findSite(RunResult &failed) {
  const FailureReport &failure = failed.howItFailed();
  bool isKnown = failure.place < failure.stack.size() && failure.stack[failure.place].site &&
                 !isBetweenSites(failure, sites_);
  // A tail call leaves nothing of who made it.
  if (isKnown && !isAboutWords(failure) && failure.access != AccessKind::Execute)
    return;
  RunResult exact = look(altered());
  if (exact.failure)
    failed = std::move(exact);
}

std::optional<Suspect> SuppressionLoop::definitionFor(RunResult &failed) {
  isStale_ = false;
  failing_ = {};
  findSite(failed);
  if (isAboutWords(failed.howItFailed()) && failed.seen.brokenFreed != 0)
    return suspectOf({failed.seen.brokenFreed, 0, "frees memory that is still written to", true});
  if (brokenWord(failed))
    return firstWriter(failed);
  ProbePlan plan = planProbe(failed.howItFailed(), sites_);
  RunResult closer = plan.site ? closestLook(*plan.site) : failed;
  if (plan.site)
    failing_ = {sites_.find(closer.seen.probedSite), closer.seen.probedInstance};
  std::optional<UsedValue> value = usedValue(closer);
  if (value && isDeletedAsOne(closer))
    value = UsedValue{abi::makeOrigin(closer.seen.probedSite, closer.seen.probedTime), 0,
                      "deletes an array as if it were one object"};
  if (!value) {
    reason_ = plan.site ? "the values that the failing statement used are not known" : plan.refusal;
    return std::nullopt;
  }
  lookBehind(*value, closer);
  if (auto overrun = overrunBehind(*value)) {
    if (placeOfBase(closer) == value->place)
      overrun->wrote = closer.place;
    return overrun;
  }
  hasCopied_ |= (value->origin & abi::kOriginCopied) != 0;
  if (hasCopied_ && stopsAtCopies_)
    return std::nullopt;
  if ((value->origin & abi::kOriginStale) != 0 || isLeftUnset(*value, closer)) {
    reason_ = "the failure depends on what a skipped statement might have set";
    isStale_ = true;
    return std::nullopt;
  }
  if (abi::siteOfOrigin(value->origin) == 0 && value->place != 0)
    return lastWriter(*value);
  if (auto first = firstOfSeveral(*value))
    return first;
  std::optional<Suspect> suspect = suspectOf(*value);
  if (suspect && !closer.readable.contains(value->value)) // else it may be a pointer to the memory
    suspect->value = value->value;
  if (suspect && !value->isFree)
    suspect->usedFrom = closer.place;
  return suspect;
}

/// What fails in a function of a header is told by the call in the program's own code, if it is due
/// to what that passes, else by the statement in the header.
RunResult SuppressionLoop::closestLook(const SiteAddress &site) {
  RunResult outer = probed(site);
  if (!outer.failure || !isAccessOrFree(*outer.failure) || isAboutArgument(outer))
    return outer;
  AlteredRun closer = altered();
  closer.probe = programSite(outer.failure->stack);
  return closer.probe && *closer.probe != site ? look(closer) : outer;
}

/// The failing run once more, with a look at the values that the failing statement uses. The
/// optimiser may have made one instruction of several statements: then the run that keeps them
/// apart tells which it is.
RunResult SuppressionLoop::probed(const SiteAddress &site) {
  AlteredRun closer = altered();
  closer.probe = site;
  RunResult seen = look(closer);
  ProbePlan plan = seen.failure ? planProbe(*seen.failure, sites_) : ProbePlan();
  if (!plan.site || *plan.site == site)
    return seen;
  closer.probe = plan.site;
  return look(closer);
}

std::optional<Suspect> SuppressionLoop::suspectOf(const UsedValue &value) {
  std::optional<SiteAddress> site = sites_.find(abi::siteOfOrigin(value.origin));
  freed_ = {value.allocation, abi::timeOfOrigin(value.origin), value.place};
  if (!site) {
    reason_ = "the value that led to the failure was never defined";
    return std::nullopt;
  }
  SitePlace place = sites_.placeOf(*site);
  bool isUnset = place.kind == SiteKind::Declare;
  return Suspect{{*site, abi::timeOfOrigin(value.origin)},
                 place,
                 isUnset ? "declares a variable that is used before it is set" : value.why,
                 value.isFree,
                 value.isUnset};
}

/// Who has stored to a place that was not its own. A store may go on from there, up or down.
Suspect SuppressionLoop::runningOver(const SiteAddress &site, uint64_t time, uint64_t place,
                                     bool isDownwards) const {
  SitePlace where = sites_.placeOf(site);
  bool isStore = where.kind == SiteKind::Store || where.kind == SiteKind::Define;
  uint64_t low = isDownwards ? 1 : place;
  uint64_t high = place + (isDownwards ? abi::watchedBytes(place) : kOverrun);
  return {{site, time, isStore ? low : 0, isStore ? high : 0}, where, kRunsOver};
}

/// Whether a line that has stored to a place failed to store further down.
bool SuppressionLoop::isBelow(const FailureReport &failure, const SiteAddress &site,
                              uint64_t place) const {
  std::optional<SiteAddress> failing = failingSite(failure);
  return failing && isSignal(failure, SIGSEGV) && failure.access == AccessKind::Write &&
         failure.address < place && sites_.placeOf(*failing).isSameLine(sites_.placeOf(site));
}

/// Where a store begins that runs over a byte in the middle of a word: there, or before.
uint64_t SuppressionLoop::beginOfStore(const Execution &store) {
  if (store.low % sizeof(uint64_t) == 0 || store.low == 1)
    return store.low;
  RunResult probed = lookAt({store.site, store.time});
  const abi::ProbedOperand *address = operand(probed.seen, kProbedAddress);
  bool isNear = address && address->value < store.low && store.low - address->value < kMostStored;
  return isNear ? address->value : store.low;
}

/// Of a statement whose first store over something was left out, and which has later stored below
/// that: the same store, with all that it stores further down.
std::optional<Suspect> SuppressionLoop::goingOnDown(const SiteAddress &site, uint64_t time,
                                                    uint64_t place) {
  if (!brokenWord_ || suspects_.empty() || place >= *brokenWord_)
    return std::nullopt;
  const Execution &first = suspects_.front().execution;
  if (first.site != site || first.time >= time || first.low <= 1)
    return std::nullopt;
  std::erase(points_, first);
  return runningOver(first.site, first.time, *brokenWord_, true);
}

std::optional<Suspect> SuppressionLoop::firstWriter(const RunResult &failed) {
  AlteredRun closer = altered();
  closer.watched = brokenWord(failed)->address;
  RunResult watched = look(closer);
  const ResolvedWrite *write = firstWrong(watched.writes);
  std::optional<SiteAddress> site = write ? programSite(write->stack) : std::nullopt;
  uint64_t origin = isAboutWords(failed.howItFailed()) ? failed.seen.wordOrigins[0] : 0;
  if (!site || abi::timeOfOrigin(origin) > watched.writes.back().time)
    return suspectOf({origin, 0, kRunsOver}); // by the kernel, which the watch does not see
  std::optional<Suspect> further = goingOnDown(*site, write->time, *closer.watched);
  Suspect suspect = further ? *further
                            : runningOver(*site, write->time, *closer.watched,
                                          isBelow(failed.howItFailed(), *site, *closer.watched));
  suspect.execution.low = beginOfStore(suspect.execution);
  if (isAboutWords(failed.howItFailed()))
    suspect.wrote = failed.howItFailed().words.front().name;
  return suspect;
}

/// A value that came from outside, such as an argument of the program, has no definition: who has
/// stored it?
std::optional<Suspect> SuppressionLoop::lastWriter(const UsedValue &value) {
  AlteredRun closer = altered();
  closer.watched = value.place;
  RunResult watched = look(closer);
  const StackFrame *frame =
      watched.writes.empty() ? nullptr : programFrame(watched.writes.back().stack);
  if (!frame) {
    reason_ = "the value that led to the failure is as the program was loaded with it";
    return std::nullopt;
  }
  return Suspect{{*frame->site, watched.writes.back().time},
                 sites_.placeOf(*frame->site),
                 "stores what is used as a pointer"};
}

/// The first store by a statement of the program since the word was last set as it should be: by
/// the runtime, or by the code that makes a frame.
const ResolvedWrite *SuppressionLoop::firstWrong(const std::vector<ResolvedWrite> &writes) const {
  const ResolvedWrite *first = nullptr;
  for (const ResolvedWrite &write : writes) {
    const StackFrame *inner = write.stack.empty() ? nullptr : &write.stack.front();
    bool isStatement = inner && inner->site;
    bool isLibrary = inner && !inner->site && inner->origin == FrameOrigin::Foreign &&
                     !sites_.hasFunction(inner->linkageName) && programFrame(write.stack);
    if (!isStatement && !isLibrary)
      first = nullptr;
    else if (!first)
      first = &write;
  }
  return first;
}

/// Keeps points in the order of time. What came after a new one may not happen any more, or at
/// other times: it is found again if it matters. False if the point is there already.
bool SuppressionLoop::add(const Execution &execution) {
  if (std::find(points_.begin(), points_.end(), execution) != points_.end())
    return false;
  auto later = std::find_if(points_.begin(), points_.end(),
                            [&](const Execution &other) { return other.time > execution.time; });
  bool isRange = execution.high != 0;
  if (!isRange)
    points_.erase(later, points_.end());
  points_.insert(isRange ? later : points_.end(), execution);
  return true;
}

} // namespace culprit

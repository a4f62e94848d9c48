// See suppression_loop.h: what else is to blame, and what is said of the statements to blame.
#include "analysis/locate/suppression_loop.h"

#include "analysis/locate/destroyers.h"
#include "analysis/locate/wrappers.h"
#include "compiler/suppress/probes.h"

#include <algorithm>
#include <utility>

namespace culprit {
namespace {

constexpr char kAllocatesLess[] = "allocates less memory than is written to";
constexpr char kReadsBeside[] = "reads memory that is not its own";

bool isOfProgram(const StackFrame &frame) {
  return frame.origin == FrameOrigin::Program;
}

} // namespace

/// What was suppressed on the way, the last first.
void SuppressionLoop::addCandidates() {
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const Suspect &candidate = step->suppressed[0];
    if (std::none_of(suspects_.begin(), suspects_.end(), [&](const Suspect &other) {
          return other.execution.site == candidate.execution.site;
        }))
      suspects_.push_back(candidate);
  }
}

/// Of a store that writes over memory: which block it meant to write to.
void SuppressionLoop::judgeStore() {
  if (suspects_.empty() || !brokenWord_)
    return;
  SiteKind kind = suspects_.front().place.kind;
  if (kind != SiteKind::Store && kind != SiteKind::Call)
    return;
  AlteredRun closer;
  closer.probe = suspects_.front().execution.site;
  closer.tracedTime = suspects_.front().execution.time;
  RunResult seen = look(closer);
  if (preferEarlyFree(seen) || preferStalePointer(seen))
    return;
  if (overrun_.empty())
    addVariableBlock(seen);
  else
    findFirstOverrun(seen);
}

/// The pointer that the statement to blame stores through, or hands to a function that does.
std::optional<UsedValue> SuppressionLoop::pointerOfStore(const RunResult &store) const {
  std::optional<UsedValue> base = baseOfAccess(store);
  if (suspects_.front().place.kind == SiteKind::Call)
    for (unsigned argument : argumentsThatAreWritten(program_, suspects_.front().execution.site))
      base = argumentOf(store, argument, "");
  return base;
}

/// Of a block of alloca() that was run over: what decided how large it is.
void SuppressionLoop::addVariableBlock(const RunResult &store) {
  std::optional<UsedValue> base = pointerOfStore(store);
  std::optional<SiteAddress> site =
      base ? sites_.find(abi::siteOfOrigin(base->origin)) : std::nullopt;
  bool isBehind = base && brokenWord_ && *brokenWord_ > base->value;
  if (site && isBehind && makesVariableBlock(program_, *site))
    suspects_.insert(
        suspects_.begin(),
        Suspect{{*site, abi::timeOfOrigin(base->origin)}, sites_.placeOf(*site), kAllocatesLess});
}

/// What writes over memory that is not its own may do so through a pointer to a block that was
/// freed and has another owner now: then the free is to blame, if nothing fails without it.
bool SuppressionLoop::preferEarlyFree(const RunResult &store) {
  std::optional<UsedValue> freed = danglingIn(store);
  std::optional<Suspect> suspect = freed ? suspectOf(*freed) : std::nullopt;
  if (!suspect)
    return false;
  AlteredRun without;
  without.points = {suspect->execution};
  without.layout = layout_;
  if (runs_.run(without).failure)
    return false;
  suspects_ = {*suspect};
  blamedFree_ = freed_;
  brokenWord_.reset();
  overrun_.clear();
  proof_ = "without that the program does not fail any more";
  return true;
}

/// The store's pointer may have been computed, as an iterator is, from one to a block that was
/// freed: then the store fails where such memory is out of reach, also right behind the block.
bool SuppressionLoop::preferStalePointer(const RunResult &store) {
  std::optional<UsedValue> base = pointerOfStore(store);
  std::optional<SiteAddress> made =
      base ? sites_.find(abi::siteOfOrigin(base->origin)) : std::nullopt;
  bool isToBlock = base && base->value >= overrunBegin_ && base->value <= overrunEnd_;
  if (!made || isToBlock || store.seen.freeCount == 0 || isAllocation(program_, *made))
    return false;
  Layout fenced = layout_ ? *layout_ : Layout();
  fenced.heap.fence = true;
  SuppressionLoop other({runs_, sites_, program_}, &fenced);
  RunResult failed = runs_.run(other.altered());
  std::optional<Suspect> suspect = failed.failure ? other.definitionFor(failed) : std::nullopt;
  if (!suspect || !suspect->isFree)
    return false;
  bool isByStore = other.failing_.site == suspects_.front().execution.site;
  if (!isByStore && failsUnfreed(*suspect)) // another one may have used such a pointer before
    return false;
  suspects_ = {*suspect};
  blamedFree_ = other.freed_;
  brokenWord_.reset();
  overrun_.clear();
  proof_ = isByStore ? "what writes over memory does so through a pointer to that"
                     : "without that the program does not fail any more";
  return true;
}

/// Whether the program fails all the same when a statement frees nothing from then on.
bool SuppressionLoop::failsUnfreed(const Suspect &freeing) {
  AlteredRun without;
  without.points = {freeing.execution};
  without.points.front().high = ~uint64_t{0};
  without.layout = layout_;
  return runs_.run(without).failure.has_value();
}

/// A pointer that was computed may come from one to memory that was freed before, as that of an
/// iterator does: then the free is to blame, however far the pointer has gone since.
void SuppressionLoop::preferFreedSource() {
  if (suspects_.empty() || suspects_.front().isFree || brokenWord_)
    return;
  Suspect suspect = suspects_.front();
  for (unsigned i = 0; i < kMostDerived && suspect.place.kind == SiteKind::Compute; ++i) {
    std::optional<UsedValue> source = sourceOfPointer(lookAt(suspect.execution));
    std::optional<Suspect> next = source ? suspectOf(*source) : std::nullopt;
    if (!next)
      return;
    suspect = *next;
    if (!suspect.isFree)
      continue;
    suspects_ = {suspect};
    blamedFree_ = freed_;
    proof_ = "the pointer that is followed was computed from one to that memory";
    return;
  }
}

/// Of a block that was run over, the allocation may be what was wrong: first if its size was
/// computed, for then the computation is, else second.
void SuppressionLoop::addAllocation() {
  bool isComputed = false;
  if (std::optional<Suspect> allocation = decidingAllocation(isComputed))
    suspects_.insert(isComputed ? suspects_.begin() : suspects_.end(), *allocation);
}

/// A statement that reads beside memory hurts nothing, so it cannot be told from the failure that
/// would be gone without it: what it reads is nobody's. A size that was computed may be too small.
bool SuppressionLoop::blameRead(const RunResult &failed) {
  const FailureReport &failure = failed.howItFailed();
  const StackFrame *frame = programFrame(failure.stack);
  std::optional<SiteAddress> site = frame ? frame->site : std::nullopt;
  if (!site) {
    reason_ = "the failing statement is not known";
    return false;
  }
  steps_.push_back({failure, {}});
  AlteredRun closer;
  closer.probe = site;
  closer.tracedTime = failed.seen.probedTime;
  std::optional<UsedValue> local = staleLocal(look(closer), failure.stack);
  if (std::optional<Suspect> suspect = local ? suspectOf(*local) : std::nullopt) {
    suspects_ = {*suspect};
    proof_ = "the local is read when its function has returned";
    blamesLocal_ = true;
    placeInProgram(suspects_.front());
    return true;
  }
  suspects_ = {{{*site, failed.seen.probedTime}, sites_.placeOf(*site), kReadsBeside}};
  if (!failure.blocks.empty() && failure.address > failure.blocks.front().address) {
    overrun_ = failure.blocks.front().allocatedAt;
    overrunTime_ = abi::timeOfOrigin(failed.seen.blocks[0].allocation);
    bool isComputed = false;
    std::optional<Suspect> allocation = decidingAllocation(isComputed);
    if (allocation && isComputed) {
      allocation->why = "allocates less memory than is read";
      suspects_.push_back(*allocation);
    }
  }
  proof_ = "it reads guard words, which belong to nobody";
  placeInProgram(suspects_.front(), &failure.stack); // runs that go on have no stacks to show
  for (size_t i = 1; i < suspects_.size(); ++i)
    placeInProgram(suspects_[i]);
  return true;
}

/// The statement that decided how large the block is that was run over.
std::optional<Suspect> SuppressionLoop::decidingAllocation(bool &isComputed) {
  if (suspects_.empty() || overrun_.empty())
    return std::nullopt;
  const StackFrame *frame = deciding(overrun_);
  if (!frame || !frame->site)
    return std::nullopt;
  AlteredRun closer;
  closer.probe = frame->site;
  closer.tracedTime = overrunTime_;
  RunResult probed = look(closer);
  // What is known of an allocation's callers may end at one that hands on what it is told.
  CallStack further = probed.traced;
  const StackFrame *outer =
      handsOnParameters(program_, *closer.probe) ? deciding(further) : nullptr;
  if (outer && outer->site && *outer->site != *closer.probe) {
    closer.probe = outer->site;
    probed = look(closer);
  }
  bool isByContainer = ownFrame(overrun_, sites_) != programFrame(overrun_);
  for (unsigned argument : argumentsForSize(program_, *closer.probe, isByContainer))
    for (uint32_t i = 0; i < probed.seen.operandCount; ++i)
      isComputed |= probed.seen.operands[i].number == kProbedArgument + argument &&
                    wasComputed(probed.seen.operands[i].origin);
  return Suspect{
      {*closer.probe, probed.seen.probedTime}, sites_.placeOf(*closer.probe), kAllocatesLess};
}

/// Whether a size with that origin was computed, and is not just a constant number of elements.
bool SuppressionLoop::wasComputed(uint64_t origin) {
  std::vector<uint64_t> open{origin};
  for (unsigned steps = 0; !open.empty();) {
    uint64_t next = open.back();
    open.pop_back();
    std::optional<SiteAddress> site = sites_.find(abi::siteOfOrigin(next));
    // What a function of the program returns has its own origin, so it is a constant argument.
    if (!site || storesConstant(program_, *site) || sites_.hasFunction(calledName(program_, *site)))
      continue;
    if (!scalesNumber(program_, *site) || ++steps > kMostDerived)
      return true;
    RunResult probed = lookAt({*site, abi::timeOfOrigin(next)});
    size_t before = open.size();
    for (unsigned i = 0; i < kMostOperandWays; ++i)
      if (std::optional<UsedValue> operand = comparedIn(probed, i, ""))
        open.push_back(operand->origin);
    if (open.size() == before)
      return true;
  }
  return false;
}

/// The block in front of a broken word may have been run over itself, from one to the next: the one
/// that the store's pointer belongs to was the first.
void SuppressionLoop::findFirstOverrun(const RunResult &store) {
  std::optional<UsedValue> base = pointerOfStore(store);
  std::optional<SiteAddress> site =
      base ? sites_.find(abi::siteOfOrigin(base->origin)) : std::nullopt;
  bool isSame = base && base->value >= overrunBegin_ && base->value <= overrunEnd_;
  if (!site || isSame || !isAllocation(program_, *site))
    return;
  AlteredRun closer;
  closer.probe = site;
  closer.tracedTime = abi::timeOfOrigin(base->origin);
  CallStack allocation = look(closer).traced;
  if (!programFrame(allocation))
    return;
  overrun_ = std::move(allocation);
  overrunTime_ = closer.tracedTime;
}

/// Before what was freed too early, the copy that made somebody else believe it was theirs. That
/// may be of a block around it, which another step has shown.
void SuppressionLoop::addSecondOwner() {
  if (suspects_.empty() || !suspects_.front().isFree || findSecondOwner())
    return;
  for (size_t i = steps_.size(); i-- > 0;)
    if (steps_[i].suppressed[0].isFree && steps_[i].failure.kind == abi::FailureKind::DoubleFree &&
        freedInSteps_[i].allocation != blamedFree_.allocation) {
      Suspect blamed = std::exchange(suspects_.front(), steps_[i].suppressed[0]);
      blamedFree_ = freedInSteps_[i];
      if (findSecondOwner())
        return;
      suspects_.front() = blamed;
    }
}

/// Whether something was found that tells how the suspect came to free the block.
bool SuppressionLoop::findSecondOwner() {
  if (blamedFree_.allocation == 0)
    return false;
  bool isFreedTwice = steps_.back().failure.kind == abi::FailureKind::DoubleFree;
  if (!isFreedTwice && isFreedByLibrary(suspects_.front()))
    return false; // what a container has handed out, it still owns
  AlteredRun closer;
  closer.tracedPointer = blamedFree_.allocation;
  closer.probe = suspects_.front().execution.site;
  closer.tracedTime = blamedFree_.freedAt;
  RunResult traced = look(closer);
  if (preferUnsetPointer(traced) || preferOwnCall(traced))
    return true;
  blamedFree_.freedFrom = placeOfFirstArgument(traced);
  if (blamedFree_.freedFrom == 0)
    blamedFree_.freedFrom = placeInCallers(traced.traced, firstArgument(traced), closer);
  blamedFree_.isFreedTwice = isFreedTwice;
  const ResolvedCopy *copy = secondOwner(traced.copies, blamedFree_, sites_);
  const StackFrame *frame = copy ? ownFrame(copy->stack, sites_) : nullptr;
  if (!frame)
    return false;
  // Who has a block moved is its owner, and others only look into it.
  bool isMoved = !isFreedTwice && isAllocation(program_, suspects_.front().execution.site);
  Suspect owner{{*frame->site, copy->time},
                sites_.placeOf(*frame->site),
                isMoved ? "copies the pointer, which stays as it is when the memory is moved"
                        : "copies the pointer, so that the memory has two owners"};
  suspects_.insert(isMoved ? suspects_.end() : suspects_.begin(), owner);
  return true;
}

/// Before a free in a function that frees what it is handed, the call that told it to: destructors
/// are called for reasons of their own.
void SuppressionLoop::addOrderToFree() {
  if (suspects_.size() != 1 || !suspects_.front().isFree || !suspects_.front().place.isOwn())
    return;
  const Suspect &freeing = suspects_.front();
  if (!isRelease(program_, freeing.execution.site) || wrapsHeap(program_, freeing.execution.site))
    return;
  CallStack stack = lookAt(freeing.execution).traced;
  std::optional<SiteAddress> order;
  for (size_t level = 0; level < stack.size(); ++level) {
    std::optional<SiteAddress> site = stack[level].site;
    if (!site || !sites_.placeOf(*site).isOwn())
      continue;
    if (level > 0)
      order = site;
    if (sites_.placeOf(*site).function.find('~') != std::string::npos ||
        !alwaysHandsOn(program_, *site) ||
        isStillRunning(stack, level, steps_.front().failure.stack))
      break;
  }
  if (!order)
    return;
  Suspect caller = freeing;
  caller.execution.site = *order;
  caller.place = sites_.placeOf(*order);
  suspects_.insert(suspects_.begin(), caller);
}

/// What was freed may be somebody's block that a local, which was not set, pointed to by chance.
bool SuppressionLoop::preferUnsetPointer(const RunResult &freeing) {
  std::optional<UsedValue> pointer = argumentOf(freeing, 0, "the pointer that is freed");
  std::optional<SiteAddress> site =
      pointer ? sites_.find(abi::siteOfOrigin(pointer->origin)) : std::nullopt;
  if (!site || sites_.placeOf(*site).kind != SiteKind::Declare)
    return false;
  if (std::optional<Suspect> suspect = suspectOf(*pointer))
    suspects_ = {*suspect};
  return true;
}

/// A function that goes on to use what it has passed to another one, which frees it, is wrong by
/// itself, whoever else has that pointer.
bool SuppressionLoop::preferOwnCall(const RunResult &freeing) {
  const FailureReport &failure = steps_.front().failure;
  const CallStack &stack = freeing.traced;
  uint64_t block = firstArgument(freeing);
  bool isKnown = failure.place < failure.stack.size() && stack.size() < abi::kMostWriteCallers;
  if (!isKnown || block == 0 || blamedFree_.place != 0)
    return false;
  auto used = failure.stack.begin() + static_cast<ptrdiff_t>(failure.place);
  auto depth = std::count_if(used, failure.stack.end(), isOfProgram);
  auto same = std::find_if(stack.begin(), stack.end(), [&](const StackFrame &frame) {
    return frame.linkageName == used->linkageName &&
           std::count_if(&frame, stack.data() + stack.size(), isOfProgram) == depth;
  });
  std::optional<SiteAddress> site = same == stack.end() ? std::nullopt : same->site;
  if (!site || !sites_.placeOf(*site).isOwn())
    return false;
  Suspect &first = suspects_.front();
  RunResult call = lookAt({*site, first.execution.time});
  if (!isPassed(call, block))
    return false;
  first.execution.site = *site;
  first.place = sites_.placeOf(*site);
  return true;
}

/// Whether the memory was freed by the library's own code, for the statement: by a container.
bool SuppressionLoop::isFreedByLibrary(const Suspect &suspect) const {
  if (!suspect.place.isOwn())
    return !suspect.place.isImplicit;
  const SiteAddress &site = suspect.execution.site;
  return !isRelease(program_, site) && !isAllocation(program_, site);
}

/// Where a pointer was loaded from that a function was handed: by the callers that hand it on.
uint64_t SuppressionLoop::placeInCallers(const CallStack &stack, uint64_t pointer,
                                         AlteredRun closer) {
  unsigned level = 0;
  for (const StackFrame &frame : stack) {
    if (!frame.site)
      continue;
    if (level++ == 0) // the call that was handed it
      continue;
    if (level > kMostHandedOn || pointer == 0)
      break;
    closer.probe = frame.site;
    if (std::optional<uint64_t> place = placeOfArgumentWith(look(closer), pointer))
      return *place;
  }
  return 0;
}

/// Whether what a call has defined is memory, and not the pointer to it.
bool SuppressionLoop::definesMemory(const Suspect &suspect) const {
  return suspect.place.kind == SiteKind::Call && !suspect.isFree && !brokenWord_ &&
         (suspect.value != 0 || suspect.isUnset);
}

/// What an allocation defines is memory that nobody has set since.
bool SuppressionLoop::isUnsetMemory(const Suspect &suspect) const {
  return definesMemory(suspect) && isAllocation(program_, suspect.execution.site);
}

/// Whether the program works when memory that it allocates, or its locals, are zero, after a
/// failure that used what nobody has set: where every block is left so, to suppress one after the
/// other has no end, and without an object that has one member unset most of a program is left out.
bool SuppressionLoop::vanishesWithZeroes() {
  bool isLocal = suspects_.front().place.kind == SiteKind::Declare;
  if (!isLocal && !isUnsetMemory(suspects_.front()))
    return false;
  Layout zeroed = layout_ ? *layout_ : Layout();
  (isLocal ? zeroed.fill.uninitialised : zeroed.fill.fresh) = 0;
  AlteredRun other;
  other.layout = &zeroed;
  if (runs_.run(other).failure)
    return false;
  proof_ = isLocal ? "with zeroes in locals that it has not set the program does not fail"
                   : "with zeroes in memory that it allocates the program does not fail";
  return true;
}

/// What a free defines is memory that was not to be used any more.
void SuppressionLoop::nameMemory(Suspect &suspect) const {
  if (isUnsetMemory(suspect))
    suspect.why = "allocates memory that is used before it is set";
  else if (definesMemory(suspect) && isRelease(program_, suspect.execution.site))
    suspect.why = "frees memory that is still used";
}

/// Who called, by `known` if that is given. A statement in a header of the system, or that the
/// compiler has made, is the doing of the program's statement that led there.
void SuppressionLoop::placeInProgram(Suspect &suspect, const CallStack *known) {
  bool isWrapped = suspect.place.isOwn() && wrapsHeap(program_, suspect.execution.site);
  RunResult traced = lookAt(suspect.execution);
  if (traced.seen.probedInstance != 0) // declarations have no probe
    suspect.instance = traced.seen.probedInstance;
  if (suspect.place.kind == SiteKind::Store && !traced.touched.empty())
    suspect.wrote = traced.touched;
  const CallStack &stack = known ? *known : traced.traced;
  const StackFrame *frame = isWrapped ? deciding(stack) : ownFrame(stack, sites_);
  if (suspect.isFree && !suspect.place.isOwn())
    frame = behindOneLiners(stack, frame);
  const StackFrame *caller = callerOfAccess(suspect, stack);
  if (caller)
    frame = caller;
  if (frame && frame->site && (isWrapped || caller || !suspect.place.isOwn())) {
    SiteAddress site = *frame->site;
    suspect.place = sites_.placeOf(site);
    suspect.instance = lookAt({site, suspect.execution.time}).seen.probedInstance;
  }
  for (; frame && frame != stack.data() + stack.size(); ++frame)
    if (frame->site && sites_.placeOf(*frame->site).isOwn())
      suspect.calls.push_back(*frame);
}

/// A container frees memory when something is put into it or taken out. Where a function of one
/// line does nothing but that, its caller is who did it.
const StackFrame *SuppressionLoop::behindOneLiners(const CallStack &stack,
                                                   const StackFrame *frame) const {
  const StackFrame *end = stack.data() + stack.size();
  for (const StackFrame *next = frame; next && next != end; ++next) {
    std::optional<SiteAddress> site = next->site;
    if (!site || !sites_.placeOf(*site).isOwn())
      continue;
    frame = next;
    if (!sites_.isOneLiner(*site) || worksOnLocal(program_, *site))
      break;
  }
  return frame;
}

/// Of a function that does nothing but set a member of the object that it is handed, or read where
/// it is told: who handed it that. Null: it is no such one.
const StackFrame *SuppressionLoop::callerOfAccess(const Suspect &suspect,
                                                  const CallStack &stack) const {
  const SiteAddress &site = suspect.execution.site;
  bool isSetter = brokenWord_ && sites_.isOneLiner(site) && storesToHanded(program_, site);
  bool isGetter = suspect.why == kReadsBeside && readsHanded(program_, site);
  if (!suspect.place.isOwn() || !(isSetter || isGetter))
    return nullptr;
  auto isOwn = [&](const StackFrame &frame) {
    return frame.site && sites_.placeOf(*frame.site).isOwn();
  };
  auto inner = std::find_if(stack.begin(), stack.end(), isOwn);
  auto caller = inner == stack.end() ? inner : std::find_if(std::next(inner), stack.end(), isOwn);
  return caller == stack.end() ? nullptr : &*caller;
}

/// Where the program decided how much to allocate: not in a function that hands on what it is told.
const StackFrame *SuppressionLoop::deciding(const CallStack &allocation) const {
  const StackFrame *found = nullptr;
  for (const StackFrame &frame : allocation) {
    if (!frame.site || !sites_.placeOf(*frame.site).isOwn())
      continue;
    found = &frame;
    if (!handsOnParameters(program_, *frame.site))
      break;
  }
  return found;
}

} // namespace culprit

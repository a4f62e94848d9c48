// See suppression_loop.h: what made a value wrong that a failure used, where that is not who
// defined it.
#include "analysis/locate/suppression_loop.h"

#include "analysis/locate/loops.h"
#include "analysis/locate/member_arrays.h"
#include "analysis/locate/moved_pointers.h"
#include "analysis/locate/values_behind.h"
#include "analysis/locate/wrappers.h"
#include "compiler/suppress/probes.h"

#include <csignal>

namespace culprit {
namespace {

/// How many are followed from a value to memory that was not set.
constexpr unsigned kMostUnset = 3;
/// Of mmap().
constexpr unsigned kLengthArgument = 1;

} // namespace

/// Replaces a value by what made it wrong, where that is known, and says where it was loaded from.
void SuppressionLoop::lookBehind(UsedValue &value, const RunResult &failed) {
  if (isUnsetPointer(value))
    value = {value.pointerOrigin, value.value, "defines the pointer that is followed"};
  std::optional<UsedValue> behind = value.isFree ? std::nullopt : misuse(value, failed);
  if (!behind && !value.isFree && isSignal(failed.howItFailed(), SIGBUS))
    behind = sizeOfMapping(failed);
  if (!behind && !value.isFree && isSignal(failed.howItFailed(), SIGSEGV)) {
    if (auto source = wrongSource(value, failed))
      value = *source;
    behind = boundOfLoop(value);
  }
  if (behind)
    value = *behind;
  if (value.isFree && value.place == 0)
    value.place = placeInCallers(failed.howItFailed().stack, value.value, altered());
}

/// Whether a pointer to memory that was freed is what a local held by chance that was not set.
bool SuppressionLoop::isUnsetPointer(const UsedValue &value) const {
  std::optional<SiteAddress> site =
      value.isFree ? sites_.find(abi::siteOfOrigin(value.pointerOrigin)) : std::nullopt;
  return site && sites_.placeOf(*site).kind == SiteKind::Declare;
}

/// A function may hand out a place in memory, as a container's operator[] does, that is computed
/// from a pointer that leads nowhere, or by an index that is out of range: then that is what was
/// wrong.
std::optional<UsedValue> SuppressionLoop::wrongSource(UsedValue pointer, const RunResult &failed) {
  const abi::ProbedOperand *address = operand(failed.seen, kProbedAddress);
  std::optional<UsedValue> source;
  if (address && failed.readable.contains(address->value))
    return source;
  for (unsigned i = 0; i < kMostDerived; ++i) {
    std::optional<SiteAddress> site = sites_.find(abi::siteOfOrigin(pointer.origin));
    if (!site || sites_.placeOf(*site).kind != SiteKind::Compute)
      break;
    RunResult probed = lookAt({*site, abi::timeOfOrigin(pointer.origin)});
    if (movedPointer(program_, *site, probed) != pointer.value)
      break;
    std::optional<UsedValue> from = comparedIn(probed, 0, "the pointer that is followed");
    bool isGood = from && probed.readable.contains(from->value);
    if (isGood) {
      from = comparedIn(probed, 1, "");
      if (from)
        from->why = kOutOfRange;
    }
    if (!from || abi::siteOfOrigin(from->origin) == 0)
      break;
    source = pointer = *from;
    if (isGood)
      break;
  }
  return source;
}

/// Whether an altered run has used what nobody has set, or what was computed from that: a statement
/// that it has skipped, or a function called there, might have.
bool SuppressionLoop::isLeftUnset(UsedValue value, const RunResult &failed) {
  if (points_.empty() || way_ != abi::Way::Past || value.isFree || failed.seen.skippedCount == 0)
    return false;
  const std::set<uint64_t> *readable = &failed.readable;
  RunResult behind;
  for (unsigned i = 0; i < kMostUnset; ++i) {
    std::optional<SiteAddress> site = sites_.find(abi::siteOfOrigin(value.origin));
    if (!site)
      return false;
    SiteKind kind = sites_.placeOf(*site).kind;
    if (kind == SiteKind::Declare ||
        (leavesUnset(program_, *site) && !readable->contains(value.value)))
      return true;
    if (kind != SiteKind::Compute)
      return false;
    behind = lookAt({*site, abi::timeOfOrigin(value.origin)});
    std::optional<UsedValue> source = comparedIn(behind, 0, "");
    if (!source)
      return false;
    value = *source;
    readable = &behind.readable;
  }
  return false;
}

/// Memory on the way to the failure that was not to be used, as far as that is known.
std::optional<UsedValue> SuppressionLoop::misuse(const UsedValue &value, const RunResult &failed) {
  const FailureReport &failure = failed.howItFailed();
  if (failure.kind == abi::FailureKind::Signal)
    if (auto pointer = staleLocal(failed, failure.stack))
      return pointer;
  ProbedProgram program = probedProgram();
  if (isDecided(failure) || value.why == kOutOfRange)
    return misuseBehind(failed, program);
  return std::nullopt;
}

ProbedProgram SuppressionLoop::probedProgram() {
  return {sites_, program_, [&](AlteredRun again) {
            again.points = points_;
            return look(std::move(again));
          }};
}

/// A pointer that a probed statement follows, to a local of a function that has returned.
std::optional<UsedValue> SuppressionLoop::staleLocal(const RunResult &probed,
                                                     const CallStack &stack) {
  for (const UsedValue &pointer : pointersToLocals(probed))
    if (isStaleLocal(pointer, stack, probedProgram()))
      return pointer;
  return std::nullopt;
}

/// Of an index or pointer that a loop steps on: what says how far the loop goes.
std::optional<UsedValue> SuppressionLoop::boundOfLoop(const UsedValue &index) {
  std::optional<SiteAddress> step = sites_.find(abi::siteOfOrigin(index.origin));
  if (!step || sites_.placeOf(*step).kind != SiteKind::Compute)
    return std::nullopt;
  std::optional<LoopEnd> end = endOfLoop(program_, *step);
  if (!end)
    return std::nullopt;
  AlteredRun closer = altered();
  closer.probe = end->branch;
  std::optional<UsedValue> bound =
      comparedIn(look(closer), end->operand, "how far a loop goes that runs out of memory");
  bool isDefined = bound && abi::siteOfOrigin(bound->origin) != 0 &&
                   (bound->origin & (abi::kOriginStale | abi::kOriginCorrupt)) == 0;
  return isDefined ? bound : std::nullopt;
}

/// Of memory that is mapped but not there, as a file has ended: what says how much is mapped.
std::optional<UsedValue> SuppressionLoop::sizeOfMapping(const RunResult &failed) {
  std::optional<UsedValue> pointer = baseOfAccess(failed);
  for (unsigned i = 0; pointer && i < kMostDerived; ++i) {
    std::optional<SiteAddress> site = sites_.find(abi::siteOfOrigin(pointer->origin));
    if (!site)
      return std::nullopt;
    Execution execution{*site, abi::timeOfOrigin(pointer->origin)};
    if (sites_.placeOf(*site).kind == SiteKind::Compute) {
      pointer = sourceOfPointer(lookAt(execution));
      continue;
    }
    if (calledName(program_, *site) != "mmap" && calledName(program_, *site) != "mmap64")
      return std::nullopt;
    std::optional<UsedValue> length =
        argumentOf(lookAt(execution), kLengthArgument, "how much of a file is mapped");
    if (length && abi::siteOfOrigin(length->origin) != 0)
      return length;
    return UsedValue{pointer->origin, pointer->value, "maps more of a file than there is"};
  }
  return std::nullopt;
}

/// What a value, or what that was computed from, was run over by.
std::optional<Suspect> SuppressionLoop::overrunBehind(const UsedValue &value) {
  std::optional<SiteAddress> site = sites_.find(abi::siteOfOrigin(value.origin));
  SiteKind kind = site ? sites_.placeOf(*site).kind : SiteKind::Declare;
  bool isCopied = (value.origin & abi::kOriginCopied) != 0;
  if (value.isFree)
    return std::nullopt;
  if (isCopied || kind == SiteKind::Call) // a part of what was returned may have been run over
    if (auto overrun = overrunOfMember(value))
      return overrun;
  if (!site || kind != SiteKind::Compute)
    return std::nullopt;
  RunResult probed = lookAt({*site, abi::timeOfOrigin(value.origin)});
  for (unsigned i = 0; i < kMostOperandWays; ++i)
    if (auto operand = comparedIn(probed, i, ""))
      if ((operand->origin & abi::kOriginCopied) != 0)
        if (auto overrun = overrunOfMember(*operand))
          return overrun;
  return std::nullopt;
}

/// What was stored may have been too long for the array in front of where it was loaded from: by
/// whom, if that is so.
std::optional<Suspect> SuppressionLoop::overrunOfMember(const UsedValue &value) {
  if (value.place == 0)
    return std::nullopt;
  AlteredRun closer = altered();
  closer.watched = value.place;
  RunResult watched = look(closer);
  if (watched.writes.empty() || !leavesMember(watched.writes.back(), value.place))
    return std::nullopt;
  std::optional<SiteAddress> site = programSite(watched.writes.back().stack);
  if (!site)
    return std::nullopt;
  uint64_t time = 0;
  for (auto write = watched.writes.rbegin(); write != watched.writes.rend(); ++write) {
    if (programSite(write->stack) != site)
      break;
    time = write->time;
  }
  Suspect suspect = runningOver(*site, time, value.place);
  suspect.leavesMember = true;
  return suspect;
}

/// Whether it went through a pointer into an array member that `place` is not in: the statement's
/// own, or what its callers handed to it.
bool SuppressionLoop::leavesMember(const ResolvedWrite &write, uint64_t place) {
  unsigned level = 0;
  uint64_t base = place;
  for (const StackFrame &frame : write.stack) {
    if (!frame.site)
      continue;
    if (level > kMostHandedOn)
      break;
    std::vector<IntoMember> members = membersAt(program_, *frame.site);
    AlteredRun closer = altered();
    closer.probe = frame.site;
    closer.tracedTime = level == 0 ? write.time : 0;
    RunResult probed;
    if (level == 0 || !members.empty())
      probed = look(closer);
    for (const IntoMember &member : members)
      if (isOutside(member, probed, place, base))
        return true;
    if (level++ == 0)
      if (std::optional<UsedValue> start = baseOfAccess(probed))
        base = start->value;
  }
  return false;
}

/// A value that was written over byte by byte, by several statements: the first of these, since
/// something else was stored there. Nothing: one statement has written all of it.
std::optional<Suspect> SuppressionLoop::firstOfSeveral(const UsedValue &value) {
  std::optional<SiteAddress> last = sites_.find(abi::siteOfOrigin(value.origin));
  bool isPart = last && !value.isFree && value.place != 0 && value.value > 0xff &&
                sites_.placeOf(*last).kind == SiteKind::Store && bytesStored(program_, *last) == 1;
  if (!isPart)
    return std::nullopt;
  AlteredRun closer = altered();
  closer.watched = value.place;
  const ResolvedWrite *first = nullptr;
  RunResult watched = look(closer);
  for (const ResolvedWrite &write : watched.writes) {
    const StackFrame *frame = programFrame(write.stack);
    bool isByte = frame && (*frame->site == *last || bytesStored(program_, *frame->site) == 1);
    if (!isByte)
      first = nullptr;
    else if (!first)
      first = &write;
  }
  const StackFrame *frame = first ? programFrame(first->stack) : nullptr;
  if (!frame || *frame->site == *last)
    return std::nullopt;
  add({*last, abi::timeOfOrigin(value.origin)});
  return Suspect{{*frame->site, first->time, value.place, value.place + sizeof value.value},
                 sites_.placeOf(*frame->site),
                 value.why};
}

/// Whether `delete` was given what `new[]` returned: the block begins before it, with the number of
/// objects.
bool SuppressionLoop::isDeletedAsOne(const RunResult &failed) const {
  std::optional<UsedValue> block = failed.howItFailed().kind == abi::FailureKind::WildFree
                                       ? argumentOf(failed, 0, "")
                                       : std::nullopt;
  std::optional<SiteAddress> made =
      block ? sites_.find(abi::siteOfOrigin(block->origin)) : std::nullopt;
  std::optional<SiteAddress> freed = sites_.find(failed.seen.probedSite);
  return made && freed && calledName(program_, *freed).starts_with("_ZdlPv") &&
         isBehindCookie(program_, *made);
}

} // namespace culprit

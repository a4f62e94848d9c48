// See used_values.h.
#include "analysis/locate/used_values.h"

#include "abi/memory_map.h"
#include "compiler/suppress/probes.h"

#include <csignal>

namespace culprit {

const abi::ProbedOperand *operand(const abi::SuppressionRecord &seen, uint64_t number) {
  for (uint32_t i = 0; i < seen.operandCount; ++i)
    if (seen.operands[i].number == number)
      return &seen.operands[i];
  return nullptr;
}

namespace {

/// The branch that led to a call that ends the program: in its function, or in a caller.
std::optional<SiteAddress> decisionFor(const FailureReport &failure, const ProgramSites &sites) {
  // What throws for the program, as vector::at() does, is in front of where it is reported.
  bool isThrown = failure.kind == abi::FailureKind::UncaughtException;
  for (size_t i = isThrown ? 0 : failure.place; i < failure.stack.size(); ++i)
    if (failure.stack[i].site)
      if (auto decision = sites.decisionBefore(*failure.stack[i].site))
        return decision;
  return std::nullopt;
}

UsedValue used(const abi::ProbedOperand &found, const char *what,
               const abi::ProbedOperand *place = nullptr) {
  UsedValue value{found.origin, found.value, std::string("defines ") + what};
  if (place) {
    value.place = place->value;
    value.isUnset =
        place->allocation != 0 && place->allocation == (found.origin & ~abi::kOriginFlags);
  }
  return value;
}

UsedValue outOfRange(const abi::ProbedOperand &index, const abi::ProbedOperand *place) {
  UsedValue value = used(index, "", place);
  value.why = kOutOfRange;
  return value;
}

const abi::ProbedOperand *placeOfArgument(const abi::SuppressionRecord &seen, uint64_t index) {
  return index < kMostArgumentPlaces ? operand(seen, kProbedArgumentPlace + index) : nullptr;
}

UsedValue freed(const abi::SuppressionRecord &seen, const abi::ProbedOperand &pointer,
                const char *why) {
  bool isArgument = pointer.number >= kProbedArgument;
  const abi::ProbedOperand *place = isArgument
                                        ? placeOfArgument(seen, pointer.number - kProbedArgument)
                                        : operand(seen, kProbedPlace);
  return {pointer.freed, pointer.value, why, true, pointer.allocation, place ? place->value : 0,
          false,         pointer.origin};
}

/// Whether a pointer to a freed block is the one that its allocation returned. Another one was made
/// by who defined it.
bool isTheBlocksOwn(const abi::ProbedOperand &pointer) {
  return pointer.freed != 0 && pointer.allocation == (pointer.origin & ~abi::kOriginFlags);
}

/// How far from the begin of an object an access to it may be.
constexpr uint64_t kNear = 1 << 16;

constexpr char kFreesUsed[] = "frees memory that is still used";

/// A pointer on the way to the failed access that points to what was freed.
std::optional<UsedValue> dangling(const abi::SuppressionRecord &seen) {
  // What was loaded from freed memory tells who freed it; the pointer to that, which block it was.
  const abi::ProbedOperand *found = nullptr;
  for (uint64_t number : {kProbedBase, kProbedWay, kProbedWay + 1, kProbedWay + 2, kProbedWay + 3})
    if (const auto *pointer = operand(seen, number); pointer && pointer->freed != 0)
      if (!found || (found->allocation == 0 && pointer->freed == found->freed))
        found = pointer;
  if (found)
    return freed(seen, *found, kFreesUsed);
  for (uint32_t i = 0; i < seen.operandCount; ++i) {
    const abi::ProbedOperand &argument = seen.operands[i];
    bool isFreed = argument.number >= kProbedArgument && argument.freed != 0;
    if (isFreed && (!found || (found->allocation == 0 && argument.allocation != 0)))
      found = &argument;
  }
  return found ? std::optional(freed(seen, *found, kFreesUsed)) : std::nullopt;
}

uint64_t distanceOf(const abi::ProbedOperand &pointer, uint64_t address) {
  return pointer.value > address ? pointer.value - address : address - pointer.value;
}

/// Which argument of a call leads to the address that could not be accessed.
const abi::ProbedOperand *argumentNear(const abi::SuppressionRecord &seen, uint64_t address) {
  const abi::ProbedOperand *best = nullptr;
  uint64_t distance = ~uint64_t{0};
  for (uint32_t i = 0; i < seen.operandCount; ++i) {
    const abi::ProbedOperand &found = seen.operands[i];
    if (found.number < kProbedArgument)
      continue;
    if (distanceOf(found, address) < distance) {
      distance = distanceOf(found, address);
      best = &found;
    }
  }
  return best;
}

/// An access to memory that was freed, through a pointer that somebody computed or that is not
/// known: a library may have made it.
std::optional<UsedValue> accessToFreed(const RunResult &run) {
  const abi::SuppressionRecord &seen = run.seen;
  if (seen.accessFreed == 0)
    return std::nullopt;
  uint64_t address = run.howItFailed().address.value_or(0);
  const abi::ProbedOperand *place = operand(seen, kProbedPlace);
  const abi::ProbedOperand *base = operand(seen, kProbedBase);
  const abi::ProbedOperand *pointer = base ? base : argumentNear(seen, address);
  return UsedValue{seen.accessFreed,
                   address,
                   kFreesUsed,
                   true,
                   seen.accessAllocation,
                   place ? place->value : 0,
                   false,
                   pointer ? pointer->origin : 0};
}

/// What is below is no object's: a null pointer with an offset.
constexpr uint64_t kFirstAddress = 4096;

std::optional<UsedValue> usedByAccess(const RunResult &run) {
  const abi::SuppressionRecord &seen = run.seen;
  const abi::ProbedOperand *base = operand(seen, kProbedBase);
  const abi::ProbedOperand *index = operand(seen, kProbedIndex);
  const abi::ProbedOperand *place = operand(seen, kProbedPlace);
  if (auto found = dangling(seen))
    return found;
  if (auto found = accessToFreed(run))
    return found;
  if (const abi::ProbedOperand *callee = operand(seen, kProbedCallee))
    return used(*callee, "the function pointer that is called", place);
  if (!base) {
    uint64_t failing = run.howItFailed().address.value_or(0);
    const abi::ProbedOperand *argument = argumentNear(seen, failing);
    bool isNear = argument && distanceOf(*argument, failing) < kNear;
    if (!isNear && seen.held.value != 0) {
      UsedValue held = used(seen.held, "the pointer that is followed");
      held.place = seen.heldPlace;
      return held;
    }
    if (argument)
      return used(*argument, "the pointer that is passed",
                  placeOfArgument(seen, argument->number - kProbedArgument));
  }
  // Memory that is there, but must not be written, or is not aligned for the access.
  const abi::ProbedOperand *address = operand(seen, kProbedAddress);
  if (base && address && run.readable.contains(address->value))
    return used(*base, "the pointer that is followed", place);
  bool isKnown = base && base->origin != 0;
  bool isBaseGood =
      base && (run.readable.contains(base->value) || (!isKnown && base->value >= kFirstAddress));
  if (index && isBaseGood)
    return outOfRange(*index, operand(seen, kProbedOperandPlace));
  return base ? std::optional(used(*base, "the pointer that is followed", place)) : std::nullopt;
}

/// What is freed is the argument, or something that the object there held.
std::optional<UsedValue> usedByFree(const RunResult &run) {
  constexpr char kFreesFirst[] = "frees the block for the first time";
  constexpr char kFreed[] = "the pointer that is freed";
  const abi::SuppressionRecord &seen = run.seen;
  const abi::ProbedOperand *block = operand(seen, kProbedArgument);
  if (block && isTheBlocksOwn(*block))
    return freed(seen, *block, kFreesFirst);
  if (block && block->value == run.howItFailed().address.value_or(block->value))
    return used(*block, kFreed, placeOfArgument(seen, 0));
  if (seen.held.value == 0)
    return std::nullopt;
  UsedValue held =
      isTheBlocksOwn(seen.held) ? freed(seen, seen.held, kFreesFirst) : used(seen.held, kFreed);
  held.place = seen.heldPlace;
  return held;
}

std::optional<UsedValue> usedByDecision(const RunResult &run) {
  return comparedIn(run, 0, "the value that was tested");
}

} // namespace

std::optional<UsedValue> baseOfAccess(const RunResult &probed) {
  const abi::ProbedOperand *base = operand(probed.seen, kProbedBase);
  return base ? std::optional(used(*base, "the pointer that is followed")) : std::nullopt;
}

std::vector<UsedValue> pointersToLocals(const RunResult &probed) {
  constexpr uint64_t kEnd = abi::kThreadSlots + abi::kMostThreads * abi::kThreadSlotSize;
  std::vector<UsedValue> pointers;
  auto add = [&](const abi::ProbedOperand &pointer) {
    if (pointer.value >= abi::kThreadSlots && pointer.value < kEnd)
      pointers.push_back({pointer.origin, pointer.value, kHandsOutLocal});
  };
  for (uint64_t number : {kProbedBase, kProbedWay, kProbedWay + 1, kProbedWay + 2, kProbedWay + 3})
    if (const auto *pointer = operand(probed.seen, number))
      add(*pointer);
  for (uint32_t i = 0; i < probed.seen.operandCount; ++i)
    if (probed.seen.operands[i].number >= kProbedArgument)
      add(probed.seen.operands[i]);
  return pointers;
}

std::optional<UsedValue> sourceOfPointer(const RunResult &probed) {
  const abi::ProbedOperand *source = operand(probed.seen, kProbedIndex);
  if (source && source->freed != 0)
    return freed(probed.seen, *source, kFreesUsed);
  bool isPointer = source && probed.readable.contains(source->value);
  return isPointer ? std::optional(used(*source, "the pointer that is followed")) : std::nullopt;
}

std::optional<UsedValue> argumentOf(const RunResult &probed, unsigned index, const char *what) {
  const abi::ProbedOperand *found = operand(probed.seen, kProbedArgument + index);
  return found ? std::optional(used(*found, what)) : std::nullopt;
}

std::optional<UsedValue> comparedIn(const RunResult &probed, unsigned index, const char *what) {
  const abi::ProbedOperand *found = operand(probed.seen, kProbedIndex + index);
  const abi::ProbedOperand *place = operand(probed.seen, kProbedOperandPlace + index);
  return found ? std::optional(used(*found, what, place)) : std::nullopt;
}

uint64_t placeOfBase(const RunResult &probed) {
  const abi::ProbedOperand *place = operand(probed.seen, kProbedPlace);
  return place ? place->value : 0;
}

uint64_t placeOfFirstArgument(const RunResult &probed) {
  const abi::ProbedOperand *place = placeOfArgument(probed.seen, 0);
  return place ? place->value : 0;
}

uint64_t firstArgument(const RunResult &probed) {
  const abi::ProbedOperand *found = operand(probed.seen, kProbedArgument);
  return found ? found->value : 0;
}

bool isPassed(const RunResult &probed, uint64_t value) {
  for (uint32_t i = 0; i < probed.seen.operandCount; ++i)
    if (probed.seen.operands[i].number >= kProbedArgument && probed.seen.operands[i].value == value)
      return true;
  return false;
}

std::optional<uint64_t> placeOfArgumentWith(const RunResult &probed, uint64_t value) {
  for (uint64_t i = 0; i < kMostArgumentPlaces; ++i)
    if (const auto *found = operand(probed.seen, kProbedArgument + i);
        found && found->value == value)
      if (const auto *place = placeOfArgument(probed.seen, i))
        return place->value;
  return std::nullopt;
}

std::optional<UsedValue> danglingIn(const RunResult &probed) {
  return dangling(probed.seen);
}

ProbePlan planProbe(const FailureReport &failure, const ProgramSites &sites) {
  using Kind = abi::FailureKind;
  switch (failure.kind) {
  case Kind::StackExhausted:
  case Kind::OutOfMemory:
  case Kind::Deadlock:
    return {{}, "the failure is no memory corruption"};
  case Kind::Timeout:
    return {{},
            "that the program does not end is no memory corruption; if it is only slow, give it "
            "more time with --timeout"};
  case Kind::Abort:
  case Kind::FailedAssert:
  case Kind::UncaughtException:
  case Kind::Terminate:
  case Kind::Exit:
    if (auto decision = decisionFor(failure, sites))
      return {decision, {}};
    if (failure.kind == Kind::Exit && failure.place >= failure.stack.size())
      return {{},
              "the program returned from main, which does not tell what it noticed; it has to "
              "call exit() or abort() where it does"};
    return {{}, "nothing in the program decides whether it ends here"};
  default:
    break;
  }
  bool isOwnCheck =
      failure.kind == Kind::Signal && (failure.signal == SIGILL || failure.signal == SIGTRAP);
  if (auto decision = isOwnCheck ? decisionFor(failure, sites) : std::nullopt)
    return {decision, {}};
  if (failure.place < failure.stack.size() && failure.stack[failure.place].site)
    return {failure.stack[failure.place].site, {}};
  return {{}, "the failing statement is not known"};
}

bool isAboutArgument(const RunResult &probed) {
  const FailureReport &failure = probed.howItFailed();
  uint64_t address = failure.address.value_or(0);
  const abi::ProbedOperand *near = argumentNear(probed.seen, address);
  bool isFree =
      failure.kind == abi::FailureKind::DoubleFree || failure.kind == abi::FailureKind::WildFree;
  return dangling(probed.seen) || (near && distanceOf(*near, address) < (isFree ? 1 : kNear));
}

std::optional<UsedValue> usedValue(const RunResult &probed) {
  if (!probed.failure)
    return std::nullopt;
  if (probed.seen.operandCount == 0)
    return accessToFreed(probed);
  const abi::SuppressionRecord &seen = probed.seen;
  using Kind = abi::FailureKind;
  switch (probed.howItFailed().kind) {
  case Kind::DoubleFree:
  case Kind::WildFree:
    return usedByFree(probed);
  case Kind::Signal:
    if (probed.howItFailed().signal == SIGILL || probed.howItFailed().signal == SIGTRAP)
      return usedByDecision(probed);
    if (probed.howItFailed().signal == SIGFPE)
      if (const auto *divisor = operand(seen, kProbedIndex + 1))
        return used(*divisor, "the divisor");
    return usedByAccess(probed);
  default:
    return usedByDecision(probed);
  }
}

} // namespace culprit

// See values_behind.h.
#include "analysis/locate/values_behind.h"

#include "abi/memory_map.h"
#include "analysis/locate/wrappers.h"
#include "compiler/suppress/probes.h"

#include <algorithm>

namespace culprit {
namespace {

constexpr unsigned kMostRuns = 6;

bool isOperand(const abi::ProbedOperand &operand) {
  return operand.number >= kProbedIndex && operand.number < kProbedOperandWay;
}

/// Whether something was read through it, or is handed to a function that reads there.
bool isWay(const abi::ProbedOperand &operand) {
  return operand.number >= kProbedOperandWay &&
         (operand.number < kProbedOperandPlace || operand.number >= kProbedArgument);
}

bool isByte(uint64_t value) {
  return value + 0x80 < 0x180;
}

/// Whether all calls are known: a library's code may keep no frame pointers, by which some are
/// found.
bool isWhole(const CallStack &stack) {
  return stack.size() < abi::kMostWriteCallers && std::any_of(
                                                      stack.begin(), stack.end(),
                                                      [](const StackFrame &frame) {
                                                        return frame.linkageName == "main" ||
                                                               frame.function == "_start";
                                                      });
}

class Search {
public:
  explicit Search(const ProbedProgram &program) : program_(program) {}

  std::optional<UsedValue> run(const RunResult &first) {
    if (auto found = misuseIn(first, first.howItFailed().stack))
      return found;
    takeOperands(first);
    unsigned runs = 0;
    for (size_t i = 0; i < origins_.size() && runs < kMostRuns; ++i) {
      std::optional<SiteAddress> site = program_.sites.find(abi::siteOfOrigin(origins_[i]));
      SiteKind kind = site ? program_.sites.placeOf(*site).kind : SiteKind::Declare;
      if (kind != SiteKind::Compute && kind != SiteKind::Call)
        continue;
      AlteredRun closer;
      closer.probe = site;
      closer.tracedTime = abi::timeOfOrigin(origins_[i]);
      ++runs;
      RunResult probed = program_.look(closer);
      if (probed.seen.probedTime != closer.tracedTime)
        continue;
      if (auto found = misuseIn(probed, probed.traced))
        return found;
      takeOperands(probed);
    }
    return std::nullopt;
  }

private:
  std::optional<UsedValue> misuseIn(const RunResult &probed, const CallStack &stack) const {
    for (uint32_t i = 0; i < probed.seen.operandCount; ++i) {
      const abi::ProbedOperand &operand = probed.seen.operands[i];
      if (isWay(operand) && operand.freed != 0)
        return UsedValue{operand.freed, operand.value, "frees memory that is still used", true,
                         operand.allocation};
      UsedValue pointer{operand.origin, operand.value, kHandsOutLocal};
      if (isWay(operand) && isStaleLocal(pointer, stack, program_))
        return pointer;
      if (isOperand(operand) && isUnset(operand.origin, operand.value, probed))
        return unset(operand.origin, operand.value);
    }
    return unsetInput(probed);
  }

  /// In what a probed call was given to read.
  std::optional<UsedValue> unsetInput(const RunResult &probed) const {
    std::optional<SiteAddress> site = program_.sites.find(probed.seen.probedSite);
    if (!site || probed.seen.reachedCount == 0)
      return std::nullopt;
    for (unsigned argument : argumentsThatAreRead(program_.program, *site))
      for (uint32_t i = 0; i < probed.seen.reachedCount; ++i)
        if (const abi::ReachedOrigin &byte = probed.seen.reached[i];
            byte.number == kProbedArgument + argument && isUnset(byte.origin, 0, probed))
          return unset(byte.origin, 0);
    return std::nullopt;
  }

  static UsedValue unset(uint64_t origin, uint64_t value) {
    return {origin, value, "defines a value that was computed with"};
  }

  /// Whether it was read from where nothing had been stored since that was allocated or declared.
  bool isUnset(uint64_t origin, uint64_t value, const RunResult &probed) const {
    std::optional<SiteAddress> site = program_.sites.find(abi::siteOfOrigin(origin));
    if (!site)
      return false;
    if (program_.sites.placeOf(*site).kind == SiteKind::Declare)
      return true;
    bool isPointer = probed.readable.contains(value) || // that the allocation has returned
                     ((origin & abi::kOriginCopied) != 0 && isByte(value)); // or some of it
    return !isPointer && leavesUnset(program_.program, *site);
  }

  void takeOperands(const RunResult &probed) {
    for (uint32_t i = 0; i < probed.seen.operandCount; ++i) {
      const abi::ProbedOperand &operand = probed.seen.operands[i];
      bool isValue = isOperand(operand) || (operand.number >= kProbedArgument &&
                                            !probed.readable.contains(operand.value));
      uint64_t origin = operand.origin & ~abi::kOriginFlags;
      if (isValue && std::find(origins_.begin(), origins_.end(), origin) == origins_.end())
        origins_.push_back(origin);
    }
  }

  const ProbedProgram &program_;
  std::vector<uint64_t> origins_; ///< of what was used, the nearest first
};

} // namespace

bool isStaleLocal(const UsedValue &pointer, const CallStack &stack, const ProbedProgram &program) {
  constexpr uint64_t kEnd = abi::kThreadSlots + abi::kMostThreads * abi::kThreadSlotSize;
  if (pointer.value < abi::kThreadSlots || pointer.value >= kEnd || !isWhole(stack))
    return false;
  std::optional<SiteAddress> site = program.sites.find(abi::siteOfOrigin(pointer.origin));
  if (!site || !handsOutLocal(program.program, *site))
    return false;
  std::string function = program.sites.placeOf(*site).function;
  return std::none_of(stack.begin(), stack.end(),
                      [&](const StackFrame &frame) { return frame.linkageName == function; });
}

std::optional<UsedValue> misuseBehind(const RunResult &probed, const ProbedProgram &program) {
  return Search(program).run(probed);
}

} // namespace culprit

// See unset_values.h.
#include "analysis/locate/unset_values.h"

#include "analysis/locate/wrappers.h"
#include "compiler/suppress/probes.h"

namespace culprit {
namespace {

constexpr unsigned kMostRuns = 4;

/// The operands of a probed computation that something has defined.
std::vector<abi::ProbedOperand> definedOperands(const RunResult &probed) {
  std::vector<abi::ProbedOperand> operands;
  for (uint32_t i = 0; i < probed.seen.operandCount; ++i)
    if (const abi::ProbedOperand &operand = probed.seen.operands[i];
        operand.number >= kProbedIndex && operand.number < kProbedArgument &&
        abi::siteOfOrigin(operand.origin) != 0)
      operands.push_back(operand);
  return operands;
}

/// Whether it was read from where nothing had been stored since that was allocated or declared.
bool isUnset(const abi::ProbedOperand &operand, const RunResult &probed, const ProgramSites &sites,
             const Program &program) {
  std::optional<SiteAddress> site = sites.find(abi::siteOfOrigin(operand.origin));
  if (!site)
    return false;
  if (sites.placeOf(*site).kind == SiteKind::Declare)
    return true;
  bool isPointer = probed.readable.contains(operand.value); // that the allocation has returned
  return !isPointer && isAllocation(program, *site);
}

} // namespace

std::optional<UsedValue> unsetBehind(const UsedValue &computed, const ProgramSites &sites,
                                     const Program &program,
                                     const std::function<RunResult(AlteredRun)> &look) {
  std::vector<uint64_t> origins = {computed.origin};
  unsigned runs = 0;
  for (size_t i = 0; i < origins.size() && runs < kMostRuns; ++i) {
    std::optional<SiteAddress> site = sites.find(abi::siteOfOrigin(origins[i]));
    if (!site || sites.placeOf(*site).kind != SiteKind::Compute)
      continue;
    AlteredRun closer;
    closer.probe = site;
    closer.tracedTime = abi::timeOfOrigin(origins[i]);
    ++runs;
    RunResult probed = look(closer);
    for (const abi::ProbedOperand &operand : definedOperands(probed)) {
      if (isUnset(operand, probed, sites, program))
        return UsedValue{operand.origin, operand.value, "defines a value that was computed with"};
      origins.push_back(operand.origin);
    }
  }
  return std::nullopt;
}

} // namespace culprit

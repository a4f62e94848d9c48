// See moved_pointers.h. Read from the stored bitcode.
#include "analysis/locate/moved_pointers.h"

#include "analysis/locate/site_instruction.h"
#include "analysis/locate/used_values.h"
#include "compiler/suppress/probes.h"

#include <llvm/IR/Operator.h>

namespace culprit {
using namespace llvm;

namespace {

/// The sum of what is added to the pointer; nothing: some of it is not known.
std::optional<uint64_t> offsetOf(const GetElementPtrInst &step, const RunResult &probed) {
  const DataLayout &data = step.getModule()->getDataLayout();
  MapVector<Value *, APInt> scales;
  unsigned bits = data.getIndexTypeSizeInBits(step.getType());
  APInt constant(bits, 0);
  if (!cast<GEPOperator>(step).collectOffset(data, bits, scales, constant))
    return std::nullopt;
  auto offset = static_cast<uint64_t>(constant.getSExtValue());
  for (const auto &[index, scale] : scales) {
    auto use = find(step.operands(), index);
    const abi::ProbedOperand *added =
        operand(probed.seen, kProbedIndex + static_cast<uint64_t>(use - step.op_begin()));
    if (!added)
      return std::nullopt;
    offset += added->value * static_cast<uint64_t>(scale.getSExtValue());
  }
  return offset;
}

} // namespace

std::optional<uint64_t> movedPointer(const Program &program, const SiteAddress &site,
                                     const RunResult &probed) {
  return answerAtInstruction(program, site, [&](Instruction &instruction) {
    auto *step = dyn_cast<GetElementPtrInst>(&instruction);
    const abi::ProbedOperand *base = operand(probed.seen, kProbedIndex);
    std::optional<uint64_t> offset = step && base ? offsetOf(*step, probed) : std::nullopt;
    return offset ? std::optional(base->value + *offset) : std::nullopt;
  });
}

} // namespace culprit

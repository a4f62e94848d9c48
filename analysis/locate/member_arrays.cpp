// See member_arrays.h.
#include "analysis/locate/member_arrays.h"

#include "analysis/locate/site_instruction.h"
#include "analysis/locate/used_values.h"
#include "compiler/suppress/probes.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace culprit {
using namespace llvm;

namespace {

/// The size of the array member that the step leads to; 0: it leads to something else, or the
/// member is the last one.
uint64_t sizeOfMember(const GEPOperator &step, const DataLayout &data) {
  auto *array = dyn_cast<ArrayType>(step.getResultElementType());
  if (!array || step.getNumIndices() < 2)
    return 0;
  auto *last = dyn_cast<ConstantInt>(step.getOperand(step.getNumOperands() - 1));
  SmallVector<Value *, 4> outer(step.idx_begin(), std::prev(step.idx_end()));
  auto *holder = dyn_cast_or_null<StructType>(
      GetElementPtrInst::getIndexedType(step.getSourceElementType(), outer));
  if (!last || !holder || last->getZExtValue() + 1 == holder->getNumElements())
    return 0;
  return data.getTypeAllocSize(array);
}

/// How `pointer` is computed from an array member; a size of 0: it is not.
IntoMember intoMember(const Value *pointer, const DataLayout &data) {
  IntoMember result;
  unsigned bits = data.getIndexTypeSizeInBits(pointer->getType());
  while (auto *step = dyn_cast<GEPOperator>(pointer)) {
    if (uint64_t size = sizeOfMember(*step, data)) {
      result.size = size;
      break;
    }
    MapVector<Value *, APInt> variable;
    APInt constant(bits, 0);
    if (!step->collectOffset(data, bits, variable, constant))
      break;
    result.offset += constant.getSExtValue();
    for (auto &part : variable)
      result.scales.push_back(part.second.getSExtValue());
    pointer = step->getPointerOperand();
  }
  return result;
}

/// Whether no other argument is nearer in front of `base`.
bool isNearest(uint64_t number, const RunResult &probed, uint64_t base) {
  const abi::ProbedOperand *found = operand(probed.seen, number);
  uint64_t pointer = found ? found->value : 0;
  for (uint32_t i = 0; i < probed.seen.operandCount; ++i) {
    const abi::ProbedOperand &other = probed.seen.operands[i];
    if (other.number >= kProbedArgument && other.value > pointer && other.value <= base)
      return false;
  }
  return pointer != 0 && pointer <= base;
}

} // namespace

std::vector<IntoMember> membersAt(const Program &program, const SiteAddress &site) {
  return answerAtInstruction(program, site, [](Instruction &instruction) {
    const DataLayout &data = instruction.getModule()->getDataLayout();
    std::vector<IntoMember> members;
    auto add = [&](const Value *pointer, uint64_t number) {
      IntoMember member = intoMember(pointer, data);
      member.number = number;
      if (member.size != 0)
        members.push_back(member);
    };
    if (auto *store = dyn_cast<StoreInst>(&instruction))
      add(store->getPointerOperand(), kProbedAddress);
    else if (auto *call = dyn_cast<CallBase>(&instruction))
      for (unsigned i = 0; i < call->arg_size(); ++i)
        if (call->getArgOperand(i)->getType()->isPointerTy())
          add(call->getArgOperand(i), kProbedArgument + i);
    return members;
  });
}

/// Of arguments the indexes are not known: they may be further inside, and nothing is said of what
/// is in front of them.
bool isOutside(const IntoMember &member, const RunResult &probed, uint64_t place, uint64_t base) {
  const abi::ProbedOperand *pointer = operand(probed.seen, member.number);
  if (!pointer)
    return false;
  uint64_t begin = pointer->value - static_cast<uint64_t>(member.offset);
  if (member.number >= kProbedArgument)
    return isNearest(member.number, probed, base) && place >= begin + member.size;
  for (size_t i = 0; i < member.scales.size(); ++i) {
    const abi::ProbedOperand *index = operand(probed.seen, kProbedIndex + i);
    if (!index)
      return false;
    begin -= index->value * static_cast<uint64_t>(member.scales[i]);
  }
  return place < begin || place >= begin + member.size;
}

} // namespace culprit

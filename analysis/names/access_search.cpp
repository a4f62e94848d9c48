// See access_search.h.
#include "analysis/names/access_search.h"

#include <algorithm>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

namespace culprit {
using namespace llvm;

namespace {

bool accesses(const Instruction &instruction, std::optional<bool> isWrite) {
  if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction) ||
      isa<MemTransferInst>(instruction))
    return true;
  if (isa<LoadInst>(instruction))
    return !isWrite || !*isWrite;
  return (isa<StoreInst>(instruction) || isa<MemSetInst>(instruction)) && (!isWrite || *isWrite);
}

/// A whole variable: such an access cannot go wrong, so another one at the place is meant.
bool isPlainVariable(const Instruction &instruction) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  return pointer && (isa<AllocaInst>(pointer) || isa<GlobalVariable>(pointer));
}

/// Bytes that a load or store accesses; of others 0.
uint64_t sizeOf(const Instruction &instruction) {
  if (!getLoadStorePointerOperand(&instruction))
    return 0;
  const DataLayout &layout = instruction.getModule()->getDataLayout();
  Type *type = getLoadStoreType(const_cast<Instruction *>(&instruction));
  return layout.getTypeStoreSize(type).getKnownMinValue();
}

bool hasSize(const Instruction &instruction, uint64_t size) {
  return size == 0 || sizeOf(instruction) == 0 || sizeOf(instruction) == size;
}

bool isOnLine(const Instruction &instruction, const AccessSite &site) {
  const DebugLoc &location = instruction.getDebugLoc();
  return location && location.getLine() == site.line;
}

bool isAt(const Instruction &instruction, const AccessSite &site) {
  return isOnLine(instruction, site) && instruction.getDebugLoc().getCol() == site.column;
}

/// Whether an operation at the place uses what the instruction loads.
bool isOperandAt(const Instruction &instruction, const AccessSite &site) {
  return std::any_of(instruction.user_begin(), instruction.user_end(), [&](const User *user) {
    auto *operation = dyn_cast<Instruction>(user);
    return operation &&
           (isAt(*operation, site) || (isa<CastInst>(operation) && isOperandAt(*operation, site)));
  });
}

/// Whether the access can have been at that distance from a null pointer.
bool mayBeAtOffset(const Instruction &instruction, const AccessSite &site) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (!site.nullOffset || !pointer)
    return true;
  const DataLayout &layout = instruction.getModule()->getDataLayout();
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (isa<GEPOperator>(base)) // an index that is not constant
    return true;
  return offset.uge(*site.nullOffset) &&
         offset.ult(*site.nullOffset + std::max<uint64_t>(site.size, 1));
}

/// The accesses that may be meant, other than those of whole variables.
std::vector<const Instruction *> nearestAccesses(const Function &function, const AccessSite &site) {
  std::vector<const Instruction *> atPlace, inOperation, onLine, inVector;
  for (const Instruction &instruction : instructions(function)) {
    if (!accesses(instruction, site.isWrite) || !isOnLine(instruction, site) ||
        isPlainVariable(instruction) || !mayBeAtOffset(instruction, site))
      continue;
    bool isSame = hasSize(instruction, site.size);
    if (isSame && isAt(instruction, site))
      atPlace.push_back(&instruction);
    if (isSame && isOperandAt(instruction, site))
      inOperation.push_back(&instruction);
    if (isSame)
      onLine.push_back(&instruction);
    else if (sizeOf(instruction) < site.size)
      inVector.push_back(&instruction);
  }
  for (const auto *found : {&atPlace, &inOperation, &onLine, &inVector})
    if (!found->empty())
      return *found;
  return {};
}

} // namespace

std::vector<const Instruction *> accessesAt(const Function &function, const AccessSite &site) {
  std::vector<const Instruction *> found = nearestAccesses(function, site);
  if (found.empty() && site.nullOffset) { // the pointer was not null but a small number
    AccessSite anywhere = site;
    anywhere.nullOffset.reset();
    found = nearestAccesses(function, anywhere);
  }
  if (!found.empty())
    return found;
  for (const Instruction &instruction : instructions(function))
    if (accesses(instruction, site.isWrite) && isAt(instruction, site) &&
        isPlainVariable(instruction) && hasSize(instruction, site.size))
      found.push_back(&instruction);
  return found;
}

std::vector<const CallBase *> indirectCallsAt(const Function &function, const AccessSite &site) {
  std::vector<const CallBase *> atPlace, onLine;
  for (const Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || !call->isIndirectCall() || !isOnLine(instruction, site))
      continue;
    onLine.push_back(call);
    if (isAt(instruction, site))
      atPlace.push_back(call);
  }
  return atPlace.empty() ? onLine : atPlace;
}

} // namespace culprit

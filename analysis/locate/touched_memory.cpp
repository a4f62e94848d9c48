// See touched_memory.h.
#include "analysis/locate/touched_memory.h"

#include "analysis/failure/address_names.h"
#include "compiler/suppress/probes.h"

#include <algorithm>
#include <memory>

namespace culprit {
namespace {

/// The record as it would have been if the program had failed at the probed execution.
std::unique_ptr<abi::FailureRecord> recordOfMoment(const abi::SuppressionRecord &seen,
                                                   const abi::FailureRecord &atEnd) {
  auto record = std::make_unique<abi::FailureRecord>(atEnd);
  record->frameCount = std::min(seen.frameCount, abi::kMostProbedFrames);
  std::copy_n(seen.frames, record->frameCount, record->frames);
  record->frameTop = record->frameCount > 0 ? record->frames[0].address : 0;
  record->blockCount = 0;
  return record;
}

std::optional<uint32_t> operandWith(const abi::SuppressionRecord &seen, uint64_t number) {
  for (uint32_t i = 0; i < std::min(seen.operandCount, abi::kMostOperands); ++i)
    if (seen.operands[i].number == number)
      return i;
  return std::nullopt;
}

AddressName nameOf(const abi::SuppressionRecord &seen, uint32_t operand,
                   const FailureContext &context) {
  std::unique_ptr<abi::FailureRecord> record = recordOfMoment(seen, context.record);
  if (seen.operandBlocks[operand].address != 0)
    record->blocks[record->blockCount++] = seen.operandBlocks[operand];
  // Memory is that of the end of the run: what it leads to by then does not count.
  FailureContext moment{*record, context.build,   context.process, context.signal, context.status,
                        0,       context.program, context.layout};
  return AddressNames(moment).name(seen.operands[operand].value);
}

} // namespace

std::string describeTouched(const abi::SuppressionRecord &seen, const FailureContext &context) {
  std::optional<uint32_t> address = operandWith(seen, kProbedAddress);
  if (!address || seen.tracedTime == 0 || seen.probedTime != seen.tracedTime)
    return "";
  AddressName touched = nameOf(seen, *address, context);
  if (touched.kind == MemoryKind::None || touched.kind == MemoryKind::Null ||
      touched.kind == MemoryKind::Stack)
    return "";
  std::optional<uint32_t> base = operandWith(seen, kProbedBase);
  if (!base || touched.position != Position::Inside)
    return touched.text;
  AddressName meant = nameOf(seen, *base, context);
  bool isOther = meant.kind != MemoryKind::None && meant.position == Position::Inside &&
                 (meant.kind != touched.kind || meant.address != touched.address);
  return isOther ? touched.text + ", through a pointer to " + meant.text : touched.text;
}

std::string describePlace(const abi::SuppressionRecord &seen, const FailureContext &context) {
  std::optional<uint32_t> place = operandWith(seen, kProbedPlace);
  if (!place || context.record.kind == abi::FailureKind::None)
    return "";
  auto record = std::make_unique<abi::FailureRecord>(context.record);
  if (seen.operandBlocks[*place].address != 0 && record->blockCount < abi::kMostBlocks)
    record->blocks[record->blockCount++] = seen.operandBlocks[*place];
  FailureContext withBlock{*record,        context.build,   context.process, context.signal,
                           context.status, context.timeout, context.program, context.layout};
  withBlock.memory = context.memory;
  AddressName name = AddressNames(withBlock).name(seen.operands[*place].value);
  return name.size != 0 ? name.text : "";
}

} // namespace culprit

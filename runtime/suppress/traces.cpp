// See traces.h.
#include "runtime/suppress/traces.h"

#include "abi/origins.h"
#include "runtime/hooks.h"
#include "runtime/stack_walk.h"
#include "runtime/suppress/suppress.h"

namespace culprit {
namespace {

abi::PointerCopy callersOf(const void *frame, uint64_t address) {
  abi::PointerCopy result = {__culprit_clock, address, 0, {}};
  auto place = reinterpret_cast<uint64_t>(frame);
  uint64_t end = stackEndFor(place) - kLinkSize;
  while (result.callerCount < abi::kMostWriteCallers) {
    uint64_t caller = linkAt(place)[1];
    uint64_t next = linkAt(place)[0];
    if (caller == 0 || caller >> kAddressBits != 0)
      break;
    result.callers[result.callerCount++] = caller;
    if (next <= place || next > end || next % 8 != 0)
      break;
    place = next;
  }
  return result;
}

} // namespace

void traceExecution(const void *frame) {
  abi::SuppressionRecord &record = *suppressionRecord();
  if (record.tracedTime != 0)
    record.traced = callersOf(frame, 0);
}

void traceCopy(uint64_t address, uint64_t origin, const void *frame) {
  abi::SuppressionRecord &record = *suppressionRecord();
  if ((origin & ~abi::kOriginFlags) == record.tracedPointer)
    record.copies[record.copyCount++ % abi::kMostCopies] = callersOf(frame, address);
}

void __culprit_copied(Ptr address, I64 origin) {
  if (tracesCopies())
    traceCopy(reinterpret_cast<uint64_t>(address), origin, __builtin_frame_address(0));
}

} // namespace culprit

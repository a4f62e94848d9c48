// See traces.h.
#include "runtime/suppress/traces.h"

#include "abi/memory_map.h"
#include "abi/origins.h"
#include "runtime/heap.h"
#include "runtime/hooks.h"
#include "runtime/stack_walk.h"
#include "runtime/suppress/blocks.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/suppress.h"

#include <string.h>

namespace culprit {
namespace {

uint64_t g_isFreed; ///< what the traced pointer points to

abi::PointerCopy callersOf(const void *frame, uint64_t address) {
  abi::PointerCopy result = {__culprit_clock, address, 0, {}, g_isFreed, 0};
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

/// Whether what was at an address at that time is there no more.
bool isGone(uint64_t address, uint64_t time) {
  if (address >= abi::kThreadSlots) {
    auto frames = reinterpret_cast<uint64_t>(__culprit_frames);
    return address < frames && frames - address < abi::kThreadSlotSize;
  }
  abi::FailureBlock block = {};
  if (!describeBlock(address, block) || address - block.address >= block.size)
    return false;
  uint64_t allocation = allocationOf(block.address);
  return block.state != abi::BlockState::Live || abi::timeOfOrigin(allocation) > time;
}

/// Whether the traced pointer is at an address already, so that storing it there again makes nobody
/// its owner. What is in a frame may have been left there by another function.
bool isThere(uint64_t address) {
  return address < abi::kThreadSlots &&
         (originOfByte(address) & ~abi::kOriginFlags) == suppressionRecord()->tracedPointer;
}

uint64_t wordAt(uint64_t address) {
  uint64_t word = 0;
  memcpy(&word, reinterpret_cast<const void *>(address), sizeof word);
  return word;
}

} // namespace

void judgeCopies() {
  abi::SuppressionRecord &record = *suppressionRecord();
  for (uint64_t i = 0; i < record.copyCount && i < abi::kMostCopies; ++i)
    record.copies[i].isGone = isGone(record.copies[i].address, record.copies[i].time) ? 1 : 0;
}

void traceExecution(const void *frame) {
  abi::SuppressionRecord &record = *suppressionRecord();
  if (record.tracedTime != 0)
    record.traced = callersOf(frame, 0);
}

void traceCopy(uint64_t address, uint64_t value, uint64_t origin, const void *frame) {
  abi::SuppressionRecord &record = *suppressionRecord();
  // What calloc() leaves in a block has the same origin as the pointer to it.
  bool isPointer = value - abi::kHeapBase < abi::kHeapLimit - abi::kHeapBase;
  if (isPointer && (origin & ~abi::kOriginFlags) == record.tracedPointer && !isThere(address))
    record.copies[record.copyCount++ % abi::kMostCopies] = callersOf(frame, address);
}

void traceCopies(uint64_t to, uint64_t from, uint64_t size, const void *frame) {
  if (!tracesCopies())
    return;
  for (uint64_t i = -to & 7; i + 8 <= size; i += 8)
    traceCopy(to + i, wordAt(from + i), originOfByte(from + i), frame);
}

void traceFree(uint64_t allocation) {
  if (tracesCopies() && allocation == suppressionRecord()->tracedPointer)
    g_isFreed = 1;
}

void __culprit_copied(Ptr address, I64 origin) {
  if (!tracesCopies())
    return;
  auto place = reinterpret_cast<uint64_t>(address);
  traceCopy(place, wordAt(place), origin, __builtin_frame_address(0));
}

} // namespace culprit

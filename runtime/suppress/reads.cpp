// See reads.h.
#include "runtime/suppress/reads.h"

#include "abi/memory_map.h"
#include "abi/origins.h"
#include "runtime/failure.h"
#include "runtime/frame_work.h"
#include "runtime/heap.h"
#include "runtime/heap_memory.h"
#include "runtime/hooks.h"
#include "runtime/safe_read.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/suppress.h"
#include "runtime/system.h"

#include <signal.h>
#include <string.h>

namespace culprit {
namespace {

/// Whether it is between two blocks, or before the first one; which is the nearest.
bool isBesideBlock(uint64_t address, abi::FailureBlock &nearest) {
  return describeBlock(address, nearest) && address - nearest.address >= nearest.size;
}

/// Whether it was in the frame of a function that has returned.
bool isLeft(uint64_t address) {
  constexpr uint64_t kEnd = abi::kThreadSlots + abi::kMostThreads * abi::kThreadSlotSize;
  return address >= abi::kThreadSlots && address < kEnd &&
         address < reinterpret_cast<uint64_t>(__culprit_frames);
}

/// Values that were copied from guard words have their origin, too; they are not meant.
bool isGuard(uint64_t address) {
  abi::FailureBlock block = {};
  return originOfByte(address) == abi::kGuardOrigin &&
         (isBesideBlock(address, block) || isGuardWord(address) || isLeft(address));
}

[[noreturn]] void failRead(uint64_t address, const void *pc) {
  suppressionRecord()->probedTime = __culprit_clock;
  abi::FailureBlock block = {};
  Finding finding = {};
  finding.kind = abi::FailureKind::ReadGuard;
  finding.address = address;
  finding.pc = pc;
  if (isBesideBlock(address, block)) {
    finding.blocks = &block;
    finding.blockCount = 1;
  }
  fail(finding, SIGABRT);
}

/// `endsAtZero`: nothing is read behind a zero.
void checkBytes(uint64_t address, uint64_t size, bool endsAtZero, const void *pc) {
  for (uint64_t i = 0; i < size; ++i) {
    uint64_t place = address + i;
    if ((i == 0 || place % kPage == 0) && !isReadable(place & ~uint64_t{7}))
      return; // the call fails of itself
    if (isGuard(place))
      failRead(place, pc);
    if (endsAtZero && *pointerTo<const char>(place) == 0)
      return;
  }
}

bool startsWith(const char *name, const char *start) {
  return strncmp(name, start, strlen(start)) == 0;
}

/// Functions that stop where they have found something, or have read one character.
bool maySearch(const char *name) {
  return strstr(name, "chr") || strstr(name, "cmp") || strstr(name, "memc") ||
         strstr(name, "memm") || strstr(name, "mbr") || startsWith(name, "mb") ||
         startsWith(name, "wcs") || startsWith(name, "wcp");
}

} // namespace

void noteGuard(uint64_t address, uint64_t size) {
  if (checksReads())
    setOrigin(address, size, abi::kGuardOrigin);
}

void noteGuardsOfBlock(uint64_t block, uint64_t size) {
  if (!checksReads() || heapGuard() == 0)
    return;
  setOrigin(block - heapHeader(), heapHeader(), abi::kGuardOrigin);
  setOrigin(block + size, heapGuard(), abi::kGuardOrigin);
}

void checkCopied(uint64_t address, uint64_t size, const void *pc) {
  if (checksReads())
    checkBytes(address, size, false, pc);
}

void checkInputs(const abi::ExternalCall &call, const uint64_t *values, uint64_t count,
                 const void *pc) {
  using Role = abi::ArgumentRole;
  if (!checksReads())
    return;
  for (uint64_t i = 0; i < call.argumentCount && i < count; ++i) {
    const abi::ExternalArgument &argument = call.arguments[i];
    bool isSized = argument.role == Role::In && argument.size == abi::SizeKind::Argument;
    if (values[i] == 0)
      continue;
    if (argument.role == Role::Text || argument.role == Role::Format)
      checkBytes(values[i], ~uint64_t{0}, true, pc);
    else if (isSized && (!maySearch(call.name) || startsWith(call.name, "memcpy")))
      checkBytes(values[i], sizeOfInput(argument, values),
                 startsWith(call.name, "str") || startsWith(call.name, "stp"), pc);
  }
}

void __culprit_guard_read(Ptr pointer, I64 size) {
  auto address = reinterpret_cast<uint64_t>(pointer);
  for (uint64_t i = 0; i < size; ++i)
    if (checksReads() && isGuard(address + i))
      failRead(address + i, __builtin_return_address(0));
}

} // namespace culprit

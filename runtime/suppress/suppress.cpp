// See suppress.h.
#include "runtime/suppress/suppress.h"

#include "runtime/frame_work.h"
#include "runtime/frames.h"
#include "runtime/heap.h"
#include "runtime/heap_memory.h"
#include "runtime/hooks.h"
#include "runtime/host_memory.h"
#include "runtime/safe_read.h"
#include "runtime/suppress/blocks.h"
#include "runtime/suppress/endings.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/traces.h"

namespace culprit {

I64 __culprit_clock;
Ptr __culprit_callee;
I64 __culprit_call_origin;
I64 __culprit_left;
I64 __culprit_probed;
CULPRIT_EXPORT I64 __culprit_argument_origins __attribute__((alias("__culprit_arguments")));
CULPRIT_EXPORT I64 __culprit_result_origins __attribute__((alias("__culprit_results")));
CULPRIT_EXPORT I64 __culprit_scratch __attribute__((alias("__culprit_scratch_words")));
extern "C" {
I64 __culprit_arguments[abi::kMostArgumentOrigins];
I64 __culprit_results[abi::kMostResultOrigins];
I64 __culprit_scratch_words[2];
}

abi::SuppressionRecord *g_suppression;

namespace {

bool g_isAltered;
uint64_t g_freesAtProbe;
bool g_isProbing; ///< the execution that was met last is one to tell of

/// Counts the executions of a site, which may be met more than once at each: a site and a time name
/// one execution.
struct Executions {
  uint64_t count;
  uint64_t lastTime;

  uint64_t meet() {
    if (lastTime != __culprit_clock || count == 0)
      ++count;
    lastTime = __culprit_clock;
    return count;
  }
};
Executions g_met[abi::kMostPoints]; ///< of each point's site, up to its time
Executions g_probed;

/// Whether this is the very execution that the host wants to know of.
bool isTraced() {
  return __culprit_clock == g_suppression->tracedTime;
}

/// The block that holds an address; 0: none does.
uint64_t blockAt(uint64_t address) {
  abi::FailureBlock block = {};
  bool isInside = describeBlock(address, block) && address - block.address < block.size;
  return isInside ? block.address : 0;
}

/// Whether there is memory that a store would have reached.
bool isThere(uint64_t address) {
  static uint64_t lastMissing = ~uint64_t{0};
  uint64_t page = address / kPage;
  if (page == lastMissing)
    return false;
  if (isReadable(address & ~uint64_t{7}))
    return true;
  lastMissing = page;
  return false;
}

/// Adds the origins of a text, or of the first bytes of something else.
void noteReached(uint64_t number, uint64_t address) {
  constexpr uint64_t kMost = 256;
  for (uint64_t place = address; place < address + kMost && isThere(place); ++place) {
    uint64_t origin = originOfByte(place) & ~abi::kOriginFlags;
    uint32_t known = 0;
    while (known < g_suppression->reachedCount && (g_suppression->reached[known].number != number ||
                                                   g_suppression->reached[known].origin != origin))
      ++known;
    if (known == g_suppression->reachedCount && known < abi::kMostReached)
      g_suppression->reached[g_suppression->reachedCount++] = {number, origin};
    if (*reinterpret_cast<const char *>(place) == 0)
      return;
  }
}

/// Adds which executions allocated and freed what the operand points to, and that block; freed
/// means that it was when it was probed.
void addBlock(abi::ProbedOperand &operand, const HeapMoment &moment) {
  FreedBlock found = freedTarget(operand.origin, operand.value, moment);
  uint64_t block = found.freed == 0 ? blockAt(operand.value) : 0;
  if (block != 0)
    found = freedBlockAt(block, moment);
  operand.freed = found.freed;
  operand.allocation = found.freed != 0 ? found.allocation : allocationOf(block);
}

/// Of bytes that can be read, when no fault can be mended any more.
uint64_t originAtFailure(uint64_t place, uint64_t size) {
  makeShadow(abi::shadowOf(place));
  makeShadow(abi::shadowOf(place + size - 1));
  return originOfBytes(place, size);
}

/// A function from outside may have failed by a pointer that it found in an object that it was
/// handed, such as a string's.
void noteHeld(const abi::FailureRecord &failure) {
  constexpr uint64_t kMost = 64; // bytes of an object that are looked at
  constexpr uint64_t kWord = sizeof(uint64_t);
  bool isAccess = failure.kind == abi::FailureKind::Signal;
  if (!failure.hasAddress || failure.address < kPage)
    return;
  for (uint32_t i = 0; i < g_suppression->operandCount; ++i) {
    uint64_t begin = (g_suppression->operands[i].value + kWord - 1) & ~(kWord - 1);
    for (uint64_t place = begin; place < begin + kMost && isThere(place); place += kWord) {
      uint64_t word = *pointerTo<const uint64_t>(place);
      bool isIt =
          isAccess ? word >= kPage && failure.address - word < kPage : word == failure.address;
      if (!isIt)
        continue;
      g_suppression->held = {g_suppression->operands[i].number, word, originAtFailure(place, kWord),
                             0, 0};
      g_suppression->heldPlace = place;
      return;
    }
  }
}

/// The block that a failed access was to, whoever computed the address. Where freed memory is out
/// of reach, the rest of a block's last page is, too: what ends there may be an iterator's.
uint64_t blockOfAccess(uint64_t address) {
  abi::FailureBlock block = {};
  if (!describeBlock(address, block) || address < block.address)
    return 0;
  bool startsPage = block.address % kPage == 0;
  uint64_t end = block.address + block.size;
  return address < (startsPage ? (end + kPage - 1) / kPage * kPage : end) ? block.address : 0;
}

void noteFreedAccess(const abi::FailureRecord &failure) {
  uint64_t block = failure.hasAddress ? blockOfAccess(failure.address) : 0;
  if (failure.kind != abi::FailureKind::Signal || block == 0)
    return;
  FreedBlock found = freedBlockAt(block, {countFrees(), __culprit_clock});
  g_suppression->accessFreed = found.freed;
  g_suppression->accessAllocation = found.allocation;
}

/// What the runtime writes for the program is written where the program has called for it.
void leaveOutRuntime(abi::WatchedWrite &write) {
  uint64_t own = 0;
  while (own < write.callerCount && write.callers[own] != g_workingFor)
    ++own;
  if (g_workingFor == 0 || own == write.callerCount)
    return;
  write.pc = g_workingFor;
  write.callerCount -= own + 1;
  for (uint64_t i = 0; i < write.callerCount; ++i)
    write.callers[i] = write.callers[own + 1 + i];
}

} // namespace

void startSuppressing(const char *file) {
  g_suppression = mapHostRecord<abi::SuppressionRecord>(file);
  if (g_suppression)
    __culprit_probed = g_suppression->wantedSite;
  startEndings();
}

bool isAltered() {
  return g_isAltered;
}

bool isSuppressed(uint64_t site, uint64_t address) {
  if (!g_suppression)
    return false;
  bool isOmitted = false;
  for (uint32_t i = 0; i < g_suppression->pointCount; ++i) {
    abi::SuppressionPoint &point = g_suppression->points[i];
    if (point.site != site)
      continue;
    if (__culprit_clock <= point.time) {
      uint64_t instance = g_met[i].meet();
      if (__culprit_clock == point.time)
        point.instance = instance;
    }
    bool isOne = point.high == 0 && point.time == __culprit_clock;
    bool isLater = point.high != 0 && point.time <= __culprit_clock && address >= point.low &&
                   address < point.high;
    isOmitted |= isOne || isLater;
  }
  g_isAltered |= isOmitted;
  return isOmitted;
}

void noteFailureOrigins(const abi::FailureRecord &failure) {
  if (!g_suppression)
    return;
  if (failure.kind == abi::FailureKind::Signal &&
      !findBrokenWord(g_suppression->broken, g_suppression->overrun))
    findBrokenGuard(failure.frames, failure.frameCount, g_suppression->broken);
  g_suppression->overrunAllocation = allocationOf(g_suppression->overrun.address);
  for (uint32_t i = 0; i < failure.blockCount && i < abi::kMostBlocks; ++i)
    g_suppression->blocks[i] = {failure.blocks[i].address, allocationOf(failure.blocks[i].address)};
  g_suppression->freeCount = countFrees();
  noteFreedAccess(failure);
  judgeCopies();
  if (failure.wordCount > 0)
    if (uint64_t block = blockAt(failure.words[0].address))
      g_suppression->brokenFreed = freedBlockAt(block, {countFrees(), __culprit_clock}).freed;
  noteHeld(failure);
  HeapMoment atProbe = {g_freesAtProbe, g_suppression->probedTime};
  addBlock(g_suppression->held, atProbe);
  for (uint32_t i = 0; i < g_suppression->operandCount; ++i) {
    addBlock(g_suppression->operands[i], atProbe);
    if (g_suppression->tracedTime == 0)
      describeBlock(g_suppression->operands[i].value, g_suppression->operandBlocks[i]);
  }
  for (uint32_t i = 0; i < failure.wordCount && i < abi::kMostWords; ++i) {
    uint64_t word = failure.words[i].address;
    if (!isReadable(word))
      continue;
    g_suppression->wordOrigins[i] = originAtFailure(word, abi::watchedBytes(word));
  }
}

void noteWatchedWrite(const Registers &registers) {
  abi::WatchedWrite &write = g_suppression->writes[g_suppression->writeCount++ % abi::kMostWrites];
  write.time = __culprit_clock;
  write.pc = registers[kPc];
  write.callerCount = collectCallers(registers, write.callers, abi::kMostWriteCallers);
  leaveOutRuntime(write);
}

I64 __culprit_point(I64 site, I64 origin, Ptr target) {
  bool isOmitted = isSuppressed(site, reinterpret_cast<uint64_t>(target));
  return isOmitted ? origin | abi::kOriginCorrupt : origin;
}

void __culprit_omit_store(Ptr pointer, I64 size, I64 address, I64 value) {
  auto place = reinterpret_cast<uint64_t>(pointer);
  if ((address & abi::kOriginCorrupt) == 0 && isThere(place) && isThere(place + size - 1))
    setOrigin(place, size, value | abi::kOriginCorrupt);
}

void __culprit_stale(Ptr pointer, I64 size, I64 address) {
  auto place = reinterpret_cast<uint64_t>(pointer);
  if (size != 0 && (address & abi::kOriginCorrupt) == 0 && isThere(place) &&
      isThere(place + size - 1))
    markStale(place, size);
}

I64 __culprit_skip(I64 site) {
  static uint64_t choices = 0;
  if (!g_suppression)
    return static_cast<I64>(abi::Way::Past);
  uint32_t known = 0;
  while (known < g_suppression->skippedCount && g_suppression->skipped[known] != site)
    ++known;
  if (known == g_suppression->skippedCount && known < abi::kMostSkipped)
    g_suppression->skipped[g_suppression->skippedCount++] = site;
  return static_cast<I64>(++choices > abi::kMostChoices ? abi::Way::Past : g_suppression->way);
}

void __culprit_probe(I64 site) {
  g_isProbing = g_suppression &&
                (g_suppression->tracedTime == 0 || __culprit_clock <= g_suppression->tracedTime);
  if (!g_isProbing)
    return;
  g_suppression->probedSite = site;
  g_suppression->probedTime = __culprit_clock;
  g_suppression->probedInstance = g_probed.meet();
  g_suppression->operandCount = 0;
  g_suppression->reachedCount = 0;
  g_freesAtProbe = countFrees();
  traceExecution(__builtin_frame_address(0));
  if (isTraced())
    g_suppression->frameCount = walkFrames(reinterpret_cast<uint64_t>(__culprit_frames),
                                           g_suppression->frames, abi::kMostProbedFrames);
}

void __culprit_probe_operand(I64 number, I64 value, I64 origin) {
  if (!g_isProbing || g_suppression->operandCount == abi::kMostOperands)
    return;
  if (isTraced()) {
    describeBlock(value, g_suppression->operandBlocks[g_suppression->operandCount]);
    noteReached(number, value);
  }
  g_suppression->operands[g_suppression->operandCount++] = {number, value, origin, 0, 0};
}

} // namespace culprit

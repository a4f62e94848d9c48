// Hashes of the program's memory, kept at growing distances and at the end: a replay that has gone
// astray without another system call is found out.
//
// What lies below the stack pointer on the program's alternate stack is not in them. Nobody reads
// it, and it may differ: libraries leave there what they ask the processor, such as its number.
#include "abi/memory_map.h"
#include "runtime/recorder/arrivals.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/regions.h"
#include "runtime/recorder/session.h"
#include "runtime/safe_read.h"
#include "runtime/thread_slots.h"

namespace culprit {
namespace {

constexpr uint64_t kMostRegions = 16;
constexpr uint64_t kPage = 4096;
constexpr uint64_t kMostHeap = 256 << 20;
constexpr uint64_t kMostFrames = 256 << 10;
constexpr uint64_t kFirstDigest = 256;

struct Region {
  uint64_t begin;
  uint64_t size;
};
Region g_regions[kMostRegions];
uint64_t g_regionCount;
uint64_t g_calls;
uint64_t g_nextDigest = kFirstDigest;

/// Bytes that are there, from the beginning on; whether that is all. Page by page: see careful.h.
bool hashPresent(Hash &hash, uint64_t begin, uint64_t end) {
  while (begin < end && isReadable(begin & ~uint64_t{7})) {
    uint64_t next = (begin & ~(kPage - 1)) + kPage;
    uint64_t part = (next < end ? next : end) - begin;
    hash.add(pointerTo<char>(begin), part);
    begin += part;
  }
  return begin >= end;
}

uint64_t between(uint64_t least, uint64_t value, uint64_t most) {
  return value < least ? least : value > most ? most : value;
}

void hashLive(Hash &hash, const Region &region, const Region &dead) {
  uint64_t end = region.begin + region.size;
  uint64_t before = between(region.begin, dead.begin, end);
  uint64_t behind = between(before, dead.begin + dead.size, end);
  if (hashPresent(hash, region.begin, before))
    hashPresent(hash, behind, end);
}

/// Of the program's alternate stack.
Region deadStack(const ucontext_t *context) {
  constexpr uint64_t kRedZone = 128;
  uint64_t begin = placeOf(g_programStack.ss_sp);
  auto pointer = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RSP]);
  if (!isOnProgramStack(pointer))
    return {begin, g_programStack.ss_size};
  return {begin, pointer - begin < kRedZone ? 0 : pointer - begin - kRedZone};
}

abi::DigestEvent digestMemory(const ucontext_t *context) {
  abi::DigestEvent event;
  event.event.flags = 0;
  Region dead = deadStack(context);
  Hash globals;
  for (uint64_t i = 0; i < g_regionCount; ++i)
    hashLive(globals, g_regions[i], dead);
  Hash heap;
  hashLive(heap, {abi::kHeapBase, kMostHeap}, dead);
  Hash frames;
  hashLive(frames, {framesEnd(0) - kMostFrames, kMostFrames}, dead);
  event.globals = globals.value();
  event.heap = heap.value();
  event.frames = frames.value();
  return event;
}

void digest(const ucontext_t *context) {
  abi::DigestEvent now = digestMemory(context);
  if (g_role == Role::Recording) {
    addEvent(now.event, abi::EventKind::Digest, sizeof now);
    return;
  }
  abi::ReplayCall seen;
  clearBytes(&seen, sizeof seen);
  seen.number = -3;
  seen.clock = clockNow();
  const auto *recorded = reinterpret_cast<const abi::DigestEvent *>(
      expectEvent(abi::EventKind::Digest, seen, context));
  seen.arguments[0] = recorded->globals != now.globals;
  seen.arguments[1] = recorded->heap != now.heap;
  seen.arguments[2] = recorded->frames != now.frames;
  if (seen.arguments[0] + seen.arguments[1] + seen.arguments[2] != 0)
    endReplay(abi::ReplayEnd::Diverged, abi::ReplayDifference::Memory, seen, context);
}

} // namespace

void addRegion(uint64_t begin, uint64_t size) {
  if (begin < abi::kStateBase && g_regionCount < kMostRegions)
    g_regions[g_regionCount++] = {begin, size};
}

void digestIfDue(const ucontext_t *context) {
  if (++g_calls < g_nextDigest)
    return;
  g_nextDigest *= 2;
  digest(context);
}

bool isDigestDue() {
  return g_calls + 1 >= g_nextDigest;
}

void countCall() {
  ++g_calls;
}

void digestNow(const ucontext_t *context) {
  digest(context);
}

} // namespace culprit

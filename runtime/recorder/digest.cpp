// Hashes of the program's memory, kept at growing distances and at the end: a replay that has gone
// astray without another system call is found out.
#include "abi/memory_map.h"
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

/// Bytes from `begin` on that are there, up to `size`. Page by page: see careful.h.
void hashPresent(Hash &hash, uint64_t begin, uint64_t size) {
  uint64_t end = begin + size;
  while (begin < end && isReadable(begin & ~uint64_t{7})) {
    uint64_t next = (begin & ~(kPage - 1)) + kPage;
    uint64_t part = (next < end ? next : end) - begin;
    hash.add(pointerTo<char>(begin), part);
    begin += part;
  }
}

void digest(const ucontext_t *context) {
  abi::DigestEvent now = digestMemory();
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

abi::DigestEvent digestMemory() {
  abi::DigestEvent event;
  event.event.flags = 0;
  Hash globals;
  for (uint64_t i = 0; i < g_regionCount; ++i)
    hashPresent(globals, g_regions[i].begin, g_regions[i].size);
  Hash heap;
  hashPresent(heap, abi::kHeapBase, kMostHeap);
  Hash frames;
  hashPresent(frames, framesEnd(0) - kMostFrames, kMostFrames);
  event.globals = globals.value();
  event.heap = heap.value();
  event.frames = frames.value();
  return event;
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

// The program writes its events to the log itself.
//
// A program that reads much would wait for the host to take its events out of the ring, from the
// cache of another processor. What it writes itself while it is still in its own cache takes half
// the time. The host says when: as long as there is time to pack events, they are the host's
// (recording/recorder.cpp). They take turns (RecordingState::turn). A chunk counts when the place
// behind it is noted, which is done by one store: whatever kills the program, the host finds the
// log as it was before or after.
//
// The log is open only while it is written to, so the program never sees a descriptor of it. Where
// it cannot be opened or written (the program has become another user, or lives elsewhere; a limit;
// a full disk), the events stay in the ring, and the host has the trouble.
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/session.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

char g_log[256]; ///< its path; empty: the program does not write to it
bool g_hasFailed;
uint64_t g_allocated; ///< bytes of the log

uint64_t hashOf(const void *bytes, uint64_t size) {
  Hash hash;
  hash.add(bytes, size);
  return hash.value();
}

/// A write beyond the program's limit would be its end.
bool isInLimit(uint64_t size) {
  rlimit limit = {};
  return rawSyscall(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, address(&limit)) == 0 &&
         size <= limit.rlim_cur;
}

/// Allocates some of the file ahead, which makes writing cheaper. Where that is not possible, it is
/// done without.
void allocateAhead(long file, uint64_t begin, uint64_t end) {
  constexpr uint64_t kAhead = 8 << 20;
  if (end <= g_allocated)
    return;
  g_allocated = end + kAhead;
  rawSyscall(SYS_fallocate, file, FALLOC_FL_KEEP_SIZE, toLong(begin), toLong(g_allocated - begin));
}

bool writeAt(uint64_t place, const char *bytes, uint64_t size) {
  if (!isInLimit(place + size))
    return false;
  long file = rawSyscall(SYS_open, address(g_log), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  allocateAhead(file, place, place + size);
  bool isDone =
      rawSyscall(SYS_pwrite64, file, address(bytes), toLong(size), toLong(place)) == toLong(size);
  if (!isDone)
    rawSyscall(SYS_ftruncate, file, toLong(place));
  rawSyscall(SYS_close, file);
  return isDone;
}

/// Writes a chunk at the end of the log, up to the end of a page, and returns its size; 0: it could
/// not be written. Header and zeros go around the events, where the ring is free.
uint64_t writeChunk(const abi::LogPlace &place, uint64_t size) {
  constexpr uint64_t kPage = abi::kMostFill;
  uint64_t fill = (0 - (place.size + sizeof(abi::ChunkHeader) + size)) % kPage;
  uint64_t total = sizeof(abi::ChunkHeader) + size + fill;
  char *events = ringPlace(place.drained);
  if (placeOf(events) < abi::kRecorderBase + sizeof(abi::ChunkHeader))
    events += abi::kRingSize;
  clearBytes(events + size, fill);
  auto *header = reinterpret_cast<abi::ChunkHeader *>(events) - 1;
  header->magic = abi::kChunkMagic;
  header->version = static_cast<uint16_t>(abi::kRecordingVersion);
  header->kind = abi::ChunkKind::Events;
  header->sequence = place.sequence;
  header->rawSize = static_cast<uint32_t>(size);
  header->packedSize = static_cast<uint32_t>(size);
  header->fill = static_cast<uint32_t>(fill);
  header->unused = 0;
  header->checksum = hashOf(events, size);
  header->headerChecksum = hashOf(header, offsetof(abi::ChunkHeader, headerChecksum));
  return writeAt(place.size, reinterpret_cast<char *>(header), total) ? total : 0;
}

bool isOwnWriter() {
  return g_log[0] && !g_hasFailed &&
         __atomic_load_n(&sharedState().isOwnWriter, __ATOMIC_RELAXED) != 0;
}

/// In the program's turn.
bool writeEvents(abi::RecordingState &state) {
  uint32_t current = state.place & 1;
  abi::LogPlace place = state.places[current];
  uint64_t size = state.written - place.drained;
  constexpr uint64_t kAround = sizeof(abi::ChunkHeader) + abi::kMostFill;
  if (place.part >= 0 || place.hasFailed != 0 || size + kAround > abi::kRingSize)
    return false;
  if (size == 0)
    return true;
  uint64_t written = writeChunk(place, size);
  if (written == 0) {
    g_hasFailed = true;
    return false;
  }
  place.size += written;
  ++place.sequence;
  place.drained = state.written;
  state.places[1 - current] = place;
  __atomic_store_n(&state.place, 1 - current, __ATOMIC_RELEASE);
  __atomic_store_n(&state.drained, place.drained, __ATOMIC_RELEASE);
  state.origin = state.written; // the ring is empty: what comes next is in the cache already
  return true;
}

} // namespace

void useLog(const char *path) {
  for (uint64_t i = 0; i + 1 < sizeof g_log && path[i]; ++i)
    g_log[i] = path[i];
}

uint64_t roomInChunk() {
  if (!isOwnWriter())
    return UINT64_MAX;
  constexpr uint64_t kLeast = abi::kOwnChunk / 8; // fewer go with the next ones
  const abi::RecordingState &state = sharedState();
  uint64_t before = state.places[state.place & 1].size + sizeof(abi::ChunkHeader);
  uint64_t limit = abi::kOwnChunk - before % abi::kOwnChunk;
  if (limit < kLeast)
    limit += abi::kOwnChunk;
  uint64_t used = state.written - __atomic_load_n(&state.drained, __ATOMIC_ACQUIRE);
  return used < limit ? limit - used : 0;
}

bool writeLog() {
  abi::RecordingState &state = sharedState();
  if (!isOwnWriter())
    return false;
  uint32_t turn = abi::kTurnOfNobody;
  if (!__atomic_compare_exchange_n(&state.turn, &turn, abi::kTurnOfProgram, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED))
    return false;
  bool isDone = writeEvents(state);
  __atomic_store_n(&state.turn, abi::kTurnOfNobody, __ATOMIC_RELEASE);
  return isDone;
}

} // namespace culprit

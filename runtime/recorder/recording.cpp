// Writes events into the ring that the host drains; see abi/recording.h.
//
// The ring's memory is mapped twice in a row, so that an event never wraps. `written` moves only
// over whole events: whatever kills the program, the host finds whole ones. The last one stays in
// the ring: the host looks at it to see why a recording has stopped.
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/session.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

namespace culprit {

Role g_role;

namespace {

constexpr uint64_t kRing = abi::kRecorderBase;
constexpr uint64_t kPart = abi::kOwnChunk / 2; ///< of bytes in one event

bool mapShared(uint64_t place, uint64_t size, long file, uint64_t offset) {
  return rawSyscall(SYS_mmap, toLong(place), toLong(size), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_FIXED, file, toLong(offset)) == toLong(place);
}

void ringBell() {
  abi::RecordingState &state = sharedState();
  __atomic_add_fetch(&state.bell, 1, __ATOMIC_RELEASE);
  rawSyscall(SYS_futex, address(&state.bell), FUTEX_WAKE, 1);
}

/// Until the host rings back, or for a while: it may have rung before.
void waitForHost(uint32_t last) {
  timespec time = {0, 20'000'000};
  rawSyscall(SYS_futex, address(&sharedState().answered), FUTEX_WAIT, last, address(&time));
}

/// Where an event of so many bytes goes, when there is room.
char *reserve(uint64_t size) {
  abi::RecordingState &state = sharedState();
  for (;;) {
    uint32_t last = __atomic_load_n(&state.answered, __ATOMIC_ACQUIRE);
    uint64_t used = state.written - __atomic_load_n(&state.drained, __ATOMIC_ACQUIRE);
    if (used != 0 && size > roomInChunk() && writeLog())
      used = 0;
    if (used + size <= state.room)
      return ringPlace(state.written);
    ringBell();
    waitForHost(last);
  }
}

void publish(uint64_t size) {
  abi::RecordingState &state = sharedState();
  __atomic_store_n(&state.written, state.written + size, __ATOMIC_RELEASE);
  uint64_t used = state.written - __atomic_load_n(&state.drained, __ATOMIC_ACQUIRE);
  if (used > state.room / 2 && used - size <= state.room / 2)
    ringBell();
}

void fill(abi::Event &event, abi::EventKind kind, uint64_t size) {
  event.size = static_cast<uint32_t>(size);
  event.kind = kind;
  event.thread = 1;
  event.clock = clockNow();
}

/// What a call wrote, by size and number; large stretches are events of their own.
struct Stretches {
  uint64_t most; ///< bytes that go into the event of the call
  uint64_t count;
  uint64_t size;
  char *to; ///< where they go; null: they are only measured
};

constexpr uint64_t kAroundPart = sizeof(abi::Event) + sizeof(abi::WrittenBytes);
constexpr uint64_t kLeastRoom = 512; ///< less is not worth an event of its own

/// How many bytes the next event of a part may have, so that it fills a chunk to its end.
uint64_t partLimit() {
  uint64_t room = roomInChunk();
  return room < kLeastRoom || room - kAroundPart > kPart ? kPart : room - kAroundPart;
}

void addParts(uint64_t place, uint64_t size) {
  while (size != 0) {
    uint64_t most = partLimit();
    uint64_t part = size < most ? size : most;
    uint64_t total = kAroundPart + roundUpTo8(part);
    char *to = reserve(total);
    auto *event = reinterpret_cast<abi::Event *>(to);
    fill(*event, abi::EventKind::Bytes, total);
    event->flags = 0;
    auto *bytes = reinterpret_cast<abi::WrittenBytes *>(event + 1);
    bytes->address = place;
    bytes->size = part;
    copyBytes(bytes + 1, pointerTo<char>(place), part);
    publish(total);
    place += part;
    size -= part;
  }
}

/// For Stretches::most: what fits into the chunk, so that it can be filled to its end by parts.
uint64_t togetherLimit() {
  constexpr uint64_t kMost = 64 << 10;
  uint64_t room = roomInChunk();
  uint64_t left = room - sizeof(abi::CallEvent) - sizeof(abi::WrittenBytes);
  return room < kLeastRoom || left > kMost ? kMost : left;
}

void measure(void *data, uint64_t place, uint64_t size) {
  auto *stretches = static_cast<Stretches *>(data);
  if (stretches->size + size > stretches->most) {
    addParts(place, size);
    return;
  }
  ++stretches->count;
  stretches->size += sizeof(abi::WrittenBytes) + roundUpTo8(size);
}

void copyOut(void *data, uint64_t place, uint64_t size) {
  auto *stretches = static_cast<Stretches *>(data);
  if (stretches->size + size > stretches->most)
    return;
  stretches->size += sizeof(abi::WrittenBytes) + roundUpTo8(size);
  auto *bytes = reinterpret_cast<abi::WrittenBytes *>(stretches->to);
  bytes->address = place;
  bytes->size = size;
  copyBytes(bytes + 1, pointerTo<char>(place), size);
  stretches->to += sizeof *bytes + roundUpTo8(size);
}

} // namespace

char *ringPlace(uint64_t number) {
  return pointerTo<char>(kRing + (number - sharedState().origin) % abi::kRingSize);
}

bool openRecording(const char *file) {
  long fd = rawSyscall(SYS_open, address(file), O_RDWR | O_CLOEXEC);
  if (fd < 0)
    return false;
  bool isMapped = mapShared(abi::kClockPage, abi::kStatePage, fd, 0) &&
                  mapShared(kRing, abi::kRingSize, fd, abi::kStatePage) &&
                  mapShared(kRing + abi::kRingSize, abi::kRingSize, fd, abi::kStatePage);
  rawSyscall(SYS_close, fd);
  return isMapped;
}

void addEvent(abi::Event &event, abi::EventKind kind, uint64_t size) {
  addEvent(event, kind, size, nullptr, 0);
}

void addEvent(abi::Event &event, abi::EventKind kind, uint64_t size, const void *more,
              uint64_t moreSize) {
  uint64_t total = size + roundUpTo8(moreSize);
  fill(event, kind, total);
  char *to = reserve(total);
  copyBytes(to, &event, size);
  copyBytes(to + size, more, moreSize);
  publish(total);
}

void addCall(const CallRow &row, const ProgramCall &call, const Lengths &lengths, long result,
             int64_t file) {
  Stretches stretches = {togetherLimit(), 0, 0, nullptr};
  forEachWritten(row, call, lengths, result, measure, &stretches);
  uint64_t total = sizeof(abi::CallEvent) + stretches.size;
  auto *event = reinterpret_cast<abi::CallEvent *>(reserve(total));
  fill(event->event, abi::EventKind::Call, total);
  event->event.flags = outputsMade(call, result);
  event->number = call.number;
  event->result = result;
  copyBytes(event->arguments, call.arguments, sizeof event->arguments);
  event->input = hashSent(row, call, result);
  event->file = file;
  event->writes = stretches.count;
  stretches = {stretches.most, 0, 0, reinterpret_cast<char *>(event + 1)};
  forEachWritten(row, call, lengths, result, copyOut, &stretches);
  publish(total);
}

int64_t keepFile(int descriptor) {
  abi::RecordingState &state = sharedState();
  uint32_t last = __atomic_load_n(&state.answered, __ATOMIC_ACQUIRE);
  __atomic_store_n(&state.wantedFile, descriptor, __ATOMIC_RELEASE);
  ringBell();
  while (__atomic_load_n(&state.wantedFile, __ATOMIC_ACQUIRE) >= 0) {
    waitForHost(last);
    last = __atomic_load_n(&state.answered, __ATOMIC_ACQUIRE);
  }
  return state.foundFile;
}

} // namespace culprit

// See ring.h.
#include "recording/ring.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace culprit {
namespace {

constexpr size_t kFileSize = abi::kStatePage + abi::kRingSize;
constexpr size_t kMapped = kFileSize + abi::kRingSize;

/// Twice in a row; null when it cannot be mapped.
char *mapTwice(int file) {
  void *place = mmap(nullptr, kMapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED)
    return nullptr;
  char *map = static_cast<char *>(place);
  constexpr int kProtection = PROT_READ | PROT_WRITE;
  constexpr int kFlags = MAP_SHARED | MAP_FIXED;
  if (mmap(map, kFileSize, kProtection, kFlags, file, 0) == map &&
      mmap(map + kFileSize, abi::kRingSize, kProtection, kFlags, file, abi::kStatePage) ==
          map + kFileSize)
    return map;
  munmap(map, kMapped);
  return nullptr;
}

} // namespace

Ring::Ring() {
  file_ = memfd_create("culprit-ring", MFD_CLOEXEC);
  char *map = nullptr;
  // All of it at once: a page that is not there later would end the program.
  if (file_ >= 0 && fallocate(file_, 0, 0, static_cast<off_t>(kFileSize)) == 0)
    map = mapTwice(file_);
  if (!map)
    failUsage("cannot make the memory for the recording: {}", std::strerror(errno));
  state_ = reinterpret_cast<abi::RecordingState *>(map);
  events_ = map + abi::kStatePage;
  state_->countdown = abi::kClockStart;
  state_->isActive = 1;
  state_->checkpointAt = UINT64_MAX;
  state_->room = abi::kRingSize;
  state_->wantedFile = -1;
  path_ = fmt::format("/proc/{}/fd/{}", getpid(), file_);
}

Ring::~Ring() {
  munmap(state_, kMapped);
  close(file_);
}

std::optional<std::string_view> Ring::from(uint64_t begin) const {
  uint64_t end = __atomic_load_n(&state_->written, __ATOMIC_ACQUIRE);
  if (end - begin > abi::kRingSize || end < begin)
    return std::nullopt;
  uint64_t origin = state_->origin;
  return std::string_view(events_ + (begin - origin) % abi::kRingSize, end - begin);
}

bool Ring::takeTurn(bool isForced) const {
  uint32_t turn = abi::kTurnOfNobody;
  if (isForced)
    __atomic_store_n(&state_->turn, abi::kTurnOfHost, __ATOMIC_SEQ_CST);
  return isForced || __atomic_compare_exchange_n(&state_->turn, &turn, abi::kTurnOfHost, false,
                                                 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void Ring::endTurn() const {
  __atomic_store_n(&state_->turn, abi::kTurnOfNobody, __ATOMIC_RELEASE);
}

abi::LogPlace Ring::place() const {
  return state_->places[__atomic_load_n(&state_->place, __ATOMIC_ACQUIRE) & 1];
}

void Ring::note(const abi::LogPlace &place) const {
  uint32_t other = 1 - (state_->place & 1);
  state_->places[other] = place;
  __atomic_store_n(&state_->place, other, __ATOMIC_RELEASE);
  __atomic_store_n(&state_->drained, place.drained, __ATOMIC_RELEASE);
}

void Ring::waitForBell(uint32_t seen, long nanoseconds) const {
  timespec time{0, nanoseconds};
  syscall(SYS_futex, &state_->bell, FUTEX_WAIT, seen, &time, nullptr, 0);
}

void Ring::ringBell() const {
  __atomic_add_fetch(&state_->bell, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &state_->bell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void Ring::ringBack() const {
  __atomic_add_fetch(&state_->answered, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &state_->answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

} // namespace culprit

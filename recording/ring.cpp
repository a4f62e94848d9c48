// See ring.h.
#include "recording/ring.h"

#include "support/diagnostics.h"

#include <algorithm>
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

constexpr size_t kMapped = abi::kStatePage + abi::kRingSize;

} // namespace

Ring::Ring() {
  file_ = memfd_create("culprit-ring", MFD_CLOEXEC);
  void *map = MAP_FAILED;
  // All of it at once: a page that is not there later would end the program.
  if (file_ >= 0 && fallocate(file_, 0, 0, static_cast<off_t>(kMapped)) == 0)
    map = mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (map == MAP_FAILED)
    failUsage("cannot make the memory for the recording: {}", std::strerror(errno));
  state_ = static_cast<abi::RecordingState *>(map);
  events_ = static_cast<const char *>(map) + abi::kStatePage;
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

std::optional<std::string> Ring::from(uint64_t begin) const {
  uint64_t end = __atomic_load_n(&state_->written, __ATOMIC_ACQUIRE);
  if (end - begin > abi::kRingSize || end < begin)
    return std::nullopt;
  uint64_t at = begin % abi::kRingSize;
  uint64_t first = std::min(end - begin, abi::kRingSize - at);
  std::string events(events_ + at, first);
  events.append(events_, end - begin - first);
  return events;
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

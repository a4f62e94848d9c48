// See event_bytes.h.
#include "recording/event_bytes.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace culprit {
namespace {

[[noreturn]] void failMemory() {
  failUsage("cannot lay out the recording in memory: {}", std::strerror(errno));
}

} // namespace

EventBytes::~EventBytes() {
  unmap();
  if (file_ >= 0)
    close(file_);
}

EventBytes::EventBytes(EventBytes &&other) noexcept {
  *this = std::move(other);
}

EventBytes &EventBytes::operator=(EventBytes &&other) noexcept {
  std::swap(file_, other.file_);
  std::swap(size_, other.size_);
  std::swap(map_, other.map_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

void EventBytes::append(std::string_view bytes) {
  if (file_ < 0 && (file_ = memfd_create("culprit-events", MFD_CLOEXEC)) < 0)
    failMemory();
  while (!bytes.empty()) {
    ssize_t done = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(size_));
    if (done <= 0)
      failMemory();
    bytes.remove_prefix(static_cast<size_t>(done));
    size_ += static_cast<size_t>(done);
  }
}

std::string_view EventBytes::bytes() const {
  if (mapped_ != size_) {
    unmap();
    void *map = mmap(nullptr, size_, PROT_READ, MAP_SHARED | MAP_POPULATE, file_, 0);
    if (map == MAP_FAILED)
      failMemory();
    map_ = static_cast<char *>(map);
    mapped_ = size_;
  }
  return {map_, mapped_};
}

void EventBytes::unmap() const {
  if (map_)
    munmap(map_, mapped_);
  map_ = nullptr;
  mapped_ = 0;
}

} // namespace culprit

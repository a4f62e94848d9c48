// See event_bytes.h.
#include "recording/event_bytes.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace culprit {
namespace {

[[noreturn]] void failMemory() {
  failUsage("cannot lay out the recording in memory: {}", std::strerror(errno));
}

} // namespace

void EventBytes::Place::unmap() {
  if (map)
    munmap(map, mapped);
  map = nullptr;
  mapped = 0;
}

const char *EventBytes::Place::at(uint64_t offset) {
  if (mapped != size) {
    unmap();
    void *place = mmap(nullptr, size, PROT_READ, MAP_SHARED | MAP_POPULATE, file, 0);
    if (place == MAP_FAILED)
      failMemory();
    map = static_cast<char *>(place);
    mapped = size;
  }
  return map + offset;
}

EventBytes::~EventBytes() {
  for (Place *place : {&memory_, &log_}) {
    place->unmap();
    if (place->file >= 0)
      close(place->file);
  }
}

EventBytes::EventBytes(EventBytes &&other) noexcept {
  *this = std::move(other);
}

EventBytes &EventBytes::operator=(EventBytes &&other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(log_, other.log_);
  std::swap(pieces_, other.pieces_);
  std::swap(size_, other.size_);
  return *this;
}

void EventBytes::append(std::string_view bytes) {
  if (memory_.file < 0 && (memory_.file = memfd_create("culprit-events", MFD_CLOEXEC)) < 0)
    failMemory();
  add({false, memory_.size, bytes.size()});
  while (!bytes.empty()) {
    ssize_t done =
        pwrite(memory_.file, bytes.data(), bytes.size(), static_cast<off_t>(memory_.size));
    if (done <= 0)
      failMemory();
    bytes.remove_prefix(static_cast<size_t>(done));
    memory_.size += static_cast<size_t>(done);
  }
}

bool EventBytes::appendFrom(int log, uint64_t offset, uint64_t size) {
  if (log < 0 || (log_.file < 0 && (log_.file = fcntl(log, F_DUPFD_CLOEXEC, 0)) < 0))
    return false;
  add({true, offset, size});
  log_.size = offset + size;
  return true;
}

void EventBytes::add(const Piece &piece) {
  size_ += piece.size;
  bool isBehind = !pieces_.empty() && pieces_.back().isInLog == piece.isInLog &&
                  pieces_.back().offset + pieces_.back().size == piece.offset;
  if (isBehind)
    pieces_.back().size += piece.size;
  else if (piece.size != 0)
    pieces_.push_back(piece);
}

std::string_view EventBytes::bytes(const Piece &piece) const {
  Place &place = piece.isInLog ? log_ : memory_;
  return {place.at(piece.offset), piece.size};
}

} // namespace culprit

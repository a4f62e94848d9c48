// The events of a recording, one after the other, in memory that a replay can map.
//
// They may be many. So they are written to that memory as to a file, which takes half the time that
// it takes to fill fresh pages, and are mapped when somebody wants to look at them.
#ifndef CULPRIT_RECORDING_EVENT_BYTES_H
#define CULPRIT_RECORDING_EVENT_BYTES_H

#include <cstddef>
#include <string_view>

namespace culprit {

class EventBytes {
public:
  EventBytes() = default;
  ~EventBytes();
  EventBytes(EventBytes &&other) noexcept;
  EventBytes &operator=(EventBytes &&other) noexcept;
  EventBytes(const EventBytes &) = delete;
  EventBytes &operator=(const EventBytes &) = delete;

  /// Throws Failure when there is no memory.
  void append(std::string_view bytes);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// All of them, until the next are added.
  std::string_view bytes() const;
  operator std::string_view() const { return bytes(); } // NOLINT(google-explicit-constructor)

  /// The memory as a file; -1: there are no events.
  int file() const { return file_; }

private:
  void unmap() const;

  int file_ = -1;
  size_t size_ = 0;
  mutable char *map_ = nullptr;
  mutable size_t mapped_ = 0;
};

} // namespace culprit
#endif

// The events of a recording, in the order of the recording, where a replay can map them.
//
// They may be many. Those that were packed are unpacked into memory, which is written to as to a
// file: that takes half the time that it takes to fill fresh pages. Those that were stored as they
// are stay in the log. So they are in pieces, and are mapped when somebody wants to look at them.
#ifndef CULPRIT_RECORDING_EVENT_BYTES_H
#define CULPRIT_RECORDING_EVENT_BYTES_H

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace culprit {

class EventBytes {
public:
  /// Whole events that lie together.
  struct Piece {
    bool isInLog; ///< else in memory
    uint64_t offset;
    uint64_t size;
  };

  EventBytes() = default;
  ~EventBytes();
  EventBytes(EventBytes &&other) noexcept;
  EventBytes &operator=(EventBytes &&other) noexcept;
  EventBytes(const EventBytes &) = delete;
  EventBytes &operator=(const EventBytes &) = delete;

  /// Throws Failure when there is no memory.
  void append(std::string_view bytes);
  /// Events that are in the file `log` already, which is the same for all. False: they are not.
  bool appendFrom(int log, uint64_t offset, uint64_t size);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  const std::vector<Piece> &pieces() const { return pieces_; }
  /// The events of a piece, until the next are added.
  std::string_view bytes(const Piece &piece) const;

  /// The memory as a file, and the log; -1: there are no events in it.
  int memory() const { return memory_.file; }
  int log() const { return log_.file; }
  /// How many bytes of the two are in use.
  uint64_t memorySize() const { return memory_.size; }
  uint64_t logSize() const { return log_.size; }

private:
  /// A file, and where it is mapped.
  struct Place {
    int file = -1;
    uint64_t size = 0;
    char *map = nullptr;
    uint64_t mapped = 0;

    void unmap();
    const char *at(uint64_t offset);
  };

  void add(const Piece &piece);

  mutable Place memory_;
  mutable Place log_;
  std::vector<Piece> pieces_;
  size_t size_ = 0;
};

} // namespace culprit
#endif

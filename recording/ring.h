// The memory that a recorded program shares with the host: the page of RecordingState and, behind
// it, the ring of events (abi/recording.h).
#ifndef CULPRIT_RECORDING_RING_H
#define CULPRIT_RECORDING_RING_H

#include "abi/recording.h"

#include <optional>
#include <string>
#include <string_view>

namespace culprit {

/// The ring is mapped twice in a row, so that what wraps is in one piece.
class Ring {
public:
  /// Throws Failure when the system has no memory for it.
  Ring();
  ~Ring();
  Ring(const Ring &) = delete;
  Ring &operator=(const Ring &) = delete;

  /// Under this path the program finds it.
  const std::string &path() const { return path_; }
  abi::RecordingState &state() const { return *state_; }

  /// The events from `begin`, a number of bytes since the start, to the last whole one, where they
  /// are. Nothing: the program has overwritten the numbers.
  std::optional<std::string_view> from(uint64_t begin) const;

  /// Takes the turn to write to the log. False: somebody else has it. `isForced`: nobody else
  /// lives.
  bool takeTurn(bool isForced) const;
  void endTurn() const;

  /// How far the log has come. Others see a new place as a whole or not at all.
  abi::LogPlace place() const;
  void note(const abi::LogPlace &place) const;

  /// Waits until the program rings, or for the time; `seen` is what the bell was before.
  void waitForBell(uint32_t seen, long nanoseconds) const;
  void ringBell() const;
  /// Wakes the program, which waits for an answer.
  void ringBack() const;

private:
  int file_ = -1;
  std::string path_;
  abi::RecordingState *state_ = nullptr;
  const char *events_ = nullptr;
};

} // namespace culprit
#endif

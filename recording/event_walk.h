// Goes over the events of a recording, with all that a call wrote put together.
#ifndef CULPRIT_RECORDING_EVENT_WALK_H
#define CULPRIT_RECORDING_EVENT_WALK_H

#include "abi/recording.h"
#include "recording/event_bytes.h"

#include <cstring>
#include <string>
#include <string_view>

namespace culprit {

/// A system call of a recording.
struct WalkedCall {
  abi::CallEvent call;
  uint64_t number = 0; ///< of its event, from 1; stretches of bytes are none of their own
  std::string bytes;   ///< that it wrote to the program's memory, in its order

  bool isDone() const { return call.result >= 0 || call.result < -4095; }
  int descriptor() const { return static_cast<int>(call.arguments[0]); }
};

/// Adds `count` stretches that begin at `from`.
inline void addStretches(std::string &bytes, const char *from, uint64_t count) {
  for (; count > 0; --count) {
    abi::WrittenBytes stretch;
    std::memcpy(&stretch, from, sizeof stretch);
    bytes.append(from + sizeof stretch, stretch.size);
    from += sizeof stretch + (stretch.size + 7) / 8 * 8;
  }
}

/// The same for events that lie together; `walked` is what the last ones have left.
template <typename OnEvent, typename OnCall>
void walkPiece(WalkedCall &walked, std::string_view events, OnEvent &onEvent, OnCall &onCall) {
  for (size_t at = 0; at < events.size();) {
    const char *place = events.data() + at;
    abi::Event event;
    std::memcpy(&event, place, sizeof event);
    at += event.size;
    if (event.kind == abi::EventKind::Bytes) {
      addStretches(walked.bytes, place + sizeof event, 1);
      continue;
    }
    onEvent(event, ++walked.number, place);
    if (event.kind != abi::EventKind::Call)
      continue;
    std::memcpy(&walked.call, place, sizeof walked.call);
    addStretches(walked.bytes, place + sizeof walked.call, walked.call.writes);
    onCall(walked);
    walked.bytes.clear();
  }
}

/// Calls `onEvent` with each event, its number and its bytes, and then `onCall` if it is a call.
/// The events must be well-formed (log.h).
template <typename OnEvent, typename OnCall>
void walkEvents(const EventBytes &events, OnEvent onEvent, OnCall onCall) {
  WalkedCall walked;
  for (const EventBytes::Piece &piece : events.pieces())
    walkPiece(walked, events.bytes(piece), onEvent, onCall);
}

} // namespace culprit
#endif

// The log of a recording: one file, `log`, of chunks that are only ever added.
//
// A chunk is a header, then bytes, packed (zstd) if that makes them fewer and there is time for it,
// then zeros, so that the bytes of every chunk are aligned to 8, and those that the program writes
// itself mostly to pages.
// Both have checksums, so a chunk is whole or it is not there: whatever kills the recorder, the
// file is readable up to the last one. The first chunk is the description (meta.h), then come
// chunks of events (abi/recording.h), and if the program's end was seen, one that says how it
// ended. Contents of files that the program mapped are beside it in `files/NUMBER`, each one such
// chunk. With a limit on the size, events are in parts beside it (event_log.h).
#ifndef CULPRIT_RECORDING_LOG_H
#define CULPRIT_RECORDING_LOG_H

#include "abi/recording.h"
#include "recording/event_bytes.h"
#include "recording/log_source.h"
#include "recording/meta.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace culprit {

using abi::ChunkHeader;
using abi::ChunkKind;

inline constexpr uint32_t kMostChunk = 1 << 30;

/// How the recorded program ended.
struct RecordedEnd {
  int32_t status;      ///< as culprit passed it on
  int32_t signal;      ///< that it died of, or 0
  uint64_t clock;      ///< counted points that it had passed
  uint32_t isExecuted; ///< it became another program
  uint32_t isCut;      ///< its last events are missing: they could not be written
};

/// For `size` bytes that are stored as `packed`; zeros follow them up to a multiple of 8.
ChunkHeader headerOf(ChunkKind kind, uint64_t sequence, uint64_t size, std::string_view packed);
std::string packChunk(ChunkKind kind, uint64_t sequence, std::string_view bytes);

struct Chunk {
  ChunkHeader header;
  std::string bytes;
};

/// Takes the next chunk off `bytes`. Nothing: the rest is the beginning of a chunk. Throws Failure
/// when it is damaged; `name` is for the message.
std::optional<Chunk> takeChunk(std::string_view &bytes, const std::string &name);

/// A recording as far as it is there.
struct RecordedLog {
  RecordingMeta meta;
  std::string checkpoint; ///< memory that the events start from; empty: they start at the start
  EventBytes events;
  uint64_t eventCount = 0;
  std::set<int64_t> files;            ///< numbers of kept files that the events mention
  int64_t loader = -1;                ///< of the dynamic loader among them
  std::optional<abi::StopEvent> stop; ///< the program has stopped the recording
  std::optional<RecordedEnd> end;     ///< nothing: the recorder was killed
  bool isTorn = false;                ///< the last chunk is not whole
};

/// Throws Failure when it is none, is of another version, or is damaged.
RecordedLog parseLog(LogSource &source, const std::string &name);
RecordedLog parseLog(std::string_view bytes, const std::string &name);
/// Adds the events of the next part (event_log.h); the first one that is read may bring a
/// checkpoint.
void parsePart(LogSource &source, const std::string &name, bool isFirst, RecordedLog &log);
RecordedLog readLog(const std::filesystem::path &folder);

/// Notes in `log` what `events` are, all of which must be well-formed. Throws Failure otherwise.
void noteEvents(std::string_view events, const std::string &name, RecordedLog &log);

/// Where things are in a recording's folder.
std::filesystem::path logIn(const std::filesystem::path &folder);
std::filesystem::path partIn(const std::filesystem::path &folder, int64_t number);
/// The numbers of the parts that are there.
std::set<int64_t> partsOf(const std::filesystem::path &folder);
std::filesystem::path keptFileIn(const std::filesystem::path &folder, int64_t number);

} // namespace culprit
#endif

// Where a recorder's events go: into the log, or, with a limit on the size, into parts beside it,
// `events-NUMBER`, of which the oldest are dropped.
//
// A part is a log of its own: chunks from sequence 0 on. Every part but the first begins with a
// checkpoint, so that a replay can start there. Files that were mapped before are in its memory,
// and are dropped with the last part that mentions them.
#ifndef CULPRIT_RECORDING_EVENT_LOG_H
#define CULPRIT_RECORDING_EVENT_LOG_H

#include "recording/log_writer.h"

#include <deque>
#include <filesystem>
#include <memory>
#include <set>
#include <string>

namespace culprit {

class EventLog {
public:
  /// `limit`: bytes on disk; 0: none, and all goes into `log`.
  EventLog(std::filesystem::path folder, LogWriter &log, uint64_t limit);

  /// Returns the system's reason when it cannot be written, else nothing. With a limit they are
  /// always packed.
  std::string append(std::string_view events, Packing packing);
  /// Begins a part with a checkpoint's memory.
  std::string begin(std::string_view checkpoint);
  /// A file's contents were kept; the events that follow need it.
  void noteFile(int64_t number) { parts_.back().files.insert(number); }
  /// Drops the oldest parts until the rest fits. Returns the files that went with them.
  std::set<int64_t> dropOld();

  bool hasLimit() const { return limit_ != 0; }
  /// So many bytes more, and it is time for a checkpoint; packed, they may be fewer.
  uint64_t roomInPart() const;
  /// The largest number of bytes to append at once, so that parts end where they should.
  uint64_t chunkLimit() const;
  /// Nothing could be dropped although there is too much.
  bool isAboveLimit() const { return limit_ != 0 && parts_.front().number == 0 && size() > limit_; }
  LogPosition position() const { return writer().position(); }
  int64_t part() const { return limit_ == 0 ? -1 : parts_.back().number; }

private:
  struct Part {
    int64_t number = 0;
    uint64_t size = 0;
    std::set<int64_t> files;
  };

  LogWriter &writer() const { return part_ ? *part_ : log_; }
  uint64_t size() const; ///< on disk

  std::filesystem::path folder_;
  LogWriter &log_;
  std::unique_ptr<LogWriter> part_; ///< null: no limit
  uint64_t limit_;
  uint64_t checkpointSize_ = 0;
  std::deque<Part> parts_{Part()};
};

} // namespace culprit
#endif

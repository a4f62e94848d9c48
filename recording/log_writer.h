// Adds chunks to the log of a recording; see log.h for what they are.
//
// A chunk that cannot be written in full (a full disk) is taken back, so that the log ends with a
// whole one. Whoever reads the log while the last events are still being saved (keeper.h) waits for
// that: two locks on the file say so.
#ifndef CULPRIT_RECORDING_LOG_WRITER_H
#define CULPRIT_RECORDING_LOG_WRITER_H

#include "recording/log.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace culprit {

/// Where the next chunk goes.
struct LogPosition {
  uint64_t size = 0;
  uint64_t sequence = 0;
};

/// Packing costs more time than most programs take to read the same bytes.
enum class Packing : uint8_t { Packed, Stored };

class LogWriter {
public:
  /// Makes the file, which must not be there. Throws Failure.
  explicit LogWriter(const std::filesystem::path &path);
  /// Goes on with a log that is there.
  LogWriter(const std::filesystem::path &path, const LogPosition &position);
  ~LogWriter();
  LogWriter(const LogWriter &) = delete;
  LogWriter &operator=(const LogWriter &) = delete;

  /// Returns the system's reason when it cannot be written, else nothing.
  std::string append(ChunkKind kind, std::string_view bytes, Packing packing = Packing::Packed);

  int descriptor() const { return file_; }
  const LogPosition &position() const { return position_; }
  /// Goes on after the chunks that another process has added; what is behind them is dropped.
  void goOnAt(const LogPosition &position);
  /// The same where all that is in the file are whole chunks. False: it is shorter than that.
  bool follow(const LogPosition &position);

  /// Drops what is behind the last whole chunk, and what was allocated for more.
  void takeBack() const;

private:
  int file_ = -1;
  LogPosition position_;
};

/// Returns the system's reason, or nothing.
std::string writeAll(int file, std::string_view bytes);

/// Waits while a recording is being saved whose recorder was killed; not for one that goes on.
void waitForKeeper(const std::filesystem::path &log);

} // namespace culprit
#endif

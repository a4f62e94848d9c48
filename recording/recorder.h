// The host's side of a recording that is being made: takes events out of the ring and writes them
// to disk, in a thread of its own.
//
// The ring is memory that the recorded program shares. It is drained every 25 ms, and when the
// program rings; a program that makes more than there is time to pack writes it to the log itself
// (runtime/recorder/own_log.cpp). What is in the ring is safe when the program is killed, and when
// the recorder is (keeper.h). What cannot be written (a full disk) is dropped from there on: the
// recording says so, the program goes on.
#ifndef CULPRIT_RECORDING_RECORDER_H
#define CULPRIT_RECORDING_RECORDER_H

#include "recording/event_log.h"
#include "recording/keeper.h"
#include "recording/log_writer.h"
#include "recording/packed_files.h"
#include "recording/ring.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <thread>
#include <tuple>

namespace culprit {

class Recorder {
public:
  /// Makes the folder and writes the description. Throws Failure when that is not possible.
  /// `limit`: bytes on disk, of which the last are kept; 0: none.
  Recorder(std::filesystem::path folder, const RecordingMeta &meta, PackedFiles &packedFiles,
           uint64_t limit);
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Under this path the program finds the ring.
  const std::string &ringPath() const { return ring_.path(); }
  /// Under this one the log.
  std::string logPath() const;

  /// The program has been started.
  void begin(pid_t program);
  /// It has ended: takes what is left.
  void end(int status, int signal);

  /// Why the recording is not complete; empty: it is.
  const std::string &trouble() const { return trouble_; }
  /// The size is above the limit, for the program's memory could not be kept.
  bool isAboveLimit() const { return isAboveLimit_; }
  /// The program has stopped the recording: the event, if there was one.
  const std::optional<abi::StopEvent> &stop() const { return stop_; }

private:
  void work();
  void drain(bool isLast);
  bool followProgram();
  void answer();
  int64_t keepFile(int descriptor);
  std::optional<std::string> packedFile(const std::string &path, const struct stat &status);
  void append(ChunkKind kind, std::string_view bytes);
  void add(std::string_view events);
  Packing packingFor(std::string_view events);
  void takeCheckpointIfMade();
  void wantCheckpoint();
  void dropOld();
  void noteSaved();
  void noteStop(std::string_view events);
  void giveUp(const std::string &why);

  using FileId = std::tuple<uint64_t, uint64_t, uint64_t, int64_t, int64_t>;

  std::filesystem::path folder_;
  PackedFiles &packedFiles_;
  LogWriter log_;
  std::unique_ptr<EventLog> events_;
  Ring ring_;
  abi::RecordingState &state_;
  std::unique_ptr<Keeper> keeper_;
  pid_t program_ = 0;
  uint64_t drained_ = 0;              ///< bytes of the ring that were taken
  Packing packing_ = Packing::Packed; ///< of the last events
  double packingRate_ = 0;            ///< seconds that a byte takes
  double used_ = 0;                   ///< seconds of processor time that the program has had
  uint64_t judged_ = 0;               ///< bytes that it has had them for
  int looks_ = 0;
  std::string trouble_;
  bool isAboveLimit_ = false;
  bool isTooLarge_ = false; ///< the program's memory cannot be kept
  std::optional<abi::StopEvent> stop_;
  std::map<FileId, int64_t> kept_;
  int64_t nextFile_ = 0;
  std::atomic<bool> isDone_ = false;
  std::thread thread_;
};

} // namespace culprit
#endif

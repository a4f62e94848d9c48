// The host's side of a recording that is being made: takes events out of the ring and writes them
// to disk, in a thread of its own.
//
// The ring is memory that the recorded program shares. It is drained every few milliseconds, and
// when the program rings: so whatever is killed, next to nothing is lost. What cannot be written (a
// full disk) is dropped from there on: the recording says so, the program goes on.
#ifndef CULPRIT_RECORDING_RECORDER_H
#define CULPRIT_RECORDING_RECORDER_H

#include "abi/recording.h"
#include "recording/log.h"

#include <atomic>
#include <filesystem>
#include <map>
#include <string>
#include <sys/types.h>
#include <thread>
#include <tuple>

namespace culprit {

class Recorder {
public:
  /// Makes the folder and writes the description. Throws Failure when that is not possible.
  Recorder(std::filesystem::path folder, const RecordingMeta &meta);
  ~Recorder();
  Recorder(const Recorder &) = delete;
  Recorder &operator=(const Recorder &) = delete;

  /// Under this path the program finds the ring.
  const std::string &ringPath() const { return ringPath_; }

  /// The program has been started.
  void begin(pid_t program);
  /// It has ended: takes what is left.
  void end(int status, int signal);

  /// Why the recording is not complete; empty: it is.
  const std::string &trouble() const { return trouble_; }
  /// The program has stopped the recording: the event, if there was one.
  const std::optional<abi::StopEvent> &stop() const { return stop_; }
  uint64_t bytesWritten() const { return bytesWritten_; }

private:
  void work();
  void drain();
  void answer();
  int64_t keepFile(int descriptor);
  void append(ChunkKind kind, std::string_view bytes);
  void noteStop(std::string_view events);
  void giveUp(const std::string &why);

  using FileId = std::tuple<uint64_t, uint64_t, uint64_t, int64_t, int64_t>;

  std::filesystem::path folder_;
  int log_ = -1;
  int ring_ = -1;
  std::string ringPath_;
  abi::RecordingState *state_ = nullptr;
  const char *events_ = nullptr;
  pid_t program_ = 0;
  uint64_t sequence_ = 0;
  uint64_t bytesWritten_ = 0;
  std::string trouble_;
  std::optional<abi::StopEvent> stop_;
  std::map<FileId, int64_t> kept_;
  std::atomic<bool> isDone_ = false;
  std::thread thread_;
};

} // namespace culprit
#endif

// See replay_files.h.
#include "cli/replay_files.h"

#include "abi/recording.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

void writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t done = write(file, bytes.data(), bytes.size());
    if (done < 0)
      failUsage("cannot lay out the recording in memory: {}", std::strerror(errno));
    bytes.remove_prefix(static_cast<size_t>(done));
  }
}

/// A program that was killed from outside dies at the same point again.
std::string deathOf(const RecordedLog &log) {
  if (!log.end || log.end->isCut || log.end->signal != SIGKILL)
    return "";
  abi::SignalEvent death = {};
  death.event = {sizeof death, abi::EventKind::Signal,
                 static_cast<uint8_t>(abi::SignalMoment::AtEnd), 1, log.end->clock};
  death.signal = SIGKILL;
  return {reinterpret_cast<const char *>(&death), sizeof death};
}

} // namespace

ReplayFiles::ReplayFiles(const fs::path &recording, const RecordedLog &log) : loader_(log.loader) {
  layOutEvents(log);
  layOutCheckpoint(log);
  std::string folder = (fs::temp_directory_path() / "culprit-replay-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    failUsage("cannot make a folder for the replay in '{}': {}", fs::temp_directory_path().string(),
              std::strerror(errno));
  folder_ = folder;
  unpackFiles(recording, log.files);
}

ReplayFiles::~ReplayFiles() {
  std::error_code ignored;
  if (!folder_.empty())
    fs::remove_all(folder_, ignored);
  if (events_ >= 0)
    close(events_);
  if (checkpoint_ >= 0)
    close(checkpoint_);
}

/// The events are where they were unpacked; a death goes behind them.
void ReplayFiles::layOutEvents(const RecordedLog &log) {
  events_ = log.events.empty() ? memfd_create("culprit-events", MFD_CLOEXEC)
                               : fcntl(log.events.file(), F_DUPFD_CLOEXEC, 0);
  std::string death = deathOf(log);
  size_ = log.events.size() + death.size();
  if (events_ < 0 || lseek(events_, static_cast<off_t>(log.events.size()), SEEK_SET) < 0)
    failUsage("cannot make memory for the replay: {}", std::strerror(errno));
  writeAll(events_, death);
}

void ReplayFiles::layOutCheckpoint(const RecordedLog &log) {
  if (log.checkpoint.empty())
    return;
  checkpoint_ = memfd_create("culprit-checkpoint", MFD_CLOEXEC);
  if (checkpoint_ < 0)
    failUsage("cannot make memory for the replay: {}", std::strerror(errno));
  writeAll(checkpoint_, log.checkpoint);
  checkpointSize_ = log.checkpoint.size();
}

void ReplayFiles::unpackFiles(const fs::path &recording, const std::set<int64_t> &files) {
  for (int64_t number : files) {
    fs::path path = keptFileIn(recording, number);
    std::string packed = readFile(path);
    std::string_view rest = packed;
    std::optional<Chunk> chunk = takeChunk(rest, path.string());
    if (!chunk || chunk->header.kind != ChunkKind::File)
      failUsage("'{}' is damaged: it is not whole; record anew, or restore it from a copy",
                path.string());
    writeFileAtomically(folder_ / std::to_string(number), chunk->bytes);
  }
}

std::string ReplayFiles::eventsPath() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), events_);
}

std::vector<std::string> ReplayFiles::words() const {
  std::vector<std::string> words{"replay=" + eventsPath(), fmt::format("replaysize={}", size_),
                                 "replayfiles=" + folder_.string()};
  if (checkpoint_ >= 0) {
    words.push_back(fmt::format("replayfrom=/proc/{}/fd/{}", getpid(), checkpoint_));
    words.push_back(fmt::format("replayfromsize={}", checkpointSize_));
  }
  if (loader_ >= 0)
    words.push_back("replayloader=" + (folder_ / std::to_string(loader_)).string());
  return words;
}

} // namespace culprit

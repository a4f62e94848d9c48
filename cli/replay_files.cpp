// See replay_files.h.
#include "cli/replay_files.h"

#include "abi/recording.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
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

template <typename Visit> void forEachEvent(const std::string &events, Visit visit) {
  for (size_t at = 0; at < events.size();) {
    const auto *event = reinterpret_cast<const abi::Event *>(events.data() + at);
    visit(*event);
    at += event->size;
  }
}

} // namespace

ReplayFiles::ReplayFiles(const fs::path &recording, const RecordedLog &log) {
  layOutEvents(log);
  layOutCheckpoint(log);
  std::string folder = (fs::temp_directory_path() / "culprit-replay-XXXXXX").string();
  if (!mkdtemp(folder.data()))
    failUsage("cannot make a folder for the replay in '{}': {}", fs::temp_directory_path().string(),
              std::strerror(errno));
  folder_ = folder;
  unpackFiles(recording, log.events);
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

void ReplayFiles::layOutEvents(const RecordedLog &log) {
  events_ = memfd_create("culprit-events", MFD_CLOEXEC);
  if (events_ < 0)
    failUsage("cannot make memory for the replay: {}", std::strerror(errno));
  std::string death = deathOf(log);
  writeAll(events_, log.events);
  writeAll(events_, death);
  size_ = log.events.size() + death.size();
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

void ReplayFiles::unpackFiles(const fs::path &recording, const std::string &events) {
  std::set<int64_t> wanted;
  forEachEvent(events, [&](const abi::Event &event) {
    int64_t file = -1;
    if (event.kind == abi::EventKind::Call)
      file = reinterpret_cast<const abi::CallEvent &>(event).file;
    else if (event.kind == abi::EventKind::Start)
      file = loader_ = reinterpret_cast<const abi::StartEvent &>(event).loader;
    if (file >= 0)
      wanted.insert(file);
  });
  for (int64_t number : wanted) {
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

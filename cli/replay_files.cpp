// See replay_files.h.
#include "cli/replay_files.h"

#include "abi/recording.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr uint64_t kPage = 4096;

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

ReplayFiles::ReplayFiles(const fs::path &recording, const RecordedLog &log)
    : loader_(log.loader), folder_("replay") {
  layOutEvents(log);
  layOutCheckpoint(log);
  unpackFiles(recording, log.files);
}

ReplayFiles::~ReplayFiles() {
  for (int file : {events_, log_, checkpoint_})
    if (file >= 0)
      close(file);
}

/// The events are where they were unpacked, and in the log. Behind the former go a death, and the
/// list of pieces.
void ReplayFiles::layOutEvents(const RecordedLog &log) {
  const EventBytes &events = log.events;
  events_ = events.memory() < 0 ? memfd_create("culprit-events", MFD_CLOEXEC)
                                : fcntl(events.memory(), F_DUPFD_CLOEXEC, 0);
  log_ = events.log() < 0 ? -1 : fcntl(events.log(), F_DUPFD_CLOEXEC, 0);
  logSize_ = events.logSize();
  std::string death = deathOf(log);
  pieces_ = events.pieces().size() + (death.empty() ? 0 : 1);
  size_ = events.memorySize() + death.size() + pieces_ * sizeof(abi::EventPiece);
  uint64_t logBase = abi::kRecorderBase + (size_ + kPage - 1) / kPage * kPage;
  std::string list;
  auto add = [&](uint64_t begin, uint64_t size) {
    abi::EventPiece piece{begin, begin + size};
    list.append(reinterpret_cast<const char *>(&piece), sizeof piece);
  };
  for (const EventBytes::Piece &piece : events.pieces())
    add((piece.isInLog ? logBase : abi::kRecorderBase) + piece.offset, piece.size);
  if (!death.empty())
    add(abi::kRecorderBase + events.memorySize(), death.size());
  if (events_ < 0 || lseek(events_, static_cast<off_t>(events.memorySize()), SEEK_SET) < 0)
    failUsage("cannot make memory for the replay: {}", std::strerror(errno));
  writeAll(events_, death + list);
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
    writeFileAtomically(folder_.path() / std::to_string(number), chunk->bytes);
  }
}

std::string ReplayFiles::pathOf(int file) {
  return fmt::format("/proc/{}/fd/{}", getpid(), file);
}

std::vector<std::pair<std::string, int>> ReplayFiles::events() const {
  std::vector<std::pair<std::string, int>> files{{pathOf(events_), events_}};
  if (log_ >= 0)
    files.emplace_back(pathOf(log_), log_);
  return files;
}

std::vector<std::string> ReplayFiles::words() const {
  std::vector<std::string> words{"replay=" + pathOf(events_), fmt::format("replaysize={}", size_),
                                 fmt::format("replaypieces={}", pieces_),
                                 "replayfiles=" + folder_.path().string()};
  if (log_ >= 0) {
    words.push_back("replaylog=" + pathOf(log_));
    words.push_back(fmt::format("replaylogsize={}", logSize_));
  }
  if (checkpoint_ >= 0) {
    words.push_back("replayfrom=" + pathOf(checkpoint_));
    words.push_back(fmt::format("replayfromsize={}", checkpointSize_));
  }
  if (loader_ >= 0)
    words.push_back("replayloader=" + (folder_.path() / std::to_string(loader_)).string());
  return words;
}

} // namespace culprit

// See log_writer.h.
#include "recording/log_writer.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace culprit {
namespace {

/// Bytes of the file that are locked, as signs. The recorder's own lock ends with its process; the
/// other one belongs to the open file, which the keeper shares.
enum class Sign : off_t { Recorder, RecorderOrKeeper };

struct flock lockOf(Sign sign, short type) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(sign);
  lock.l_len = 1;
  return lock;
}

bool isLocked(int file, Sign sign) {
  struct flock lock = lockOf(sign, F_RDLCK);
  return fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

} // namespace

std::string writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t done = write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR)
      continue;
    if (done <= 0)
      return done == 0 ? "nothing was written" : std::strerror(errno);
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return "";
}

LogWriter::LogWriter(const std::filesystem::path &path) {
  file_ = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (file_ < 0)
    failUsage("cannot make '{}': {}", path.string(), std::strerror(errno));
  // Where there are no locks, nobody waits.
  struct flock shared = lockOf(Sign::RecorderOrKeeper, F_WRLCK);
  fcntl(file_, F_OFD_SETLK, &shared);
  struct flock own = lockOf(Sign::Recorder, F_WRLCK);
  fcntl(file_, F_SETLK, &own);
}

LogWriter::LogWriter(const std::filesystem::path &path, const LogPosition &position)
    : file_(open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)) {
  if (file_ >= 0)
    goOnAt(position);
}

LogWriter::~LogWriter() {
  if (file_ >= 0)
    close(file_);
}

std::string LogWriter::append(ChunkKind kind, std::string_view bytes, Packing packing) {
  uint64_t size = sizeof(ChunkHeader) + bytes.size();
  std::string error;
  if (packing == Packing::Packed) {
    std::string chunk = packChunk(kind, position_.sequence, bytes);
    size = chunk.size();
    error = writeAll(file_, chunk);
  } else {
    ChunkHeader header = headerOf(kind, position_.sequence, bytes.size(), bytes);
    error = writeAll(file_, {reinterpret_cast<const char *>(&header), sizeof header});
    if (error.empty())
      error = writeAll(file_, bytes);
    if (error.empty())
      error = writeAll(file_, std::string(header.fill, '\0'));
    size += header.fill;
  }
  if (!error.empty()) {
    takeBack();
    return error;
  }
  position_.size += size;
  ++position_.sequence;
  return "";
}

void LogWriter::goOnAt(const LogPosition &position) {
  position_ = position;
  takeBack();
}

bool LogWriter::follow(const LogPosition &position) {
  struct stat status = {};
  if (fstat(file_, &status) != 0 || static_cast<uint64_t>(status.st_size) < position.size)
    return false;
  position_ = position;
  if (static_cast<uint64_t>(status.st_size) > position.size)
    takeBack();
  return true;
}

void LogWriter::takeBack() const {
  // If that fails the log ends in the middle of a chunk, which readers can do with.
  [[maybe_unused]] int ignored = ftruncate(file_, static_cast<off_t>(position_.size));
}

void waitForKeeper(const std::filesystem::path &log) {
  constexpr int kMostRounds = 2000;
  constexpr std::chrono::milliseconds kRound{5};
  int file = open(log.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return;
  for (int i = 0; i < kMostRounds; ++i) {
    if (isLocked(file, Sign::Recorder) || !isLocked(file, Sign::RecorderOrKeeper))
      break;
    std::this_thread::sleep_for(kRound);
  }
  close(file);
}

} // namespace culprit

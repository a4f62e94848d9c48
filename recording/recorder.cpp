// See recorder.h.
#include "recording/recorder.h"

#include "support/diagnostics.h"
#include "support/files.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr long kInterval = 25'000'000; ///< nanoseconds between two drains
constexpr size_t kMapped = abi::kStatePage + abi::kRingSize;

/// Returns the system's reason, or nothing.
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

void makeFolder(const fs::path &folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_empty(folder, error))
    failUsage("'{}' is there already; choose another place for the recording, or remove it with "
              "'culprit rm'",
              folder.string());
  fs::create_directories(folder.parent_path().empty() ? "." : folder.parent_path(), error);
  mkdir(folder.c_str(), 0700);
  if (chmod(folder.c_str(), 0700) != 0 || mkdir((folder / "files").c_str(), 0700) != 0)
    failUsage("cannot make the folder '{}' for the recording: {}", folder.string(),
              std::strerror(errno));
}

} // namespace

Recorder::Recorder(fs::path folder, const RecordingMeta &meta) : folder_(std::move(folder)) {
  makeFolder(folder_);
  log_ = open(logIn(folder_).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (log_ < 0)
    failUsage("cannot make '{}': {}", logIn(folder_).string(), std::strerror(errno));
  append(ChunkKind::Meta, meta.serialise());
  if (!trouble_.empty())
    failUsage("{}", trouble_);
  ring_ = memfd_create("culprit-ring", MFD_CLOEXEC);
  void *map = MAP_FAILED;
  // All of it at once: a page that is not there later would end the program.
  if (ring_ >= 0 && fallocate(ring_, 0, 0, static_cast<off_t>(kMapped)) == 0)
    map = mmap(nullptr, kMapped, PROT_READ | PROT_WRITE, MAP_SHARED, ring_, 0);
  if (map == MAP_FAILED)
    failUsage("cannot make the memory for the recording: {}", std::strerror(errno));
  state_ = static_cast<abi::RecordingState *>(map);
  events_ = static_cast<const char *>(map) + abi::kStatePage;
  state_->countdown = abi::kClockStart;
  state_->isActive = 1;
  state_->wantedFile = -1;
  ringPath_ = fmt::format("/proc/{}/fd/{}", getpid(), ring_);
}

Recorder::~Recorder() {
  isDone_ = true;
  if (thread_.joinable())
    thread_.join();
  if (state_)
    munmap(state_, kMapped);
  if (ring_ >= 0)
    close(ring_);
  if (log_ >= 0)
    close(log_);
}

void Recorder::begin(pid_t program) {
  program_ = program;
  sigset_t all;
  sigset_t old;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  thread_ = std::thread([this] { work(); });
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void Recorder::work() {
  uint32_t seen = 0;
  while (!isDone_) {
    uint32_t bell = __atomic_load_n(&state_->bell, __ATOMIC_ACQUIRE);
    if (bell == seen) {
      timespec time{0, kInterval};
      syscall(SYS_futex, &state_->bell, FUTEX_WAIT, seen, &time, nullptr, 0);
    }
    seen = bell;
    drain();
    answer();
  }
}

void Recorder::drain() {
  uint64_t end = __atomic_load_n(&state_->written, __ATOMIC_ACQUIRE);
  uint64_t begin = state_->drained;
  if (begin == end)
    return;
  if (end - begin > abi::kRingSize || end < begin) {
    giveUp("the program has overwritten the memory of the recording");
    return;
  }
  std::string events;
  uint64_t at = begin % abi::kRingSize;
  uint64_t first = std::min(end - begin, abi::kRingSize - at);
  events.assign(events_ + at, first);
  events.append(events_, end - begin - first);
  __atomic_store_n(&state_->drained, end, __ATOMIC_RELEASE);
  __atomic_add_fetch(&state_->answered, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &state_->answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  noteStop(events);
  append(ChunkKind::Events, events);
}

void Recorder::noteStop(std::string_view events) {
  if (events.size() < sizeof(abi::StopEvent))
    return;
  abi::StopEvent last;
  std::memcpy(&last, events.data() + events.size() - sizeof last, sizeof last);
  if (last.event.kind == abi::EventKind::Stop && last.event.size == sizeof last &&
      last.reason >= abi::StopReason::Thread && last.reason <= abi::StopReason::UnreadableState)
    stop_ = last;
}

/// The program wants the contents of a file that it maps to be kept.
void Recorder::answer() {
  int descriptor = __atomic_load_n(&state_->wantedFile, __ATOMIC_ACQUIRE);
  if (descriptor < 0)
    return;
  state_->foundFile = static_cast<int32_t>(keepFile(descriptor));
  __atomic_store_n(&state_->wantedFile, -1, __ATOMIC_RELEASE);
  __atomic_add_fetch(&state_->answered, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &state_->answered, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

int64_t Recorder::keepFile(int descriptor) {
  std::string path = fmt::format("/proc/{}/fd/{}", program_, descriptor);
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0)
    return -1;
  FileId id{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec};
  if (auto found = kept_.find(id); found != kept_.end())
    return found->second;
  auto number = static_cast<int64_t>(kept_.size());
  try {
    std::string bytes = readFile(path);
    if (bytes.size() >= kMostChunk)
      return -1;
    fs::path to = keptFileIn(folder_, number);
    int file = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    std::string error =
        file < 0 ? std::strerror(errno) : writeAll(file, packChunk(ChunkKind::File, 0, bytes));
    if (file >= 0)
      close(file);
    if (!error.empty())
      giveUp(fmt::format("cannot write '{}': {}", to.string(), error));
  } catch (const Failure &) {
    return -1;
  }
  kept_[id] = number;
  return number;
}

void Recorder::append(ChunkKind kind, std::string_view bytes) {
  if (!trouble_.empty())
    return;
  std::string chunk = packChunk(kind, sequence_++, bytes);
  if (std::string error = writeAll(log_, chunk); !error.empty())
    giveUp(fmt::format("cannot write '{}': {}", logIn(folder_).string(), error));
  bytesWritten_ += chunk.size();
}

void Recorder::giveUp(const std::string &why) {
  if (trouble_.empty())
    trouble_ = why;
}

void Recorder::end(int status, int signal) {
  isDone_ = true;
  __atomic_add_fetch(&state_->bell, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &state_->bell, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  if (thread_.joinable())
    thread_.join();
  drain();
  if (state_->written == 0)
    giveUp("the program did not take part: it was linked with a linker script of its own, or ended "
           "before its first instruction");
  int64_t passed = state_->isSaved
                       ? abi::kClockStart - state_->saved + state_->armed - state_->countdown
                       : abi::kClockStart - state_->countdown;
  constexpr uint32_t kExecuting = 2;
  RecordedEnd end{status, signal, static_cast<uint64_t>(passed),
                  state_->isActive == kExecuting ? 1U : 0U};
  if (end.isExecuted)
    stop_ = abi::StopEvent{{sizeof(abi::StopEvent), abi::EventKind::Stop, 0, 1, end.clock},
                           abi::StopReason::Execute,
                           0};
  append(ChunkKind::End, {reinterpret_cast<const char *>(&end), sizeof end});
}

} // namespace culprit

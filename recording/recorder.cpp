// See recorder.h.
#include "recording/recorder.h"

#include "recording/checkpoint.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

constexpr long kInterval = 25'000'000; ///< nanoseconds between two drains
/// Packing may take so much of the time that the program has taken for the same events.
constexpr double kMostPacking = 0.3;
constexpr size_t kSample = 1 << 17; ///< packed to see how long it takes

constexpr const char *kOverwritten = "the program has overwritten the memory of the recording";

double processorTime(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Seconds of processor time that it takes to pack `bytes`, as far as their beginning tells.
double packingTime(std::string_view bytes) {
  double begin = processorTime(CLOCK_THREAD_CPUTIME_ID);
  packChunk(ChunkKind::Events, 0, bytes.substr(0, kSample));
  double sample = processorTime(CLOCK_THREAD_CPUTIME_ID) - begin;
  return sample * static_cast<double>(bytes.size()) / kSample;
}

/// Returns where the log goes.
fs::path makeFolder(const fs::path &folder) {
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
  return logIn(folder);
}

} // namespace

Recorder::Recorder(fs::path folder, const RecordingMeta &meta, PackedFiles &packedFiles,
                   uint64_t limit)
    : folder_(std::move(folder)), packedFiles_(packedFiles), log_(makeFolder(folder_)),
      state_(ring_.state()) {
  append(ChunkKind::Meta, meta.serialise());
  if (!trouble_.empty()) {
    for (const fs::path &made : {logIn(folder_), folder_ / "files", folder_}) {
      std::error_code ignored;
      fs::remove(made, ignored);
    }
    failUsage("{}", trouble_);
  }
  events_ = std::make_unique<EventLog>(folder_, log_, limit);
  state_.room = events_->chunkLimit();
  wantCheckpoint();
  noteSaved();
  keeper_ = std::make_unique<Keeper>(folder_, ring_, log_);
}

Recorder::~Recorder() {
  isDone_ = true;
  if (thread_.joinable())
    thread_.join();
}

std::string Recorder::logPath() const {
  return fmt::format("/proc/{}/fd/{}", getpid(), log_.descriptor());
}

void Recorder::begin(pid_t program) {
  program_ = program;
  keeper_->noteProgram(program);
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
    uint32_t bell = __atomic_load_n(&state_.bell, __ATOMIC_ACQUIRE);
    if (bell == seen)
      ring_.waitForBell(seen, kInterval);
    seen = bell;
    drain(false);
    answer();
  }
}

/// The ring's room is free for the program only when its events are in the log. `isLast`: the
/// program has ended, perhaps while it wrote to the log.
void Recorder::drain(bool isLast) {
  if (!ring_.takeTurn(isLast))
    return;
  if (followProgram() && !isLast) { // what is left is in its processor's cache
    ring_.endTurn();
    return;
  }
  takeCheckpointIfMade();
  std::optional<std::string_view> events = ring_.from(drained_);
  if (!events) {
    giveUp(kOverwritten);
    drained_ = state_.written; // the program must not wait for room
    noteSaved();
  }
  // One that was made meanwhile splits them: the next round.
  bool isSplit = __atomic_load_n(&state_.isCheckpointMade, __ATOMIC_ACQUIRE) != 0;
  if (events && !isSplit && !events->empty())
    add(*events);
  wantCheckpoint();
  ring_.endTurn();
}

/// What the program has written to the log itself; it may have done so after what went wrong here.
/// False: nothing.
bool Recorder::followProgram() {
  if (events_->hasLimit())
    return false;
  abi::LogPlace place = ring_.place();
  if (place.drained < drained_ || !log_.follow({place.size, place.sequence})) {
    giveUp(kOverwritten);
    return false;
  }
  bool hasWritten = place.drained > drained_;
  drained_ = place.drained;
  return hasWritten;
}

void Recorder::add(std::string_view events) {
  noteStop(events);
  if (trouble_.empty())
    if (std::string error = events_->append(events, packingFor(events)); !error.empty())
      giveUp(fmt::format("cannot write the recording '{}': {}", folder_.string(), error));
  drained_ += events.size();
  noteSaved();
  dropOld();
  ring_.ringBack();
}

/// There is time to pack events if that takes a small part of the time that the program has taken
/// for them. Else it had better write them to the log itself.
Packing Recorder::packingFor(std::string_view events) {
  constexpr int kLooksBetweenSamples = 16;
  clockid_t clock = 0;
  if (clock_getcpuclockid(program_, &clock) != 0) // it has ended
    return packing_;
  double used = processorTime(clock);
  uint64_t end = drained_ + events.size();
  uint64_t fresh = end - judged_;
  if (events.size() > kSample &&
      (packing_ == Packing::Packed || ++looks_ % kLooksBetweenSamples == 0))
    packingRate_ = packingTime(events) / static_cast<double>(events.size());
  bool isTooSlow =
      fresh > kSample && packingRate_ * static_cast<double>(fresh) > kMostPacking * (used - used_);
  packing_ = isTooSlow ? Packing::Stored : Packing::Packed;
  used_ = used;
  judged_ = end;
  bool isOwn = isTooSlow && !events_->hasLimit();
  __atomic_store_n(&state_.isOwnWriter, isOwn ? 1U : 0U, __ATOMIC_RELEASE);
  return packing_;
}

void Recorder::noteSaved() {
  LogPosition position = events_->position();
  ring_.note(
      {position.size, position.sequence, drained_, events_->part(), trouble_.empty() ? 0U : 1U});
}

/// Events before it go to the part that they belong to, and a new part begins.
void Recorder::takeCheckpointIfMade() {
  if (__atomic_load_n(&state_.isCheckpointMade, __ATOMIC_ACQUIRE) == 0)
    return;
  abi::Checkpoint checkpoint = state_.checkpoint;
  std::optional<std::string_view> events = ring_.from(drained_);
  uint64_t before = checkpoint.written - drained_;
  if (events && before > 0 && before <= events->size())
    add(events->substr(0, before));
  std::optional<std::string> memory = takeCheckpoint(checkpoint);
  isTooLarge_ = isTooLarge_ || !memory;
  if (memory && trouble_.empty()) {
    if (std::string error = events_->begin(*memory); !error.empty())
      giveUp(fmt::format("cannot write the recording '{}': {}", folder_.string(), error));
    noteSaved();
    dropOld();
  }
  wantCheckpoint();
  __atomic_store_n(&state_.isCheckpointMade, 0, __ATOMIC_RELEASE);
}

void Recorder::dropOld() {
  std::set<int64_t> dropped = events_->dropOld();
  std::erase_if(kept_, [&](const auto &file) { return dropped.contains(file.second); });
}

void Recorder::wantCheckpoint() {
  bool isPossible = !isTooLarge_ && trouble_.empty() && events_->hasLimit();
  uint64_t at = isPossible ? drained_ + events_->roomInPart() : UINT64_MAX;
  __atomic_store_n(&state_.checkpointAt, at, __ATOMIC_RELEASE);
}

void Recorder::noteStop(std::string_view events) {
  if (events.size() < sizeof(abi::StopEvent))
    return;
  abi::StopEvent last;
  std::memcpy(&last, events.data() + events.size() - sizeof last, sizeof last);
  if (last.event.kind == abi::EventKind::Stop && last.event.size == sizeof last &&
      last.reason >= abi::StopReason::Thread && last.reason <= abi::kLastStopReason)
    stop_ = last;
}

/// The program wants the contents of a file that it maps to be kept.
void Recorder::answer() {
  int descriptor = __atomic_load_n(&state_.wantedFile, __ATOMIC_ACQUIRE);
  if (descriptor < 0)
    return;
  state_.foundFile = static_cast<int32_t>(keepFile(descriptor));
  __atomic_store_n(&state_.wantedFile, -1, __ATOMIC_RELEASE);
  ring_.ringBack();
}

int64_t Recorder::keepFile(int descriptor) {
  std::string path = fmt::format("/proc/{}/fd/{}", program_, descriptor);
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0)
    return -1;
  FileId id{status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
            status.st_mtim.tv_nsec};
  if (auto found = kept_.find(id); found != kept_.end()) {
    events_->noteFile(found->second);
    return found->second;
  }
  int64_t number = nextFile_++;
  std::optional<std::string> chunk = packedFile(path, status);
  if (!chunk)
    return -1;
  fs::path to = keptFileIn(folder_, number);
  int file = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  std::string error = file < 0 ? std::strerror(errno) : writeAll(file, *chunk);
  if (file >= 0)
    close(file);
  if (!error.empty())
    giveUp(fmt::format("cannot write '{}': {}", to.string(), error));
  constexpr time_t kLately = 1; // its time may stay the same with the next change
  if (std::time(nullptr) - status.st_mtim.tv_sec > kLately)
    kept_[id] = number;
  events_->noteFile(number);
  return number;
}

/// The chunk of a file's contents; nothing: they cannot be had.
std::optional<std::string> Recorder::packedFile(const std::string &path,
                                                const struct stat &status) {
  if (std::optional<std::string> known = packedFiles_.find(status))
    return known;
  try {
    MappedFile contents(path);
    if (contents.bytes().size() >= kMostChunk)
      return std::nullopt;
    std::string chunk = packChunk(ChunkKind::File, 0, contents.bytes());
    packedFiles_.add(status, chunk);
    return chunk;
  } catch (const Failure &) {
    return std::nullopt;
  }
}

void Recorder::append(ChunkKind kind, std::string_view bytes) {
  if (!trouble_.empty())
    return;
  if (std::string error = log_.append(kind, bytes); !error.empty())
    giveUp(fmt::format("cannot write '{}': {}", logIn(folder_).string(), error));
}

void Recorder::giveUp(const std::string &why) {
  if (trouble_.empty())
    trouble_ = why;
}

void Recorder::end(int status, int signal) {
  isDone_ = true;
  ring_.ringBell();
  if (thread_.joinable())
    thread_.join();
  drain(true);
  takeCheckpointIfMade();
  drain(true);
  isAboveLimit_ = events_->isAboveLimit();
  if (state_.written == 0)
    giveUp("the program did not take part: it was linked with a linker script of its own, or ended "
           "before its first instruction");
  int64_t passed = state_.isSaved
                       ? abi::kClockStart - state_.saved + state_.armed - state_.countdown
                       : abi::kClockStart - state_.countdown;
  constexpr uint32_t kExecuting = 2;
  RecordedEnd end{status, signal, static_cast<uint64_t>(passed),
                  state_.isActive == kExecuting ? 1U : 0U, trouble_.empty() ? 0U : 1U};
  if (end.isExecuted)
    stop_ = abi::StopEvent{{sizeof(abi::StopEvent), abi::EventKind::Stop, 0, 1, end.clock},
                           abi::StopReason::Execute,
                           0};
  // There may be room for so little even if there was none for the events.
  std::string error =
      log_.append(ChunkKind::End, {reinterpret_cast<const char *>(&end), sizeof end});
  if (!error.empty())
    giveUp(fmt::format("cannot write '{}': {}", logIn(folder_).string(), error));
  log_.takeBack();
}

} // namespace culprit

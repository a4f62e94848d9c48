// See leave_plan.h.
#include "recording/leave_plan.h"

#include "abi/altered_run.h"
#include "support/diagnostics.h"
#include "support/files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

using Kind = abi::LeaveStepKind;

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args &&...args) {
  throw Failure(ExitCode::Refused, "the recording cannot be left there: " +
                                       fmt::format(format, std::forward<Args>(args)...));
}

class Steps {
public:
  void add(Kind kind, uint64_t a, uint64_t b, const std::string &path, std::string_view bytes,
           std::string what) {
    abi::LeaveStep step = {0, kind, a, b, path.empty() ? 0 : path.size() + 1, bytes.size()};
    step.size = sizeof step + padded(step.pathSize) + padded(bytes.size());
    bytes_.append(reinterpret_cast<const char *>(&step), sizeof step);
    append(path, step.pathSize);
    append(bytes, bytes.size());
    plan_.steps.push_back(std::move(what));
  }

  void note(std::string text) { plan_.notes.push_back(std::move(text)); }

  LeavePlan finish(const LeavePoint &point, uint64_t calls) {
    abi::LeavePlan head = {point.clock, point.events, calls, plan_.steps.size()};
    plan_.bytes.assign(reinterpret_cast<const char *>(&head), sizeof head);
    plan_.bytes += bytes_;
    return std::move(plan_);
  }

private:
  static uint64_t padded(uint64_t size) { return (size + 7) / 8 * 8; }
  void append(std::string_view text, uint64_t size) {
    bytes_ += text;
    bytes_.append(padded(size) - text.size(), '\0');
  }

  LeavePlan plan_;
  std::string bytes_;
};

/// Sets files right, one at a time.
class FileSteps {
public:
  FileSteps(const History &history, const RecordedLog &log, fs::path recording, Steps &steps)
      : history_(history), log_(log), recording_(std::move(recording)), steps_(steps) {}

  void addAll() {
    for (const auto &[path, file] : history_.files)
      if (!isSpecial(path))
        addOne(path, file);
  }

private:
  static bool isSpecial(const std::string &path) {
    constexpr std::array<std::string_view, 3> kTrees = {"/proc", "/sys", "/dev"};
    return std::ranges::any_of(kTrees, [&](std::string_view tree) {
      return path.starts_with(tree) && (path.size() == tree.size() || path[tree.size()] == '/');
    });
  }

  void addOne(const std::string &path, const KnownFile &file) {
    struct stat now = {};
    bool isThere = lstat(path.c_str(), &now) == 0;
    if (file.start() == KnownFile::Start::Absent) {
      if (isThere)
        removeTree(path);
    } else if (S_ISDIR(file.mode())) {
      if (!isThere)
        makeFolders(path);
    } else if (!isThere) {
      if (file.start() == KnownFile::Start::Present)
        restore(path, file, "is gone");
    } else if (stat(path.c_str(), &now) == 0 && S_ISREG(now.st_mode)) {
      compare(path, file, now);
    }
  }

  void removeTree(const std::string &path) {
    std::error_code ignored;
    if (fs::is_directory(fs::symlink_status(path, ignored)))
      for (const fs::directory_entry &entry : fs::directory_iterator(path, ignored))
        removeTree(entry.path().string());
    steps_.add(Kind::RemoveFile, 0, 0, path, "", fmt::format("removing '{}'", path));
  }

  void makeFolders(const fs::path &path) {
    std::error_code ignored;
    if (path.empty() || fs::exists(path, ignored) || !made_.insert(path.string()).second)
      return;
    makeFolders(path.parent_path());
    steps_.add(Kind::MakeFolder, 0755, 0, path.string(), "",
               fmt::format("making the folder '{}'", path.string()));
  }

  std::string contents(const KnownFile &file) const {
    if (file.copy() < 0)
      return std::string(file.bytes().substr(0, file.size().value_or(0)));
    fs::path path = keptFileIn(recording_, file.copy());
    std::string packed = readFile(path);
    std::string_view rest = packed;
    std::optional<Chunk> chunk = takeChunk(rest, path.string());
    if (!chunk)
      failUsage("'{}' is damaged: it is not whole; record anew, or restore it from a copy",
                path.string());
    return std::move(chunk->bytes);
  }

  /// The run may look at it: it is open at the point, or is used later in the recording.
  bool isNeeded(const std::string &path, const KnownFile &file) const {
    return file.lastUse() >= history_.pointEvent ||
           std::ranges::any_of(history_.open,
                               [&](const auto &entry) { return entry.second->path == path; });
  }

  void restore(const std::string &path, const KnownFile &file, const char *why) {
    if (file.copy() >= 0 || file.isWhole()) {
      makeFolders(fs::path(path).parent_path());
      steps_.add(Kind::WriteFile, file.mode() & 07777, 0, path, contents(file),
                 fmt::format("writing '{}' as it was", path));
    } else if (isNeeded(path, file)) {
      refuse("the file '{}' {} since it was recorded, and the recording does not hold all of it; "
             "restore the file as it was, or record anew",
             path, why);
    } else {
      steps_.note(
          fmt::format("'{}' {} since it was recorded; the run sees it as it is", path, why));
    }
  }

  void compare(const std::string &path, const KnownFile &file, const struct stat &now) {
    auto size = static_cast<uint64_t>(now.st_size);
    bool isSame = agrees(path, file);
    bool isLonger = file.size() && size > *file.size();
    if (isSame && isLonger && file.wasAppendedOnly())
      steps_.add(Kind::CutFile, *file.size(), 0, path, "",
                 fmt::format("cutting '{}' to its old size", path));
    else if (!isSame || (file.size() && size != *file.size()))
      restore(path, file, "has changed");
    else if (!file.size() && file.wasAppendedOnly() && isChangedSince(now) && isNeeded(path, file))
      refuse("the file '{}' was added to when it was recorded, and the recording does not say how "
             "long it was; restore the file as it was, or record anew",
             path);
    else if (isChangedSince(now) && !file.wasChanged() && !file.isWhole() && file.copy() < 0 &&
             isNeeded(path, file))
      steps_.note(fmt::format(
          "'{}' was written to since it was recorded; what the recording has of it is still there",
          path));
  }

  bool isChangedSince(const struct stat &now) const {
    return now.st_mtim.tv_sec >= static_cast<time_t>(log_.meta.time);
  }

  /// Whether the file still holds what was read.
  bool agrees(const std::string &path, const KnownFile &file) const {
    if (file.copy() >= 0 && file.stretches().empty())
      return readFile(path) == contents(file);
    int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    bool isSame = descriptor >= 0 || file.stretches().empty();
    for (auto [begin, end] : file.stretches()) {
      std::string now(end - begin, '\0');
      isSame = isSame && pread(descriptor, now.data(), now.size(), static_cast<off_t>(begin)) ==
                             static_cast<ssize_t>(now.size());
      isSame = isSame && now == file.bytes().substr(begin, end - begin);
    }
    if (descriptor >= 0)
      close(descriptor);
    return isSame;
  }

  const History &history_;
  const RecordedLog &log_;
  fs::path recording_;
  Steps &steps_;
  std::set<std::string> made_;
};

void checkProcess(const History &history) {
  if (!history.children.empty())
    refuse("the program had a child, process {}, which an altered run has not; choose a point "
           "before it was made or after it was waited for",
           *history.children.begin());
  if (!history.timers.empty())
    refuse(
        "the program had a timer of timer_create(), which an altered run has not; choose a point "
        "before it was made or after it was deleted");
  if (history.pendingSignal != 0)
    refuse("the program was sending itself signal {}, which had not arrived yet; choose a point "
           "before or after that",
           history.pendingSignal);
  if (!history.sharedFile.empty())
    refuse("the program had mapped '{}' to write to it, which is not done again; choose a point "
           "before that",
           history.sharedFile);
  for (const auto &[descriptor, thing] : history.open) {
    if (thing->kind == OpenThing::Kind::Unsupported)
      refuse("descriptor {} is {}, which cannot be had again; choose a point where it is closed",
             descriptor, thing->what);
  }
}

/// Ends of pipes, sockets and the like: each descriptor of a thing but the first is a copy.
class StreamSteps {
public:
  StreamSteps(const History &history, Steps &steps) : history_(history), steps_(steps) {}

  void addAll() {
    for (const auto &[descriptor, thing] : history_.open) {
      if (thing->kind != OpenThing::Kind::Stream)
        continue;
      std::string what = fmt::format("making descriptor {}, {}", descriptor, thing->what);
      if (auto first = first_.find(thing.get()); first != first_.end())
        steps_.add(Kind::CopyStream, number(descriptor), number(first->second), "", "", what);
      else
        addFirst(descriptor, *thing, what);
    }
  }

private:
  static uint64_t number(int descriptor) { return static_cast<uint64_t>(descriptor); }

  void addFirst(int descriptor, const OpenThing &thing, const std::string &what) {
    first_[&thing] = descriptor;
    auto other = std::ranges::find_if(history_.open, [&](const auto &entry) {
      return thing.pipe != 0 && entry.second->pipe == thing.pipe && entry.second.get() != &thing;
    });
    if (other == history_.open.end() || history_.hasForked) {
      steps_.add(Kind::GiveStream, number(descriptor), 0, "", thing.rest, what);
      return;
    }
    first_[other->second.get()] = other->first;
    const OpenThing &input = thing.isWriteEnd ? *other->second : thing;
    const OpenThing &output = thing.isWriteEnd ? thing : *other->second;
    uint64_t pending = output.moved - std::min(output.moved, input.moved);
    if (pending > input.rest.size())
      refuse("the pipe of descriptors {} and {} held {} bytes, which the recording does not have; "
             "choose another point",
             descriptor, other->first, pending);
    int inputNumber = thing.isWriteEnd ? other->first : descriptor;
    int outputNumber = thing.isWriteEnd ? descriptor : other->first;
    steps_.add(Kind::GivePipe, number(inputNumber), number(outputNumber), "",
               std::string_view(input.rest).substr(0, pending), what);
  }

  const History &history_;
  Steps &steps_;
  std::map<const OpenThing *, int> first_;
};

} // namespace

LeavePlan makeLeavePlan(const History &history, const LeaveRequest &request, const RecordedLog &log,
                        const fs::path &recording) {
  checkProcess(history);
  Steps steps;
  FileSteps(history, log, recording, steps).addAll();
  StreamSteps(history, steps).addAll();
  for (const MemoryWrite &write : request.writes)
    steps.add(Kind::WriteMemory, write.address, 0, "", write.bytes,
              fmt::format("writing to memory at {:#x}", write.address));
  return steps.finish(request.point, history.calls);
}

} // namespace culprit

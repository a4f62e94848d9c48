// See history.h.
#include "recording/history.h"

#include "abi/altered_run.h"
#include "recording/event_walk.h"
#include "recording/file_facts.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

using Kind = OpenThing::Kind;
using Start = KnownFile::Start;

int intAt(const std::string &bytes, size_t at) {
  int value = -1;
  if (bytes.size() >= at + sizeof value)
    std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Descriptors that stand for something in the kernel that nobody here makes again.
const char *unsupportedName(int64_t call) {
  switch (call) {
  case SYS_epoll_create:
  case SYS_epoll_create1:
    return "an epoll descriptor";
  case SYS_timerfd_create:
    return "a timer's descriptor";
  case SYS_signalfd:
  case SYS_signalfd4:
    return "a descriptor of signals";
  case SYS_eventfd:
  case SYS_eventfd2:
    return "an event's descriptor";
  case SYS_inotify_init:
  case SYS_inotify_init1:
    return "a descriptor of changes to files";
  case SYS_pidfd_open:
    return "a process's descriptor";
  default:
    return nullptr;
  }
}

class Walk {
public:
  Walk(const RecordedLog &log, const NotedPaths &paths, const LeavePoint &point)
      : log_(log), paths_(paths), point_(point), folder_(log.meta.folder) {
    for (int i = 0; i < 3; ++i)
      open(i, i == 0 ? Kind::Input : Kind::Output)->what = "a standard stream";
  }

  History run() {
    walkEvents(
        log_.events,
        [this](const abi::Event &event, uint64_t number, const char *bytes) {
          pass(event, number);
          if (event.kind == abi::EventKind::Signal)
            arrive(bytes);
        },
        [this](const WalkedCall &walked) { see(walked); });
    uint64_t end = log_.end ? log_.end->clock : 0;
    history_.lastClock = std::max(history_.lastClock, end);
    if (!history_.isReached && point_.clock <= history_.lastClock && point_.events <= count_)
      reach(count_ + 1);
    return std::move(history_);
  }

private:
  void pass(const abi::Event &event, uint64_t number) {
    history_.lastClock = event.clock;
    bool isDue = number > 1 && event.clock >= point_.clock && number > point_.events;
    if (isDue && !isInChild_ && !history_.isReached)
      reach(number);
    count_ = number;
  }

  void reach(uint64_t number) {
    history_.isReached = true;
    history_.pointEvent = number;
    history_.calls = calls_;
    history_.open = open_;
    history_.children = children_;
    history_.timers = timers_;
    history_.sharedFile = sharedFile_;
    pending_ = sent_;
  }

  /// A signal that was sent before the point and comes behind it was pending there.
  void arrive(const char *bytes) {
    abi::SignalEvent event;
    std::memcpy(&event, bytes, sizeof event);
    auto signal = static_cast<int>(event.signal);
    sent_.erase(signal);
    if (history_.isReached && pending_.erase(signal) != 0)
      history_.pendingSignal = signal;
  }

  /// Within raise(), process and thread are those of the recorded one until the signal is sent.
  void noteSent(const abi::CallEvent &call) {
    bool isAsking = call.number == SYS_getpid || call.number == SYS_gettid;
    int signal = 0;
    if (call.number == SYS_tgkill)
      signal = static_cast<int>(call.arguments[2]);
    else if (call.number == SYS_kill || call.number == SYS_tkill)
      signal = static_cast<int>(call.arguments[1]);
    if (signal != 0)
      sent_.insert(signal);
    if (history_.isReached && isRaising_ && signal != 0)
      history_.pendingSignal = signal;
    isRaising_ = isAsking && (!history_.isReached || isRaising_);
  }

  std::shared_ptr<OpenThing> open(int descriptor, Kind kind) {
    auto thing = std::make_shared<OpenThing>();
    thing->kind = kind;
    return open_[descriptor] = thing;
  }

  /// What was open before the program started is not in the recording.
  OpenThing &thingAt(int descriptor) {
    if (!open_.contains(descriptor))
      open(descriptor, Kind::Stream)->what = "what it was started with";
    return *open_[descriptor];
  }

  /// The path that an argument names; empty: not known.
  std::string pathAt(const WalkedCall &walked, uint64_t argument, bool isAt) const {
    auto noted = paths_.find({walked.number, argument});
    if (noted == paths_.end())
      return "";
    fs::path path = noted->second;
    if (path.empty() || path.is_absolute())
      return path.lexically_normal().string();
    std::string base = folder_;
    if (auto from = static_cast<int>(walked.call.arguments[argument - (isAt ? 1 : 0)]);
        isAt && from != AT_FDCWD) {
      auto found = open_.find(from);
      base = found == open_.end() ? "" : found->second->path;
    }
    return base.empty() ? "" : (base / path).lexically_normal().string();
  }

  KnownFile *fileAt(const std::string &path) {
    if (path.empty())
      return nullptr;
    KnownFile &file = history_.files[path];
    file.used(number_);
    return &file;
  }

  void see(const WalkedCall &walked) {
    ++calls_;
    number_ = walked.number;
    seeChildren(walked);
    if (isInChild_)
      return;
    if (!walked.isDone()) {
      seeMissing(walked);
      return;
    }
    noteSent(walked.call);
    seeDescriptors(walked);
    seeBytes(walked);
    seeFacts(walked);
    seeNames(walked);
    seeProcess(walked);
  }

  void seeChildren(const WalkedCall &walked) {
    int64_t call = walked.call.number;
    auto result = static_cast<int>(walked.call.result);
    if (call == SYS_fork || call == SYS_vfork || call == SYS_clone) {
      isInChild_ = result == 0;
      if (result > 0)
        children_.insert(result), history_.hasForked = true;
    } else if (call == SYS_wait4 && result > 0) {
      children_.erase(result);
    } else if (call == SYS_waitid && result == 0) {
      constexpr size_t kProcess = 16; ///< in siginfo_t
      children_.erase(intAt(walked.bytes, kProcess));
    }
  }

  /// A call that failed because there was no such file.
  void seeMissing(const WalkedCall &walked) {
    if (walked.call.result != -ENOENT)
      return;
    for (uint64_t argument = 0; argument < 2; ++argument)
      if (paths_.contains({walked.number, argument}) && !namesTwo(walked.call.number))
        if (KnownFile *file = fileAt(pathAt(walked, argument, argument == 1)))
          file->found(Start::Absent);
  }

  static bool namesTwo(int64_t call) {
    return call == SYS_rename || call == SYS_renameat || call == SYS_renameat2 ||
           call == SYS_link || call == SYS_linkat || call == SYS_symlink || call == SYS_symlinkat;
  }

  void seeDescriptors(const WalkedCall &walked) {
    const abi::CallEvent &call = walked.call;
    auto made = static_cast<int>(call.result);
    switch (call.number) {
    case SYS_open:
    case SYS_creat:
    case SYS_openat:
    case SYS_openat2:
      seeOpen(walked, made);
      break;
    case SYS_memfd_create:
      open(made, Kind::File)->what = "a file in memory";
      break;
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
      thingAt(walked.descriptor());
      open_[made] = open_[walked.descriptor()];
      break;
    case SYS_fcntl:
      if (call.arguments[1] == F_DUPFD || call.arguments[1] == F_DUPFD_CLOEXEC) {
        thingAt(walked.descriptor());
        open_[made] = open_[walked.descriptor()];
      }
      break;
    case SYS_close:
      open_.erase(walked.descriptor());
      break;
    case SYS_close_range:
      if (call.arguments[2] == 0)
        open_.erase(open_.lower_bound(walked.descriptor()),
                    open_.upper_bound(static_cast<int>(
                        std::min<uint64_t>(static_cast<uint32_t>(call.arguments[1]), INT_MAX))));
      break;
    default:
      seeStreams(walked, made);
    }
  }

  void seeStreams(const WalkedCall &walked, int made) {
    switch (walked.call.number) {
    case SYS_pipe:
    case SYS_pipe2:
      ++pipes_;
      for (int end = 0; end < 2; ++end) {
        auto thing = open(intAt(walked.bytes, size_t(end) * 4), Kind::Stream);
        thing->what = "a pipe";
        thing->pipe = history_.hasForked ? 0 : pipes_;
        thing->isWriteEnd = end == 1;
      }
      break;
    case SYS_socketpair:
      for (int end = 0; end < 2; ++end)
        open(intAt(walked.bytes, size_t(end) * 4), Kind::Stream)->what = "a socket";
      break;
    case SYS_socket:
    case SYS_accept:
    case SYS_accept4:
      open(made, Kind::Stream)->what = "a socket";
      break;
    case SYS_listen:
      thingAt(walked.descriptor()).kind = Kind::Unsupported;
      thingAt(walked.descriptor()).what = "a socket that waits for connections";
      break;
    default:
      if (const char *name = unsupportedName(walked.call.number)) {
        if (walked.call.number == SYS_signalfd && walked.descriptor() != -1)
          break;
        open(made, Kind::Unsupported)->what = name;
      }
    }
  }

  void seeOpen(const WalkedCall &walked, int made) {
    const abi::CallEvent &call = walked.call;
    bool isAt = call.number == SYS_openat || call.number == SYS_openat2;
    auto thing = std::make_shared<OpenThing>();
    thing->kind = Kind::File;
    thing->path = pathAt(walked, isAt ? 1 : 0, isAt);
    thing->what = "a file";
    uint64_t flags = call.number == SYS_creat     ? O_CREAT | O_WRONLY | O_TRUNC
                     : call.number == SYS_openat2 ? 0
                                                  : call.arguments[isAt ? 2 : 1];
    thing->appends = (flags & O_APPEND) != 0;
    open_[made] = thing;
    KnownFile *file = fileAt(thing->path);
    if (!file)
      return;
    bool creates = (flags & O_CREAT) != 0;
    bool isNew = creates && (flags & O_EXCL) != 0;
    file->found(isNew ? Start::Absent : creates ? Start::Unknown : Start::Present);
    if (isNew || (flags & O_TRUNC) != 0)
      file->changed(false);
  }

  void seeBytes(const WalkedCall &walked) {
    const abi::CallEvent &call = walked.call;
    switch (call.number) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
      seeRead(walked);
      break;
    case SYS_pread64:
    case SYS_preadv:
      seeBytesAt(thingAt(walked.descriptor()), call.arguments[3], walked.bytes);
      break;
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_ftruncate:
    case SYS_fallocate:
      seeWrite(walked, walked.descriptor());
      break;
    case SYS_sendfile:
      thingAt(static_cast<int>(call.arguments[1])).position += static_cast<uint64_t>(call.result);
      seeWrite(walked, walked.descriptor());
      break;
    case SYS_copy_file_range:
    case SYS_splice:
      seeWrite(walked, static_cast<int>(call.arguments[2]));
      break;
    case SYS_lseek:
      seeSeek(walked);
      break;
    default:
      break;
    }
  }

  void seeRead(const WalkedCall &walked) {
    OpenThing &thing = thingAt(walked.descriptor());
    auto size = static_cast<uint64_t>(walked.call.result);
    bool isLast = walked.call.number == SYS_recvmsg; // behind its header and names
    if (walked.bytes.size() < size)
      return;
    std::string bytes =
        walked.bytes.substr(isLast ? walked.bytes.size() - size : 0, static_cast<size_t>(size));
    seeBytesAt(thing, thing.position, bytes);
    if (size == 0 && walked.call.arguments[2] != 0 && thing.kind == Kind::File)
      if (KnownFile *file = fileAt(thing.path))
        file->sawSize(thing.position);
    thing.position += size;
    if (history_.isReached)
      thing.rest += bytes;
    else
      thing.moved += size;
  }

  void seeBytesAt(OpenThing &thing, uint64_t at, const std::string &bytes) {
    if (thing.kind == Kind::File)
      if (KnownFile *file = fileAt(thing.path))
        file->sawBytes(at, bytes);
  }

  void seeWrite(const WalkedCall &walked, int descriptor) {
    OpenThing &thing = thingAt(descriptor);
    bool isMoving = walked.call.number == SYS_write || walked.call.number == SYS_writev;
    if (isMoving)
      thing.position += static_cast<uint64_t>(walked.call.result);
    if (!history_.isReached)
      thing.moved += static_cast<uint64_t>(walked.call.result);
    if (thing.kind == Kind::File)
      if (KnownFile *file = fileAt(thing.path))
        file->changed(isMoving && thing.appends);
  }

  void seeSeek(const WalkedCall &walked) {
    OpenThing &thing = thingAt(walked.descriptor());
    thing.position = static_cast<uint64_t>(walked.call.result);
    history_.isInputFile |= thing.kind == Kind::Input;
    bool isEnd = walked.call.arguments[2] == SEEK_END && walked.call.arguments[1] == 0;
    if (isEnd && thing.kind == Kind::File)
      if (KnownFile *file = fileAt(thing.path))
        file->sawSize(thing.position);
  }

  /// Sizes and modes of files.
  void seeFacts(const WalkedCall &walked) {
    std::optional<FileFacts> facts = factsIn(walked);
    if (!facts)
      return;
    int64_t call = walked.call.number;
    bool isAt = call == SYS_statx || call == SYS_newfstatat;
    std::string path = call == SYS_fstat ? "" : pathAt(walked, isAt ? 1 : 0, isAt);
    if (path.empty() && (isAt || call == SYS_fstat)) {
      OpenThing &thing = thingAt(walked.descriptor());
      history_.isInputFile |= thing.kind == Kind::Input && S_ISREG(facts->mode);
      path = thing.kind == Kind::File ? thing.path : "";
    }
    if (S_ISLNK(facts->mode))
      return;
    if (KnownFile *file = fileAt(path)) {
      file->found(Start::Present);
      file->sawSize(facts->size);
      file->sawMode(facts->mode);
    }
  }

  /// Calls that change what names there are.
  void seeNames(const WalkedCall &walked) {
    switch (walked.call.number) {
    case SYS_mkdir:
    case SYS_symlinkat:
    case SYS_symlink:
    case SYS_mkdirat: {
      bool isAt = walked.call.number == SYS_mkdirat || walked.call.number == SYS_symlinkat;
      uint64_t argument = walked.call.number == SYS_mkdir       ? 0
                          : walked.call.number == SYS_symlinkat ? 2
                                                                : 1;
      name(pathAt(walked, argument, isAt), Start::Absent);
      break;
    }
    case SYS_unlink:
    case SYS_rmdir:
    case SYS_truncate:
      name(pathAt(walked, 0, false), Start::Present);
      break;
    case SYS_unlinkat:
      name(pathAt(walked, 1, true), Start::Present);
      break;
    case SYS_rename:
      name(pathAt(walked, 0, false), Start::Present);
      name(pathAt(walked, 1, false), Start::Unknown);
      break;
    case SYS_renameat:
    case SYS_renameat2:
      name(pathAt(walked, 1, true), Start::Present);
      name(pathAt(walked, 3, true), Start::Unknown);
      break;
    case SYS_link:
      name(pathAt(walked, 1, false), Start::Absent);
      break;
    case SYS_linkat:
      name(pathAt(walked, 3, true), Start::Absent);
      break;
    default:
      break;
    }
  }

  void name(const std::string &path, Start start) {
    KnownFile *file = fileAt(path);
    if (!file)
      return;
    file->found(start);
    file->changed(false);
  }

  void seeProcess(const WalkedCall &walked) {
    const abi::CallEvent &call = walked.call;
    switch (call.number) {
    case SYS_chdir:
      folder_ = pathAt(walked, 0, false);
      break;
    case SYS_fchdir:
      folder_ = thingAt(walked.descriptor()).path;
      break;
    case SYS_timer_create:
      timers_.insert(intAt(walked.bytes, 0));
      break;
    case SYS_timer_delete:
      timers_.erase(walked.descriptor());
      break;
    case SYS_mmap:
      seeMapping(walked);
      break;
    default:
      break;
    }
  }

  void seeMapping(const WalkedCall &walked) {
    const abi::CallEvent &call = walked.call;
    if ((call.arguments[3] & MAP_ANONYMOUS) != 0)
      return;
    OpenThing &thing = thingAt(static_cast<int>(call.arguments[4]));
    history_.isInputFile |= thing.kind == Kind::Input;
    bool isShared = (call.arguments[3] & 3) != MAP_PRIVATE;
    if (isShared && (call.arguments[2] & PROT_WRITE) != 0)
      sharedFile_ = thing.path.empty() ? thing.what : thing.path;
    if (thing.kind == Kind::File && call.file >= 0)
      if (KnownFile *file = fileAt(thing.path))
        file->sawCopy(call.file);
  }

  const RecordedLog &log_;
  const NotedPaths &paths_;
  const LeavePoint &point_;
  History history_;
  std::map<int, std::shared_ptr<OpenThing>> open_;
  std::set<int> children_;
  std::set<int> timers_;
  std::set<int> sent_;     ///< signals that have not arrived
  std::set<int> pending_;  ///< of them, those sent before the point
  bool isRaising_ = false; ///< the last call told a number of a process or thread
  std::string sharedFile_;
  std::string folder_;
  uint64_t calls_ = 0;
  uint64_t count_ = 0;  ///< events
  uint64_t number_ = 0; ///< of the event that is looked at
  int pipes_ = 0;
  bool isInChild_ = false;
};

} // namespace

NotedPaths parsePaths(const std::string &bytes) {
  NotedPaths paths;
  for (size_t at = 0; at + sizeof(abi::NotedPath) <= bytes.size();) {
    abi::NotedPath head;
    std::memcpy(&head, bytes.data() + at, sizeof head);
    at += sizeof head;
    paths[{head.event, head.argument}] = bytes.substr(at, head.size);
    at += (head.size + 7) / 8 * 8;
  }
  return paths;
}

History historyOf(const RecordedLog &log, const NotedPaths &paths, const LeavePoint &point) {
  return Walk(log, paths, point).run();
}

} // namespace culprit

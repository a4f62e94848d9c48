// See input.h.
#include "recording/input.h"

#include "recording/event_walk.h"
#include "support/files.h"

#include <fcntl.h>
#include <set>
#include <sys/syscall.h>

namespace culprit {
namespace fs = std::filesystem;
namespace {

/// Follows the descriptors that lead to standard input, and what is read from them.
class Input {
public:
  explicit Input(fs::path folder) : folder_(std::move(folder)) {}

  /// `bytes`: what the call wrote to the program's memory, in its order.
  void see(const abi::CallEvent &call, const std::string &bytes) {
    auto descriptor = static_cast<int>(call.arguments[0]);
    auto made = static_cast<int>(call.result);
    bool isInput = input_.contains(descriptor);
    switch (call.number) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
      if (isInput)
        put(position_, bytes), position_ += bytes.size();
      break;
    case SYS_pread64:
    case SYS_preadv:
      if (isInput)
        put(call.arguments[3], bytes);
      break;
    case SYS_lseek:
      if (isInput)
        position_ = static_cast<uint64_t>(call.result);
      break;
    case SYS_mmap:
      if (input_.contains(static_cast<int>(call.arguments[4])) && call.file >= 0)
        putFile(call.file);
      break;
    case SYS_close:
      input_.erase(descriptor);
      break;
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3:
      isInput ? (void)input_.insert(made) : (void)input_.erase(made);
      break;
    case SYS_fcntl:
      if (isInput && (call.arguments[1] == F_DUPFD || call.arguments[1] == F_DUPFD_CLOEXEC))
        input_.insert(made);
      break;
    default:
      break;
    }
  }

  std::string take() { return std::move(bytes_); }

private:
  static constexpr uint64_t kMost = 1 << 30; ///< a seek may lead anywhere

  void put(uint64_t at, const std::string &bytes) {
    if (at > kMost || bytes.size() > kMost)
      return;
    if (bytes_.size() < at + bytes.size())
      bytes_.resize(at + bytes.size());
    bytes_.replace(at, bytes.size(), bytes);
  }

  void putFile(int64_t number) {
    fs::path path = keptFileIn(folder_, number);
    std::string packed = readFile(path);
    std::string_view rest = packed;
    if (std::optional<Chunk> chunk = takeChunk(rest, path.string()))
      put(0, chunk->bytes);
  }

  fs::path folder_;
  std::set<int> input_{0};
  uint64_t position_ = 0;
  std::string bytes_;
};

} // namespace

std::string inputOf(const RecordedLog &log, const fs::path &folder) {
  Input input(folder);
  walkEvents(
      log.events, [](const abi::Event &, uint64_t, const char *) {},
      [&](const WalkedCall &walked) {
        if (walked.isDone())
          input.see(walked.call, walked.bytes);
      });
  return input.take();
}

} // namespace culprit

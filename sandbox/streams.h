// The standard streams of a sandboxed program.
//
// What the program gets is never the host's own open file where it could do more with it than read
// or append: a file that standard output goes to could be truncated, a socket is read and written.
// Then a pipe stands between, and a thread of the host passes the bytes on. Terminals and /dev/null
// stay what they are; files for input are opened anew, with an offset of their own. Of a pipe for
// input, which could be opened again and written to, the program gets a copy that is filled as it
// is read: what the program has not read is left in the pipe.
#ifndef CULPRIT_SANDBOX_STREAMS_H
#define CULPRIT_SANDBOX_STREAMS_H

#include "sandbox/given_file.h"
#include "sandbox/options.h"
#include "sandbox/unique_fd.h"

#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace culprit {

class SandboxStreams {
public:
  explicit SandboxStreams(const SandboxOptions &options);
  ~SandboxStreams();
  SandboxStreams(const SandboxStreams &) = delete;
  SandboxStreams &operator=(const SandboxStreams &) = delete;

  /// For the program; -1: closed.
  const std::array<int, 3> &forProgram() const { return streams_; }
  /// The program has its ends; ours are closed, and bytes are passed on.
  void start();
  /// Waits until all output has been passed on: every process that could write must have ended.
  void finish();
  bool isOverLimit() const { return isOver_; }

private:
  struct Relay {
    UniqueFd from;
    UniqueFd to;
    bool isInput = false;
    bool isCopied = false; ///< of a pipe: bytes are taken from it as the copy is read
  };

  void give(size_t stream, int fd);
  void addInput(int fd);
  void addOutput(size_t stream, int fd);
  Relay &addRelay(size_t stream, int fd, bool isInput);
  void pass(const Relay &relay);
  bool waitsFor(int fd, short events) const;
  void passAsRead(const Relay &relay) const;

  uint64_t limit_;
  std::atomic<uint64_t> passed_ = 0;
  std::atomic<bool> isOver_ = false;
  std::array<int, 3> streams_ = {-1, -1, -1};
  std::vector<UniqueFd> owned_; ///< the program's ends
  std::vector<GivenFile> given_;
  std::vector<Relay> relays_;
  std::vector<std::thread> threads_;
  UniqueFd wake_;
};

} // namespace culprit
#endif

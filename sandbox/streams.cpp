// See streams.h.
#include "sandbox/streams.h"

#include "support/diagnostics.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>

namespace culprit {
namespace {

bool isSameFile(int a, int b) {
  struct stat first = {};
  struct stat second = {};
  return fstat(a, &first) == 0 && fstat(b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

/// False when nobody reads any more.
bool writeAll(int fd, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t done = write(fd, bytes, size);
    if (done < 0 && errno == EAGAIN) {
      pollfd room{fd, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (done < 0 && errno != EINTR) {
      return false;
    } else if (done > 0) {
      bytes += done;
      size -= static_cast<size_t>(done);
    }
  }
  return true;
}

/// Takes bytes from a pipe, if nobody else has.
void drop(int pipe, int nowhere, ssize_t size) {
  while (size > 0) {
    ssize_t got =
        splice(pipe, nullptr, nowhere, nullptr, static_cast<size_t>(size), SPLICE_F_NONBLOCK);
    if (got <= 0 && (got == 0 || errno != EINTR))
      return;
    size -= std::max<ssize_t>(got, 0);
  }
}

/// How many bytes of a pipe the other one has now.
ssize_t copyPipe(int from, int to) {
  ssize_t copied = tee(from, to, INT_MAX, SPLICE_F_NONBLOCK);
  return copied < 0 && errno != EAGAIN && errno != EINTR ? 0 : copied;
}

/// Threads of the host leave all signals to those that wait for them.
void blockSignals() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
}

} // namespace

SandboxStreams::SandboxStreams(const SandboxOptions &options)
    : limit_(options.limits.output), wake_(eventfd(0, EFD_CLOEXEC)) {
  addInput(options.input);
  addOutput(1, options.output);
  bool isJoint = options.error >= 0 && streams_[1] >= 0 && streams_[1] != options.output &&
                 isSameFile(options.output, options.error);
  if (isJoint) // one pipe, or their bytes would change their order
    streams_[2] = streams_[1];
  else
    addOutput(2, options.error);
}

SandboxStreams::~SandboxStreams() {
  owned_.clear();
  finish();
}

void SandboxStreams::give(size_t stream, int fd) {
  streams_[stream] = fd;
  given_.emplace_back(fd);
}

void SandboxStreams::addInput(int fd) {
  struct stat facts = {};
  if (fd < 0 || fstat(fd, &facts) != 0)
    return;
  if (S_ISREG(facts.st_mode)) {
    UniqueFd again(open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_RDONLY | O_CLOEXEC));
    if (again.isOpen()) {
      lseek(again.get(), lseek(fd, 0, SEEK_CUR), SEEK_SET);
      streams_[0] = owned_.emplace_back(std::move(again)).get();
      return;
    }
  }
  if (S_ISCHR(facts.st_mode)) {
    give(0, fd);
    return;
  }
  Relay &relay = addRelay(0, fd, true);
  // With room for one page it can be written to when all of it has been read.
  relay.isCopied =
      S_ISFIFO(facts.st_mode) && fcntl(relay.to.get(), F_SETPIPE_SZ, getpagesize()) > 0;
  if (relay.isCopied)
    fcntl(streams_[0], F_SETFL, fcntl(fd, F_GETFL) & O_NONBLOCK);
}

void SandboxStreams::addOutput(size_t stream, int fd) {
  struct stat facts = {};
  if (fd < 0 || fstat(fd, &facts) != 0)
    return;
  if (S_ISCHR(facts.st_mode) && limit_ == 0)
    give(stream, fd);
  else
    addRelay(stream, fd, false);
}

SandboxStreams::Relay &SandboxStreams::addRelay(size_t stream, int fd, bool isInput) {
  int ends[2];
  int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
  if (own < 0 || pipe2(ends, O_CLOEXEC) != 0)
    failUsage("cannot make a pipe for the program's streams: {}", std::strerror(errno));
  streams_[stream] = owned_.emplace_back(ends[isInput ? 0 : 1]).get();
  UniqueFd other(ends[isInput ? 1 : 0]);
  Relay relay{UniqueFd(own), std::move(other), isInput};
  if (!isInput)
    std::swap(relay.from, relay.to);
  return relays_.emplace_back(std::move(relay));
}

void SandboxStreams::start() {
  owned_.clear();
  for (Relay &relay : relays_)
    threads_.emplace_back([this, &relay] {
      blockSignals();
      relay.isCopied ? passAsRead(relay) : pass(relay);
      relay.from.reset(); // the writer sees a broken pipe
      relay.to.reset();
    });
}

void SandboxStreams::pass(const Relay &relay) {
  char buffer[1 << 16];
  for (;;) {
    pollfd events[2] = {{relay.from.get(), POLLIN, 0}, {wake_.get(), POLLIN, 0}};
    if (poll(events, relay.isInput ? 2 : 1, -1) < 0 && errno != EINTR)
      return;
    if (relay.isInput && events[1].revents != 0)
      return;
    if (events[0].revents == 0)
      continue;
    ssize_t got = read(relay.from.get(), buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN))
      continue;
    if (got <= 0)
      return;
    auto size = static_cast<size_t>(got);
    if (!relay.isInput && limit_ > 0) {
      uint64_t before = passed_.fetch_add(size);
      isOver_ = isOver_ || before + size > limit_;
      size = before >= limit_ ? 0 : std::min<size_t>(size, limit_ - before);
    }
    if (!writeAll(relay.to.get(), buffer, size))
      return;
  }
}

/// False when there is nothing to wait for any more.
bool SandboxStreams::waitsFor(int fd, short events) const {
  pollfd ends[2] = {{fd, events, 0}, {wake_.get(), POLLIN, 0}};
  while (poll(ends, 2, -1) < 0)
    if (errno != EINTR)
      return false;
  return ends[1].revents == 0 && (ends[0].revents & POLLERR) == 0;
}

void SandboxStreams::passAsRead(const Relay &relay) const {
  int from = relay.from.get();
  int to = relay.to.get();
  UniqueFd nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  ssize_t copied = copyPipe(from, to);
  for (bool goesOn = true; goesOn && copied != 0;) {
    if (copied < 0) {
      goesOn = waitsFor(from, POLLIN);
      copied = goesOn ? copyPipe(from, to) : 0;
      continue;
    }
    goesOn = waitsFor(to, POLLOUT);
    int unread = 0;
    ioctl(to, FIONREAD, &unread);
    ssize_t left = std::min<ssize_t>(unread, copied);
    drop(from, nowhere.get(), copied - left);
    copied = left > 0 ? left : -1;
    if (left > 0) // the program has made more room
      usleep(1000);
  }
}

void SandboxStreams::finish() {
  uint64_t one = 1;
  if (write(wake_.get(), &one, sizeof one) < 0)
    return;
  for (std::thread &thread : threads_)
    thread.join();
  threads_.clear();
  for (const GivenFile &file : given_)
    file.setBack();
  given_.clear();
}

} // namespace culprit

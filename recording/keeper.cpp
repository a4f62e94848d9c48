// See keeper.h.
#include "recording/keeper.h"

#include "support/diagnostics.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace culprit {
namespace {

/// The terminal, pipes and locks of the recorder's are not the keeper's.
void closeAllBut(int first, int second) {
  int low = std::min(first, second);
  int high = std::max(first, second);
  if (low > 0)
    close_range(0, static_cast<unsigned>(low - 1), 0);
  if (high - low > 1)
    close_range(static_cast<unsigned>(low + 1), static_cast<unsigned>(high - 1), 0);
  close_range(static_cast<unsigned>(high + 1), ~0U, 0);
}

bool hasEnded(int process, int milliseconds) {
  pollfd end{process, POLLIN, 0};
  return process < 0 || poll(&end, 1, milliseconds) != 0;
}

} // namespace

Keeper::Keeper(std::filesystem::path folder, const Ring &ring, LogWriter &log)
    : folder_(std::move(folder)) {
  void *map =
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED)
    failUsage("cannot make the memory for the recording: {}", std::strerror(errno));
  shared_ = new (map) Shared{};
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return;
  process_ = fork();
  if (process_ == 0) {
    close(ends[1]);
    keep(ends[0], ring, log);
  }
  close(ends[0]);
  pipe_ = ends[1];
}

Keeper::~Keeper() {
  if (pipe_ >= 0) {
    char word = 0;
    send(pipe_, &word, sizeof word, MSG_NOSIGNAL);
    close(pipe_);
  }
  while (process_ > 0 && waitpid(process_, nullptr, 0) < 0 && errno == EINTR)
    ;
  munmap(shared_, sizeof *shared_);
}

void Keeper::keep(int pipe, const Ring &ring, LogWriter &log) const {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  setsid();
  prctl(PR_SET_NAME, "culprit-keeper");
  closeAllBut(pipe, log.descriptor());
  char word = 0;
  ssize_t got = 0;
  while ((got = read(pipe, &word, sizeof word)) < 0 && errno == EINTR)
    ;
  if (got == 0)
    saveRest(ring, log);
  _exit(0);
}

void Keeper::saveRest(const Ring &ring, LogWriter &log) const {
  constexpr int kRound = 20;
  constexpr int kMostRounds = 250;
  auto program =
      static_cast<int>(shared_->program > 0 ? syscall(SYS_pidfd_open, shared_->program, 0) : -1);
  if (ring.state().turn == abi::kTurnOfHost) // whose end this is
    ring.endTurn();
  for (int i = 0; i < kMostRounds; ++i) {
    bool isLast = hasEnded(program, kRound);
    if (!ring.takeTurn(isLast))
      continue;
    bool isSaved = saveOnce(ring, log);
    ring.endTurn();
    if (isLast || !isSaved)
      return;
  }
}

bool Keeper::saveOnce(const Ring &ring, LogWriter &log) const {
  abi::LogPlace place = ring.place();
  std::optional<std::string_view> events = ring.from(place.drained);
  if (place.hasFailed != 0 || !events)
    return false;
  std::optional<LogWriter> part;
  LogPosition position{place.size, place.sequence};
  if (place.part >= 0)
    part.emplace(partIn(folder_, place.part), position);
  else
    log.goOnAt(position);
  LogWriter &to = part ? *part : log;
  if (!events->empty() && !to.append(ChunkKind::Events, *events).empty())
    return false;
  ring.note({to.position().size, to.position().sequence, place.drained + events->size(), place.part,
             place.hasFailed});
  return true;
}

} // namespace culprit

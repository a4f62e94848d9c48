// See watch.h.
#include "cli/watch.h"

#include "abi/origins.h"
#include "support/diagnostics.h"

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

namespace culprit {
namespace {

/// Debug register 7: the first address, local, on stores to one byte or to eight.
constexpr unsigned long kWatchByte = 1UL | 1UL << 16;
constexpr unsigned long kWatchWord = kWatchByte | 2UL << 18;

void setDebugRegister(pid_t child, size_t number, unsigned long value) {
  size_t place = offsetof(struct user, u_debugreg) + number * sizeof(long);
  if (ptrace(PTRACE_POKEUSER, child, place, value) != 0)
    failUsage("cannot set a debug register to find who writes a word: {}; culprit doctor says what "
              "this machine lets culprit do",
              std::strerror(errno));
}

} // namespace

void waitForWatcher() {
  ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
}

void watchWrites(pid_t child, uint64_t address) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
    failUsage("cannot watch the program: it did not stop when it was executed");
  setDebugRegister(child, 0, address);
  setDebugRegister(child, 7, abi::watchedBytes(address) == 8 ? kWatchWord : kWatchByte);
  ptrace(PTRACE_DETACH, child, nullptr, nullptr);
}

} // namespace culprit

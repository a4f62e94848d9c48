// See thread_cells.h.
#include "externals/models/thread_cells.h"

#include "abi/memory_map.h"
#include "runtime/atfork.h"
#include "runtime/system.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {

__thread ThreadCells *t_cells __attribute__((tls_model("initial-exec")));

namespace {

/// At an address of their own: what a mode links besides must not move them. The first thread maps
/// them when it first asks.
ThreadCells *const g_cells = reinterpret_cast<ThreadCells *>(abi::kCellsBase);

bool g_isMapped; ///< also in a child that a thread without cells has forked

void mapCells() {
  if (g_isMapped)
    return;
  g_isMapped = true;
  long made = rawSyscall(SYS_mmap, static_cast<long>(abi::kCellsBase),
                         abi::kMostThreads * sizeof(ThreadCells), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (made == static_cast<long>(abi::kCellsBase))
    return;
  static const char kMessage[] = "culprit: error: there is no memory for errno\n";
  rawSyscall(SYS_write, 2, address(kMessage), sizeof kMessage - 1);
  rawSyscall(SYS_exit_group, 125);
}

bool isGone(int thread) {
  return rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), thread, 0) == -ESRCH;
}

ThreadCells *take(uint64_t place, int self) {
  int owner = __atomic_load_n(&g_cells[place].owner, __ATOMIC_ACQUIRE);
  if (owner != 0 && !isGone(owner))
    return nullptr;
  if (!__atomic_compare_exchange_n(&g_cells[place].owner, &owner, self, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return nullptr;
  char *rest = reinterpret_cast<char *>(&g_cells[place].error);
  memset(rest, 0, reinterpret_cast<char *>(&g_cells[place + 1]) - rest);
  return &g_cells[place];
}

/// There is one thread in the child, whose number is another.
void keepAfterFork() {
  for (uint64_t place = 0; place < abi::kMostThreads && g_cells[place].owner != 0; ++place) {
    ThreadCells &cells = g_cells[place];
    cells.owner = &cells == t_cells ? static_cast<int>(rawSyscall(SYS_gettid)) : -1;
  }
}

__attribute__((constructor)) void keepAcrossFork() {
  ownCells();
  __register_atfork(nullptr, nullptr, keepAfterFork, nullptr);
}

} // namespace

ThreadCells *claimCells() {
  int self = static_cast<int>(rawSyscall(SYS_gettid));
  bool isFirst = self == rawSyscall(SYS_getpid);
  if (isFirst)
    mapCells();
  for (uint64_t place = isFirst ? 0 : 1; place < abi::kMostThreads; ++place)
    if (ThreadCells *taken = take(place, self))
      return t_cells = taken;
  // More threads than there are places, whose stacks of frames are refused, too.
  return t_cells = &g_cells[abi::kMostThreads - 1];
}

} // namespace culprit

// See thread_cells.h.
#include "externals/models/thread_cells.h"

#include "abi/memory_map.h"
#include "externals/outside.h"
#include "runtime/system.h"
#include "runtime/thread_slots.h"

#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {

__thread ThreadCells *t_cells __attribute__((tls_model("initial-exec")));

namespace {

/// At an address of their own: what a mode links besides must not move them. The first thread maps
/// them when it first asks.
ThreadCells *const g_cells = reinterpret_cast<ThreadCells *>(abi::kCellsBase);

CULPRIT_OUTSIDE bool g_isMapped; ///< also in a child that a thread without cells has forked

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

__attribute__((constructor)) void claimBeforeTheProgram() {
  ownCells();
}

} // namespace

ThreadCells *claimCells() {
  uint64_t slot = ownSlot() != kNoSlot ? ownSlot() : claimSlotForStranger();
  // More threads than there are slots, whose stacks of frames are refused, too.
  ThreadCells &cells = g_cells[slot != kNoSlot ? slot : abi::kMostThreads - 1];
  mapCells();
  cells = {};
  return t_cells = &cells;
}

} // namespace culprit

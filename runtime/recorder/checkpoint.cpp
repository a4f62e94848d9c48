// Checkpoints: points in the middle of a recording from which a replay can start.
//
// All that a replay needs is the process's memory and a few registers, for everything lies at fixed
// addresses and nothing outside is touched. So a checkpoint is a copy of the process (snapshot.h),
// made at the end of a system call; the host reads its memory while the program goes on. A replay
// starts as any other, and before the dynamic loader gets to run, takes that memory over: what the
// executable brings is copied over in place, for this code is in it, all else is mapped anew. Then
// it returns from the signal by which the call had come.
#include "abi/memory_map.h"
#include "runtime/entry_fence.h"
#include "runtime/record.h"
#include "runtime/recorder/arrivals.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/time_stamp.h"
#include "runtime/snapshot.h"
#include "runtime/start.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr int kSignals = 64;
KernelAction g_actions[kSignals + 1]; ///< the kernel's, when the checkpoint was made

void noteActions() {
  for (int signal = 1; signal <= kSignals; ++signal)
    rawSyscall(SYS_rt_sigaction, signal, 0, address(&g_actions[signal]), kMaskSize);
}

/// Of failures, which runtime/signals.cpp handles in replays, too.
void restoreFailureActions() {
  for (int signal = 1; signal <= kSignals; ++signal)
    if (isFailureSignal(signal))
      rawSyscall(SYS_rt_sigaction, signal, address(&g_actions[signal]), 0, kMaskSize);
}

[[noreturn]] void giveUp() {
  static const char kMessage[] =
      "culprit: error: the memory of the recording cannot be mapped; is there too little?\n";
  rawSyscall(SYS_write, 2, address(kMessage), sizeof kMessage - 1);
  for (;;)
    rawSyscall(SYS_exit_group, 125);
}

/// Whether the mapping is the executable's own, and so is there already.
bool isThere(const abi::CheckpointMapping &mapping) {
  return mapping.begin < abi::kExecutableLimit &&
         rawSyscall(SYS_mprotect, toLong(mapping.begin), toLong(mapping.size),
                    toLong(mapping.protection | PROT_READ | PROT_WRITE)) == 0;
}

/// Uses nothing but its own locals: the runtime's variables change under it.
const char *restoreOne(const char *at) {
  const auto &mapping = *reinterpret_cast<const abi::CheckpointMapping *>(at);
  uint64_t begin = mapping.begin;
  uint64_t protection = mapping.protection;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  if (!isThere(mapping) &&
      rawSyscall(SYS_mmap, toLong(begin), toLong(mapping.size),
                 mapping.stretches != 0 ? PROT_READ | PROT_WRITE : toLong(protection), kFlags, -1,
                 0) != toLong(begin))
    giveUp();
  at += sizeof mapping;
  for (uint64_t i = 0; i < mapping.stretches; ++i) {
    const auto &stretch = *reinterpret_cast<const abi::WrittenBytes *>(at);
    at += sizeof stretch;
    copyBytes(pointerTo<char>(stretch.address), at, stretch.size);
    at += stretch.size;
  }
  rawSyscall(SYS_mprotect, toLong(begin), toLong(mapping.size), toLong(protection));
  return at;
}

void restoreMemory(const abi::Checkpoint &checkpoint) {
  const auto *at = reinterpret_cast<const char *>(&checkpoint + 1);
  for (uint64_t i = 0; i < checkpoint.mappingCount; ++i)
    at = restoreOne(at);
}

const abi::Checkpoint *mapCheckpoint(const char *file, uint64_t size) {
  long fd = rawSyscall(SYS_open, address(file), O_RDONLY | O_CLOEXEC);
  long map = rawSyscall(SYS_mmap, toLong(abi::kCheckpointBase), toLong(size), PROT_READ,
                        MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0);
  rawSyscall(SYS_close, fd);
  if (map != toLong(abi::kCheckpointBase))
    giveUp();
  return pointerTo<const abi::Checkpoint>(abi::kCheckpointBase);
}

} // namespace

bool isCheckpointWanted() {
  abi::RecordingState &state = sharedState();
  return state.written >= __atomic_load_n(&state.checkpointAt, __ATOMIC_ACQUIRE) &&
         __atomic_load_n(&state.isCheckpointMade, __ATOMIC_ACQUIRE) == 0;
}

void checkpointIfWanted(ucontext_t *context) {
  abi::RecordingState &state = sharedState();
  if (g_role != Role::Recording || !isCheckpointWanted() || isFenceUp() || isInChild() ||
      isHeld() || isSharing())
    return;
  abi::Checkpoint &checkpoint = state.checkpoint;
  noteActions();
  checkpoint.written = state.written;
  checkpoint.clock = clockNow();
  checkpoint.context = placeOf(context);
  rawSyscall(SYS_arch_prctl, ARCH_GET_FS, address(&checkpoint.threadPointer));
  checkpoint.breakEnd = static_cast<uint64_t>(rawSyscall(SYS_brk, 0));
  checkpoint.process = takeSnapshot();
  __atomic_store_n(&state.isCheckpointMade, 1, __ATOMIC_RELEASE);
  __atomic_add_fetch(&state.bell, 1, __ATOMIC_RELEASE);
  constexpr int kWake = 1;
  rawSyscall(SYS_futex, address(&state.bell), kWake, 1);
}

void goOnAtCheckpoint(const char *file, uint64_t size, const ReplayWords &words) {
  const abi::Checkpoint &checkpoint = *mapCheckpoint(file, size);
  takeFenceDown();
  rawSyscall(SYS_brk, toLong(checkpoint.breakEnd));
  restoreMemory(checkpoint);
  g_role = Role::Replaying;
  sharedState().countdown = abi::kClockStart - static_cast<int64_t>(checkpoint.clock);
  sharedState().isSaved = 0;
  if (!openReplay(words))
    giveUp();
  startAgain(words.watcher, words.parent);
  if (words.failure[0])
    mapRecord(words.failure);
  rawSyscall(SYS_arch_prctl, ARCH_SET_FS, toLong(checkpoint.threadPointer));
  uint64_t context = checkpoint.context;
  rawSyscall(SYS_munmap, toLong(abi::kCheckpointBase), toLong(size));
  takeCalls();
  restoreFailureActions();
  prepareClock();
  asm volatile("movq %0, %%rsp\n\tmovq $15, %%rax\n\tsyscall" : : "r"(context) : "memory");
  __builtin_unreachable();
}

} // namespace culprit

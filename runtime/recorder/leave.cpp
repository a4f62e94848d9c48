// See leave.h.
#include "runtime/recorder/leave.h"

#include "abi/altered_run.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/careful.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/mirror.h"
#include "runtime/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

const abi::LeavePlan *g_plan; ///< null: the replay is not left
uint64_t g_planSize;

const char *pathOf(const abi::LeaveStep &step) {
  return reinterpret_cast<const char *>(&step + 1);
}

const char *bytesOf(const abi::LeaveStep &step) {
  return pathOf(step) + roundUpTo8(step.pathSize);
}

long writeAll(long file, const char *bytes, uint64_t size) {
  for (uint64_t done = 0; done < size;) {
    long part = rawSyscall(SYS_write, file, address(bytes + done), toLong(size - done));
    if (part <= 0)
      return part < 0 ? part : -EIO;
    done += static_cast<uint64_t>(part);
  }
  return 0;
}

long removeFile(const char *path) {
  long error = rawSyscall(SYS_unlink, address(path));
  if (error == -EISDIR || error == -EPERM)
    error = rawSyscall(SYS_rmdir, address(path));
  return error == -ENOENT ? 0 : error;
}

long writeFile(const abi::LeaveStep &step) {
  long file = rawSyscall(SYS_open, address(pathOf(step)), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                         toLong(step.a));
  if (file < 0)
    return file;
  long error = writeAll(file, bytesOf(step), step.byteCount);
  rawSyscall(SYS_close, file);
  return error;
}

/// A pair of sockets: one end holds the input and gets what the program sends. More than the kernel
/// keeps for a socket is a file.
long giveStream(const abi::LeaveStep &step) {
  constexpr uint64_t kMostInSocket = 64 << 10;
  int ends[2] = {-1, -1};
  if (step.byteCount > kMostInSocket) {
    long file = rawSyscall(SYS_memfd_create, address("input"), 0);
    long error = file < 0 ? file : writeAll(file, bytesOf(step), step.byteCount);
    rawSyscall(SYS_lseek, file, 0, SEEK_SET);
    placeDescriptor(error < 0 ? error : file, step.a, false);
    return error;
  }
  long error = rawSyscall(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, address(ends));
  if (error < 0)
    return error;
  error = writeAll(ends[1], bytesOf(step), step.byteCount);
  rawSyscall(SYS_shutdown, ends[1], SHUT_WR);
  // Kept open, or sending to it would end the program.
  rawSyscall(SYS_fcntl, ends[1], F_DUPFD_CLOEXEC, abi::kFirstOwnDescriptor);
  rawSyscall(SYS_close, ends[1]);
  placeDescriptor(ends[0], step.a, false);
  return error;
}

long givePipe(const abi::LeaveStep &step) {
  int ends[2] = {-1, -1};
  long error = rawSyscall(SYS_pipe2, address(ends), 0);
  if (error < 0)
    return error;
  // Out of the way of each other's numbers.
  for (int &end : ends) {
    long own = rawSyscall(SYS_fcntl, end, F_DUPFD, abi::kFirstOwnDescriptor);
    rawSyscall(SYS_close, end);
    end = static_cast<int>(own);
  }
  error = writeAll(ends[1], bytesOf(step), step.byteCount);
  placeDescriptor(ends[0], step.a, false);
  placeDescriptor(ends[1], step.b, false);
  return error;
}

long copyStream(const abi::LeaveStep &step) {
  long copy = rawSyscall(SYS_fcntl, toLong(step.b), F_DUPFD, abi::kFirstOwnDescriptor);
  placeDescriptor(copy, step.a, false);
  return copy;
}

long writeMemory(const abi::LeaveStep &step) {
  constexpr uint64_t kPart = 4096;
  for (uint64_t done = 0; done < step.byteCount; done += kPart) {
    uint64_t part = step.byteCount - done < kPart ? step.byteCount - done : kPart;
    if (!copyOut(step.a + done, bytesOf(step) + done, part))
      return -EFAULT;
  }
  return 0;
}

long take(const abi::LeaveStep &step, bool isStart) {
  switch (step.kind) {
  case abi::LeaveStepKind::RemoveFile:
    return isStart ? removeFile(pathOf(step)) : 0;
  case abi::LeaveStepKind::MakeFolder:
    return isStart ? rawSyscall(SYS_mkdir, address(pathOf(step)), toLong(step.a)) : 0;
  case abi::LeaveStepKind::WriteFile:
    return isStart ? writeFile(step) : 0;
  case abi::LeaveStepKind::CutFile:
    return isStart ? rawSyscall(SYS_truncate, address(pathOf(step)), toLong(step.a)) : 0;
  case abi::LeaveStepKind::GiveStream:
    return isStart ? 0 : giveStream(step);
  case abi::LeaveStepKind::CopyStream:
    return isStart ? 0 : copyStream(step);
  case abi::LeaveStepKind::GivePipe:
    return isStart ? 0 : givePipe(step);
  case abi::LeaveStepKind::WriteMemory:
    return isStart ? 0 : writeMemory(step);
  }
  return -EINVAL;
}

void takeSteps(bool isStart) {
  uint64_t place = placeOf(g_plan + 1);
  for (uint64_t i = 0; i < g_plan->stepCount; ++i) {
    const auto &step = *pointerTo<const abi::LeaveStep>(place);
    if (long error = take(step, isStart); error < 0)
      failRestoring(abi::LeaveTrouble::Step, i, error);
    place += step.size;
  }
}

void leaveNow(ucontext_t *context) {
  if (callsTaken() != g_plan->calls)
    failRestoring(abi::LeaveTrouble::Count, callsTaken(), 0);
  takeSteps(false);
  if (__culprit_alter)
    __culprit_alter(context);
  finishMirror();
  noteLeaving();
  rawSyscall(SYS_munmap, toLong(abi::kLeavePlanBase), toLong(g_planSize));
  g_plan = nullptr;
  closeReplay();
  clockAsked();
  goNative();
  goOnNatively(context);
}

} // namespace

bool openPlan(const char *file, uint64_t size) {
  long fd = rawSyscall(SYS_open, address(file), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  long map = rawSyscall(SYS_mmap, toLong(abi::kLeavePlanBase), toLong(size), PROT_READ,
                        MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0);
  rawSyscall(SYS_close, fd);
  if (map != toLong(abi::kLeavePlanBase))
    return false;
  g_plan = pointerTo<const abi::LeavePlan>(abi::kLeavePlanBase);
  g_planSize = size;
  startMirror();
  takeSteps(true);
  return true;
}

bool isLeaving() {
  return g_plan != nullptr;
}

uint64_t leavingClock() {
  return g_plan->clock;
}

bool leaveIfDue(ucontext_t *context) {
  if (!g_plan || isInChild() || clockNow() < g_plan->clock || eventsTaken() < g_plan->events)
    return false;
  leaveNow(context);
  return true;
}

} // namespace culprit

// See mirror.h.
#include "runtime/recorder/mirror.h"

#include "abi/altered_run.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/careful.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>

namespace culprit {
namespace {

constexpr uint64_t kMost = 4096;
enum class Place : uint8_t { Elsewhere, Real, Lost };
Place g_places[kMost];   ///< by descriptor
uint8_t g_errors[kMost]; ///< why it is lost
int g_kept[3];           ///< the runtime's numbers for standard output and error
uint64_t g_threadNumber; ///< where libc keeps the thread's number

constexpr int kTimers = 3;
constexpr int kTimerSignals[kTimers] = {SIGALRM, SIGVTALRM, SIGPROF};
struct Timer {
  itimerval setting;
  bool isArmed;
};
Timer g_timers[kTimers];

Place placeAt(uint64_t descriptor) {
  descriptor = static_cast<uint32_t>(descriptor);
  return descriptor < kMost ? g_places[descriptor] : Place::Elsewhere;
}

bool isReal(uint64_t descriptor) {
  return placeAt(descriptor) == Place::Real;
}

void setPlace(uint64_t descriptor, Place place, long error = 0) {
  if (descriptor >= kMost)
    return;
  g_places[descriptor] = place;
  g_errors[descriptor] = static_cast<uint8_t>(-error);
}

bool isOwnNumber(uint64_t descriptor) {
  return descriptor - abi::kFirstOwnDescriptor < 8;
}

void closeOne(uint64_t descriptor) {
  if (isReal(descriptor) && !isOwnNumber(descriptor))
    rawSyscall(SYS_close, toLong(descriptor));
  setPlace(descriptor, Place::Elsewhere);
}

/// A file is opened without waiting for somebody at the other end of it, and is new if it was.
void mirrorOpen(ProgramCall call, long result) {
  bool isAt = call.number == SYS_openat;
  uint64_t creates = O_CREAT | O_WRONLY | O_TRUNC;
  uint64_t flags = call.number == SYS_creat ? creates : call.arguments[isAt ? 2 : 1];
  if (call.number == SYS_creat)
    call = {SYS_open, {call.arguments[0], 0, call.arguments[1], 0, 0, 0}};
  uint64_t wanted = flags | O_NONBLOCK;
  if ((flags & O_EXCL) != 0 && (flags & O_CREAT) != 0)
    wanted = (wanted & ~uint64_t{O_EXCL}) | O_TRUNC;
  call.arguments[isAt ? 2 : 1] = wanted;
  long made = makeCall(call);
  if (made >= 0 && (flags & O_NONBLOCK) == 0)
    rawSyscall(SYS_fcntl, made, F_SETFL, toLong(flags));
  placeDescriptor(made, static_cast<uint64_t>(result), (flags & O_CLOEXEC) != 0);
}

void mirrorCopy(uint64_t from, uint64_t to, bool closesOnExecute) {
  if (from == to)
    return;
  if (isReal(from)) {
    placeDescriptor(rawSyscall(SYS_fcntl, toLong(from), F_DUPFD_CLOEXEC, abi::kFirstOwnDescriptor),
                    to, closesOnExecute);
    return;
  }
  closeOne(to);
  if (placeAt(from) == Place::Lost)
    setPlace(to, Place::Lost, -long{g_errors[from]});
}

void mirrorCloseRange(const ProgramCall &call) {
  constexpr uint64_t kCloseOnExec = 4;
  uint64_t last = static_cast<uint32_t>(call.arguments[1]);
  for (uint64_t i = static_cast<uint32_t>(call.arguments[0]); i < kMost && i <= last; ++i) {
    if ((call.arguments[2] & kCloseOnExec) == 0)
      closeOne(i);
    else if (isReal(i))
      rawSyscall(SYS_fcntl, toLong(i), F_SETFD, FD_CLOEXEC);
  }
}

void mirrorControl(const ProgramCall &call, long result) {
  uint64_t command = call.arguments[1];
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
    mirrorCopy(call.arguments[0], static_cast<uint64_t>(result), command == F_DUPFD_CLOEXEC);
  else if ((command == F_SETFD || command == F_SETFL) && isReal(call.arguments[0]))
    makeCall(call);
}

struct Writing {
  uint64_t descriptor;
  long offset; ///< -1: where the file is
  long error;
};

void writePart(void *data, uint64_t place, uint64_t size) {
  auto *writing = static_cast<Writing *>(data);
  while (size > 0 && writing->error == 0) {
    bool isPlaced = writing->offset >= 0;
    long done = rawSyscall(isPlaced ? SYS_pwrite64 : SYS_write, toLong(writing->descriptor),
                           toLong(place), toLong(size), writing->offset);
    if (done <= 0) {
      writing->error = done == 0 ? -EIO : done;
      return;
    }
    place += static_cast<uint64_t>(done);
    size -= static_cast<uint64_t>(done);
    writing->offset += isPlaced ? done : 0;
  }
}

void mirrorWrite(const CallRow &row, const ProgramCall &call, long result) {
  uint64_t descriptor = static_cast<uint32_t>(call.arguments[0]);
  if (!isReal(descriptor) || outputOf(descriptor) != 0)
    return;
  bool isPlaced =
      call.number == SYS_pwrite64 || call.number == SYS_pwritev || call.number == SYS_pwritev2;
  Writing writing = {descriptor, isPlaced ? toLong(call.arguments[3]) : -1, 0};
  forEachSent(row, call, result, writePart, &writing);
  if (writing.error != 0)
    setPlace(descriptor, Place::Lost, writing.error);
}

/// Bytes go from file to file; with offsets in the program's memory, which have changed by now, it
/// is not done again.
void mirrorTransfer(ProgramCall call, long result, uint64_t from, uint64_t to, bool hasOffsets,
                    int size) {
  call.arguments[size] = static_cast<uint64_t>(result);
  if (!isReal(to))
    return;
  long moved = !isReal(from) || hasOffsets ? -EOPNOTSUPP : makeCall(call);
  if (moved != result)
    setPlace(static_cast<uint32_t>(to), Place::Lost, moved < 0 ? moved : -EIO);
}

/// Whether two lists of a folder's entries have the same names, in the same order.
bool hasSameNames(const char *one, const char *other, long size, long nameAt) {
  constexpr long kSizeAt = 16; // of the entry; its numbers come first, and differ in an overlay
  for (long at = 0; at < size;) {
    uint16_t length = 0, otherLength = 0;
    copyBytes(&length, one + at + kSizeAt, sizeof length);
    copyBytes(&otherLength, other + at + kSizeAt, sizeof otherLength);
    if (length != otherLength || length <= nameAt)
      return false;
    for (long i = at + nameAt; i < at + length && (one[i] != 0 || other[i] != 0); ++i)
      if (one[i] != other[i])
        return false;
    at += length;
  }
  return true;
}

/// The rest of a folder is what the program has not seen yet, if it has the same entries up to
/// here.
void mirrorFolder(const ProgramCall &call, long result) {
  alignas(8) static char entries[64 << 10];
  auto descriptor = static_cast<uint32_t>(call.arguments[0]);
  if (!isReal(descriptor))
    return;
  uint64_t size = call.arguments[2] < sizeof entries ? call.arguments[2] : sizeof entries;
  long nameAt = call.number == SYS_getdents64 ? 19 : 18;
  long found = rawSyscall(call.number, toLong(descriptor), address(entries), toLong(size));
  if (found != result ||
      !hasSameNames(pointerTo<const char>(call.arguments[1]), entries, found, nameAt))
    setPlace(descriptor, Place::Lost, found < 0 ? found : -ESTALE);
}

void mirrorTimer(const ProgramCall &call) {
  if (call.number == SYS_alarm) {
    g_timers[0].setting = {{0, 0}, {toLong(call.arguments[0]), 0}};
    g_timers[0].isArmed = call.arguments[0] != 0;
    return;
  }
  uint64_t which = call.arguments[0];
  if (which >= kTimers ||
      !copyIn(&g_timers[which].setting, call.arguments[1], sizeof g_timers[which].setting))
    return;
  const timeval &value = g_timers[which].setting.it_value;
  g_timers[which].isArmed = value.tv_sec != 0 || value.tv_usec != 0;
}

/// Without it, files and folders would be others.
void mustSucceed(const ProgramCall &call) {
  long made = makeCall(call);
  if (made < 0)
    failRestoring(abi::LeaveTrouble::Call, static_cast<uint64_t>(call.number), made);
}

/// Calls that make or close descriptors. False: it is none of them.
bool mirrorDescriptors(const ProgramCall &call, long result) {
  switch (call.number) {
  case SYS_open:
  case SYS_openat:
  case SYS_creat:
    mirrorOpen(call, result);
    return true;
  case SYS_openat2:
  case SYS_memfd_create:
    placeDescriptor(makeCall(call), static_cast<uint64_t>(result),
                    call.number == SYS_memfd_create && (call.arguments[1] & 1) != 0);
    return true;
  case SYS_dup:
  case SYS_dup2:
  case SYS_dup3:
    mirrorCopy(static_cast<uint32_t>(call.arguments[0]), static_cast<uint64_t>(result),
               call.number == SYS_dup3 && (call.arguments[2] & O_CLOEXEC) != 0);
    return true;
  case SYS_fcntl:
    mirrorControl(call, result);
    return true;
  case SYS_close:
    closeOne(static_cast<uint32_t>(call.arguments[0]));
    return true;
  case SYS_close_range:
    mirrorCloseRange(call);
    return true;
  default:
    return false;
  }
}

/// Calls that change an open file. False: it is none of them.
bool mirrorContents(const CallRow &row, const ProgramCall &call, long result) {
  const uint64_t *arguments = call.arguments;
  switch (call.number) {
  case SYS_read:
  case SYS_readv:
    if (isReal(arguments[0]))
      rawSyscall(SYS_lseek, toLong(arguments[0]), result, SEEK_CUR);
    return true;
  case SYS_lseek:
    if (isReal(arguments[0]))
      rawSyscall(SYS_lseek, toLong(arguments[0]), result, SEEK_SET);
    return true;
  case SYS_write:
  case SYS_writev:
  case SYS_pwrite64:
  case SYS_pwritev:
  case SYS_pwritev2:
    mirrorWrite(row, call, result);
    return true;
  case SYS_sendfile:
    mirrorTransfer(call, result, arguments[1], arguments[0], arguments[2] != 0, 3);
    return true;
  case SYS_splice:
  case SYS_copy_file_range:
    mirrorTransfer(call, result, arguments[0], arguments[2], arguments[1] != 0 || arguments[3] != 0,
                   4);
    return true;
  case SYS_getdents:
  case SYS_getdents64:
    mirrorFolder(call, result);
    return true;
  case SYS_ftruncate:
  case SYS_fallocate:
  case SYS_fchdir:
    if (isReal(arguments[0]))
      mustSucceed(call);
    return true;
  default:
    return false;
  }
}

/// Calls that name files.
void mirrorNames(const ProgramCall &call) {
  switch (call.number) {
  case SYS_truncate:
  case SYS_chdir:
  case SYS_rename:
  case SYS_renameat:
  case SYS_renameat2:
  case SYS_mkdir:
  case SYS_mkdirat:
  case SYS_rmdir:
  case SYS_link:
  case SYS_linkat:
  case SYS_unlink:
  case SYS_unlinkat:
  case SYS_symlink:
  case SYS_symlinkat:
    mustSucceed(call);
    break;
  case SYS_umask: // the sandbox may not be able to give files away
  case SYS_chmod:
  case SYS_fchmod:
  case SYS_fchmodat:
  case SYS_chown:
  case SYS_lchown:
  case SYS_fchown:
  case SYS_fchownat:
  case SYS_utime:
  case SYS_utimes:
  case SYS_utimensat:
  case SYS_set_robust_list:
    makeCall(call);
    break;
  case SYS_set_tid_address:
    g_threadNumber = call.arguments[0];
    makeCall(call);
    break;
  case SYS_alarm:
  case SYS_setitimer:
    mirrorTimer(call);
    break;
  default:
    break;
  }
}

} // namespace

void startMirror() {
  for (int i = 0; i <= 2; ++i)
    setPlace(static_cast<uint64_t>(i),
             rawSyscall(SYS_fcntl, i, F_GETFD) >= 0 ? Place::Real : Place::Elsewhere);
  for (int i = 1; i <= 2; ++i)
    g_kept[i] =
        static_cast<int>(rawSyscall(SYS_fcntl, i, F_DUPFD_CLOEXEC, abi::kFirstOwnDescriptor));
}

int keptOutput(int output) {
  return g_kept[output] > 0 ? g_kept[output] : output;
}

void placeDescriptor(long made, uint64_t wanted, bool closesOnExecute) {
  closeOne(wanted == static_cast<uint64_t>(made) ? kMost : wanted);
  if (made < 0 || isOwnNumber(wanted)) {
    setPlace(wanted, Place::Lost, made < 0 ? made : -EMFILE);
    return;
  }
  if (static_cast<uint64_t>(made) != wanted) {
    rawSyscall(SYS_dup3, made, toLong(wanted), closesOnExecute ? O_CLOEXEC : 0);
    rawSyscall(SYS_close, made);
  }
  setPlace(wanted, Place::Real);
}

void mirrorCall(const CallRow &row, const ProgramCall &call, long result) {
  if (result < 0)
    return;
  if (!mirrorDescriptors(call, result) && !mirrorContents(row, call, result))
    mirrorNames(call);
}

void noteTimerSignal(int signal) {
  for (int i = 0; i < kTimers; ++i) {
    const timeval &interval = g_timers[i].setting.it_interval;
    if (kTimerSignals[i] == signal && interval.tv_sec == 0 && interval.tv_usec == 0)
      g_timers[i].isArmed = false;
  }
}

void finishMirror() {
  for (uint64_t i = 0; i < kMost; ++i)
    if (g_places[i] == Place::Lost)
      failRestoring(abi::LeaveTrouble::Descriptor, i, -long{g_errors[i]});
  if (g_threadNumber != 0) {
    auto number = static_cast<int>(rawSyscall(SYS_gettid));
    copyBytes(pointerTo<char>(g_threadNumber), &number, sizeof number);
  }
  for (int i = 0; i < kTimers; ++i)
    if (g_timers[i].isArmed)
      rawSyscall(SYS_setitimer, i, address(&g_timers[i].setting), 0);
  for (int i = 1; i <= 2; ++i)
    if (g_kept[i] > 0)
      rawSyscall(SYS_close, g_kept[i]);
}

} // namespace culprit

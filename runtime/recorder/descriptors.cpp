// Which descriptors lead to the standard output and error that the program was started with: what
// is written there is output of a replay, too.
//
// A program gets more of them by copies, by opening /dev/stdout and the like, and through sockets.
// Only a recording can tell what a new descriptor leads to, so it says that with the call.
#include "runtime/recorder/dispatch.h"

#include "runtime/recorder/bytes.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kMost = 1 << 16; ///< descriptors that are looked after
constexpr int kMostMade = 4;        ///< descriptors of one call that are looked at
constexpr int kBitsOfOutput = 2;

uint8_t g_outputs[kMost];
uint64_t g_end; ///< behind the last that was an output ever

struct Identity {
  uint64_t device;
  uint64_t number;
  bool isThere;
};

Identity g_identities[3]; ///< of the outputs; only in a recording

void set(uint64_t descriptor, int output) {
  if (descriptor >= kMost || (output == 0 && descriptor >= g_end))
    return;
  g_outputs[descriptor] = static_cast<uint8_t>(output);
  g_end = descriptor >= g_end ? descriptor + 1 : g_end;
}

void closeRange(uint64_t first, uint64_t last) {
  for (uint64_t i = first; i < g_end && i <= last; ++i)
    g_outputs[i] = 0;
}

/// Whoever writes to /dev/null does not mean the output that leads there as well.
Identity identityOf(int descriptor) {
  constexpr uint64_t kMemoryDevices = 1;
  struct stat status;
  status.st_mode = 0;
  if (rawSyscall(SYS_fstat, descriptor, address(&status)) != 0)
    return {0, 0, false};
  bool isMemory = S_ISCHR(status.st_mode) && (status.st_rdev >> 8 & 0xfff) == kMemoryDevices;
  return {status.st_dev, status.st_ino, !isMemory};
}

int outputBehind(int descriptor) {
  Identity found = identityOf(descriptor);
  for (int i = 1; found.isThere && i <= 2; ++i)
    if (g_identities[i].isThere && g_identities[i].device == found.device &&
        g_identities[i].number == found.number)
      return i;
  return 0;
}

/// What a message brings along: the descriptor with that index, or -1.
int receivedIn(const msghdr &message, int index) {
  uint64_t at = placeOf(message.msg_control);
  uint64_t end = at + message.msg_controllen;
  while (message.msg_control && at + sizeof(cmsghdr) <= end) {
    const auto &part = *pointerTo<const cmsghdr>(at);
    if (part.cmsg_len < sizeof part)
      return -1;
    auto count = static_cast<int>((part.cmsg_len - sizeof part) / sizeof(int));
    if (part.cmsg_level == SOL_SOCKET && part.cmsg_type == SCM_RIGHTS) {
      if (index < count)
        return reinterpret_cast<const int *>(&part + 1)[index];
      index -= count;
    }
    at += roundUpTo8(part.cmsg_len);
  }
  return -1;
}

/// The descriptor with that index that a call has made, of which nobody knows where it leads; -1:
/// there is none.
int madeBy(const ProgramCall &call, long result, int index) {
  switch (call.number) {
  case SYS_open:
  case SYS_openat:
  case SYS_openat2:
  case SYS_creat:
    return index == 0 ? static_cast<int>(result) : -1;
  case SYS_recvmsg:
    return receivedIn(*pointerTo<const msghdr>(call.arguments[1]), index);
  default:
    return -1;
  }
}

} // namespace

int outputOf(uint64_t descriptor) {
  descriptor = static_cast<uint32_t>(descriptor);
  return descriptor < g_end ? g_outputs[descriptor] : 0;
}

uint8_t openDescriptors() {
  uint8_t open = 0;
  for (int i = 1; i <= 2; ++i) {
    g_identities[i] = identityOf(i);
    if (rawSyscall(SYS_fcntl, i, F_GETFD) >= 0)
      open |= static_cast<uint8_t>(1 << i);
  }
  return open;
}

void startDescriptors(uint8_t open) {
  for (int i = 1; i <= 2; ++i)
    set(static_cast<uint64_t>(i), (open & 1 << i) != 0 ? i : 0);
}

uint8_t outputsMade(const ProgramCall &call, long result) {
  uint8_t outputs = 0;
  if (result < 0 || isInChild())
    return outputs;
  for (int i = 0; i < kMostMade; ++i)
    if (int made = madeBy(call, result, i); made >= 0)
      outputs |= static_cast<uint8_t>(outputBehind(made) << kBitsOfOutput * i);
  trackMade(call, result, outputs);
  return outputs;
}

void trackMade(const ProgramCall &call, long result, uint8_t outputs) {
  for (int i = 0; outputs >> kBitsOfOutput * i != 0; ++i)
    if (int made = madeBy(call, result, i); made >= 0)
      set(static_cast<uint64_t>(made), outputs >> kBitsOfOutput * i & 3);
}

void trackDescriptors(const ProgramCall &call, long result) {
  if (result < 0)
    return;
  auto made = static_cast<uint64_t>(result);
  constexpr uint64_t kCloseOnExec = 4; ///< CLOSE_RANGE_CLOEXEC
  switch (call.number) {
  case SYS_dup:
  case SYS_dup2:
  case SYS_dup3:
    set(made, outputOf(call.arguments[0]));
    break;
  case SYS_fcntl:
    if (call.arguments[1] == F_DUPFD || call.arguments[1] == F_DUPFD_CLOEXEC)
      set(made, outputOf(call.arguments[0]));
    break;
  case SYS_close:
    set(static_cast<uint32_t>(call.arguments[0]), 0);
    break;
  case SYS_close_range:
    if ((call.arguments[2] & kCloseOnExec) == 0)
      closeRange(static_cast<uint32_t>(call.arguments[0]),
                 static_cast<uint32_t>(call.arguments[1]));
    break;
  default:
    break;
  }
}

} // namespace culprit

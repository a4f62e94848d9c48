// Which descriptors lead to the standard output and error that the program was started with: what
// is written there is output of a replay, too.
#include "runtime/recorder/session.h"

#include <fcntl.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kMost = 4096;
uint8_t g_outputs[kMost];

void set(uint64_t descriptor, int output) {
  if (descriptor < kMost)
    g_outputs[descriptor] = static_cast<uint8_t>(output);
}

void closeRange(uint64_t first, uint64_t last) {
  for (uint64_t i = first; i < kMost && i <= last; ++i)
    g_outputs[i] = 0;
}

} // namespace

int outputOf(uint64_t descriptor) {
  descriptor = static_cast<uint32_t>(descriptor);
  return descriptor < kMost ? g_outputs[descriptor] : 0;
}

uint8_t openDescriptors() {
  uint8_t open = 0;
  for (int i = 1; i <= 2; ++i)
    if (rawSyscall(SYS_fcntl, i, F_GETFD) >= 0)
      open |= static_cast<uint8_t>(1 << i);
  return open;
}

void startDescriptors(uint8_t open) {
  for (int i = 1; i <= 2; ++i)
    set(static_cast<uint64_t>(i), (open & 1 << i) != 0 ? i : 0);
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

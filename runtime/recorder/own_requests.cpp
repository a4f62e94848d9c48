// Calls with many meanings in one: what they write depends on a request among their arguments.
//
// A request that is not known and succeeds stops the recording: nobody here can tell what it wrote.
#include "runtime/recorder/dispatch.h"

#include <asm/prctl.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>

namespace culprit {
namespace {

constexpr int kUnknown = -1;

struct Request {
  uint64_t number;
  int size; ///< of what it writes
};

constexpr Request kIoctls[] = {
    {TCGETS, 36},      {TCSETS, 0},        {TCSETSW, 0},     {TCSETSF, 0},      {TCGETA, 18},
    {TCSETA, 0},       {TCSETAW, 0},       {TCSETAF, 0},     {TCSBRK, 0},       {TCXONC, 0},
    {TCFLSH, 0},       {TIOCEXCL, 0},      {TIOCNXCL, 0},    {TIOCSCTTY, 0},    {TIOCGPGRP, 4},
    {TIOCSPGRP, 0},    {TIOCOUTQ, 4},      {TIOCSTI, 0},     {TIOCGWINSZ, 8},   {TIOCSWINSZ, 0},
    {TIOCMGET, 4},     {TIOCMBIS, 0},      {TIOCMBIC, 0},    {TIOCMSET, 0},     {FIONREAD, 4},
    {FIONBIO, 0},      {TIOCNOTTY, 0},     {TIOCGETD, 4},    {TIOCSETD, 0},     {TCSBRKP, 0},
    {TIOCGSID, 4},     {FIOASYNC, 0},      {FIONCLEX, 0},    {FIOCLEX, 0},      {FIOQSIZE, 8},
    {TIOCGPTN, 4},     {TIOCSPTLCK, 0},    {TIOCGPTPEER, 0}, {SIOCATMARK, 4},   {SIOCGIFFLAGS, 40},
    {SIOCGIFADDR, 40}, {SIOCGIFINDEX, 40}, {SIOCGIFMTU, 40}, {SIOCGIFNAME, 40}, {SIOCGIFHWADDR, 40},
};

template <int kCount> int sizeIn(const Request (&table)[kCount], uint64_t number) {
  for (const Request &request : table)
    if (request.number == number)
      return request.size;
  return kUnknown;
}

/// Newer requests say what they write. Those that are told where to write it often write to more
/// places than that.
int sizeOfIoctl(uint64_t request) {
  request = static_cast<uint32_t>(request);
  int size = sizeIn(kIoctls, request);
  if (size != kUnknown || _IOC_DIR(request) == _IOC_NONE ||
      _IOC_DIR(request) == (_IOC_READ | _IOC_WRITE))
    return size;
  return _IOC_DIR(request) == _IOC_READ ? static_cast<int>(_IOC_SIZE(request)) : 0;
}

constexpr Request kControls[] = {
    {F_DUPFD, 0},       {F_DUPFD_CLOEXEC, 0}, {F_GETFD, 0},      {F_SETFD, 0},     {F_GETFL, 0},
    {F_SETFL, 0},       {F_GETLK, 32},        {F_SETLK, 0},      {F_SETLKW, 0},    {F_GETOWN, 0},
    {F_SETOWN, 0},      {F_GETSIG, 0},        {F_SETSIG, 0},     {F_GETOWN_EX, 8}, {F_SETOWN_EX, 0},
    {F_OFD_GETLK, 32},  {F_OFD_SETLK, 0},     {F_OFD_SETLKW, 0}, {F_GETLEASE, 0},  {F_SETLEASE, 0},
    {F_NOTIFY, 0},      {F_GETPIPE_SZ, 0},    {F_SETPIPE_SZ, 0}, {F_ADD_SEALS, 0}, {F_GET_SEALS, 0},
    {F_GET_RW_HINT, 8}, {F_SET_RW_HINT, 0},
};

constexpr Request kProcessControls[] = {
    {PR_SET_PDEATHSIG, 0},       {PR_GET_PDEATHSIG, 4},    {PR_GET_DUMPABLE, 0},
    {PR_SET_DUMPABLE, 0},        {PR_SET_NAME, 0},         {PR_GET_NAME, 16},
    {PR_GET_KEEPCAPS, 0},        {PR_SET_KEEPCAPS, 0},     {PR_SET_TIMERSLACK, 0},
    {PR_GET_TIMERSLACK, 0},      {PR_CAPBSET_READ, 0},     {PR_CAPBSET_DROP, 0},
    {PR_SET_NO_NEW_PRIVS, 0},    {PR_GET_NO_NEW_PRIVS, 0}, {PR_SET_CHILD_SUBREAPER, 0},
    {PR_GET_CHILD_SUBREAPER, 4}, {PR_SET_PTRACER, 0},      {PR_GET_SECUREBITS, 0},
    {PR_SET_THP_DISABLE, 0},     {PR_GET_THP_DISABLE, 0},  {PR_SET_VMA, 0},
};

long carryOutRequest(const ProgramCall &call, ucontext_t *context, int size, uint8_t pointer,
                     uint64_t request, uint8_t flags) {
  CallRow row = *findCall(call.number);
  row.flags = flags;
  if (size == kUnknown && g_role == Role::Recording) {
    long result = makeCall(call);
    if (result < 0)
      addCall(row, call, lengthsBefore(row, call), result, -1);
    else
      stopBehind(abi::StopReason::UnknownRequest, request, context);
    return result;
  }
  if (size > 0)
    row.effects[0] = {EffectRule::Fixed, pointer, 0, static_cast<uint16_t>(size)};
  return carryOutTold(row, call, context);
}

long carryOutControl(const ProgramCall &call, ucontext_t *context) {
  bool isWaiting = call.arguments[1] == F_SETLKW || call.arguments[1] == F_OFD_SETLKW;
  return carryOutRequest(call, context, sizeIn(kControls, call.arguments[1]), 2, call.arguments[1],
                         isWaiting ? Waits | Restarts : 0);
}

/// Segment registers are the process's own; other requests may switch things that are needed here.
long carryOutArchitecture(const ProgramCall &call, ucontext_t *context) {
  bool isSetting = call.arguments[0] == ARCH_SET_FS || call.arguments[0] == ARCH_SET_GS;
  if (isSetting && g_role == Role::Replaying)
    makeCall(call);
  bool isKnown = isSetting || call.arguments[0] == ARCH_GET_FS || call.arguments[0] == ARCH_GET_GS;
  return carryOutRequest(call, context, isKnown ? (isSetting ? 0 : 8) : kUnknown, 1,
                         call.arguments[0], 0);
}

/// A timer that starts a thread of libc's comes as a signal to a thread that is refused anyway.
long carryOutTimer(const ProgramCall &call, ucontext_t *context) {
  return carryOutRequest(call, context, sizeof(int), 2, 0, 0);
}

/// Some write to memory; programs with one thread hardly use those.
long carryOutFutex(const ProgramCall &call, ucontext_t *context) {
  constexpr uint64_t kOperation = 127;
  uint64_t operation = call.arguments[1] & kOperation;
  bool isPlain = operation == FUTEX_WAIT || operation == FUTEX_WAKE ||
                 operation == FUTEX_WAIT_BITSET || operation == FUTEX_WAKE_BITSET ||
                 operation == FUTEX_REQUEUE || operation == FUTEX_CMP_REQUEUE;
  return carryOutRequest(call, context, isPlain ? 0 : kUnknown, 0, operation, Waits);
}

/// From where it is filtered on, the recorder could not make its own calls.
long carryOutProcessControl(const ProgramCall &call, ucontext_t *context) {
  if (call.arguments[0] != PR_SET_SECCOMP)
    return carryOutRequest(call, context, sizeIn(kProcessControls, call.arguments[0]), 1,
                           call.arguments[0], 0);
  if (g_role == Role::Replaying)
    expectCall(call, context);
  stopRecording(abi::StopReason::UnknownRequest, call.arguments[0]);
  return repeatNatively(call, context);
}

} // namespace

long ownRequest(const ProgramCall &call, ucontext_t *context) {
  switch (call.number) {
  case SYS_ioctl:
    return carryOutRequest(call, context, sizeOfIoctl(call.arguments[1]), 2, call.arguments[1],
                           Waits);
  case SYS_fcntl:
    return carryOutControl(call, context);
  case SYS_arch_prctl:
    return carryOutArchitecture(call, context);
  case SYS_timer_create:
    return carryOutTimer(call, context);
  case SYS_futex:
    return carryOutFutex(call, context);
  default:
    return carryOutProcessControl(call, context);
  }
}

} // namespace culprit

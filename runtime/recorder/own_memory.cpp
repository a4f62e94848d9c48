// Mappings: made in recordings and replays alike, at the same addresses and with the same contents.
//
// What the program leaves to the kernel's choice is placed as in every run (mapping_places.h).
// Contents of mapped files are kept by the host when they are mapped; a replay maps the kept copy,
// and privately, whatever the program wanted.
#include "runtime/mapping_places.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/dispatch.h"
#include "runtime/recorder/mapped_files.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;
bool g_isSharing;

bool isFile(const ProgramCall &call) {
  return (call.arguments[3] & MAP_ANONYMOUS) == 0;
}

/// The number of the mapped file's contents; -1: there are none, -2: they cannot be had.
int64_t contentsOf(const ProgramCall &call) {
  struct stat status;
  status.st_mode = 0;
  status.st_rdev = 0;
  auto descriptor = static_cast<int>(call.arguments[4]);
  if (!isFile(call) || rawSyscall(SYS_fstat, descriptor, address(&status)) != 0)
    return -1;
  if (S_ISCHR(status.st_mode) && status.st_rdev == ((1 << 8) | 5)) // /dev/zero
    return -1;
  int64_t file = S_ISREG(status.st_mode) ? keepFile(descriptor) : -1;
  return file < 0 ? -2 : file;
}

/// Files are looked after by mapped_files.cpp.
void noteSharing(const ProgramCall &call) {
  if ((call.arguments[3] & 3) != MAP_PRIVATE && !isFile(call))
    g_isSharing = true;
}

long recordMap(const CallRow &row, const ProgramCall &call, ucontext_t *context) {
  if (sharesMapped(call)) {
    stopRecording(abi::StopReason::MappedFile, call.arguments[4]);
    return repeatNatively(call, context);
  }
  int64_t file = contentsOf(call);
  if (file == -2) {
    stopRecording(abi::StopReason::UnreadableFile, call.arguments[4]);
    return repeatNatively(call, context);
  }
  long result = makeMapping(call, makeCall);
  if (result >= 0 || result < -4095) {
    noteSharing(call);
    noteMapped(call, static_cast<uint64_t>(result));
  }
  addCall(row, call, lengthsBefore(row, call), result, file);
  return result;
}

[[noreturn]] void cannotMap(const ProgramCall &call, ucontext_t *context) {
  endReplay(abi::ReplayEnd::Unmappable, abi::ReplayDifference::Result, describeCall(call), context);
}

long replayMap(const ProgramCall &call, ucontext_t *context) {
  const abi::CallEvent *event = expectCall(call, context);
  if (event->result < 0 && event->result > -4096)
    return event->result;
  ProgramCall own = call;
  bool replaces = (call.arguments[3] & MAP_FIXED) != 0;
  own.arguments[0] = static_cast<uint64_t>(event->result);
  own.arguments[3] &= ~uint64_t{MAP_SHARED_VALIDATE | MAP_SYNC};
  own.arguments[3] |= MAP_PRIVATE | (replaces ? MAP_FIXED : MAP_FIXED_NOREPLACE);
  long kept = -1;
  if (event->file >= 0) {
    kept = openKept(event->file);
    own.arguments[4] = static_cast<uint64_t>(kept);
  } else {
    own.arguments[3] |= MAP_ANONYMOUS;
    own.arguments[4] = ~uint64_t{0};
    own.arguments[5] = 0;
  }
  long result = makeCall(own);
  if (kept >= 0)
    rawSyscall(SYS_close, kept);
  if (result != event->result)
    cannotMap(call, context);
  return result;
}

long recordRemap(const CallRow &row, const ProgramCall &call) {
  long result = moveMapping(call, makeCall);
  if (result >= 0 || result < -4095)
    moveMapped(call.arguments[0], static_cast<uint64_t>(result), call.arguments[2]);
  addCall(row, call, lengthsBefore(row, call), result, -1);
  return result;
}

long replayRemap(const ProgramCall &call, ucontext_t *context) {
  const abi::CallEvent *event = expectCall(call, context);
  if (event->result < 0 && event->result > -4096)
    return event->result;
  ProgramCall own = call;
  if (static_cast<uint64_t>(event->result) != call.arguments[0]) {
    own.arguments[3] |= MREMAP_MAYMOVE | MREMAP_FIXED;
    own.arguments[4] = static_cast<uint64_t>(event->result);
  } else {
    own.arguments[3] &= ~uint64_t{MREMAP_MAYMOVE};
  }
  if (makeCall(own) != event->result)
    cannotMap(call, context);
  return event->result;
}

/// One byte per page.
long carryOutMincore(CallRow row, const ProgramCall &call, ucontext_t *context) {
  ProgramCall counted = call;
  row.effects[0] = {EffectRule::Fixed, 2, 0,
                    static_cast<uint16_t>((call.arguments[1] + kPage - 1) / kPage)};
  if ((call.arguments[1] + kPage - 1) / kPage > UINT16_MAX) {
    stopRecording(abi::StopReason::UnknownRequest, call.arguments[1]);
    return repeatNatively(call, context);
  }
  return carryOutTold(row, counted, context);
}

} // namespace

bool isSharing() {
  return g_isSharing || sharesFiles();
}

long ownMapping(const ProgramCall &call, ucontext_t *context) {
  const CallRow &row = *findCall(call.number);
  bool isRecording = g_role == Role::Recording;
  if (call.number == SYS_mmap)
    return isRecording ? recordMap(row, call, context) : replayMap(call, context);
  if (call.number == SYS_mremap)
    return isRecording ? recordRemap(row, call) : replayRemap(call, context);
  return carryOutMincore(row, call, context);
}

} // namespace culprit

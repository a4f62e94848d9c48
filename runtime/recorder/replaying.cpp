// Reads the events of a recording, which the host has laid out in memory, and says where the
// program does something else.
//
// They are in pieces (abi::EventPiece): those that the log holds as they are, are mapped there.
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/mirror.h"
#include "runtime/recorder/session.h"
#include "runtime/unwind.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

/// The place of an event: in a piece, and its address.
struct Place {
  const abi::EventPiece *piece;
  uint64_t address;
};

const abi::EventPiece *g_pieces;
const abi::EventPiece *g_piecesEnd;
uint64_t g_mapped; ///< bytes from abi::kRecorderBase on
Place g_next;      ///< the next event
uint64_t g_number; ///< of the last event that was taken
uint64_t g_calls;  ///< among them
Place g_bytes;     ///< the first of the stretches that belong to the call
abi::ReplayState *g_state;
char g_files[4096]; ///< folder of the files that were mapped

const abi::Event *eventAt(const Place &place) {
  return place.piece != g_piecesEnd ? pointerTo<const abi::Event>(place.address) : nullptr;
}

/// Where the event behind one is; there is one at `place`.
Place behind(Place place) {
  place.address += eventAt(place)->size;
  if (place.address == place.piece->end) {
    ++place.piece;
    place.address = place.piece != g_piecesEnd ? place.piece->begin : 0;
  }
  return place;
}

void applyOne(const abi::WrittenBytes *bytes) {
  copyBytes(pointerTo<char>(bytes->address), bytes + 1, bytes->size);
}

abi::ReplayCall describeEvent(const abi::Event *event) {
  abi::ReplayCall call;
  clearBytes(&call, sizeof call);
  call.number = -4;
  if (!event)
    return call;
  call.clock = event->clock;
  if (event->kind == abi::EventKind::Call) {
    const auto *recorded = reinterpret_cast<const abi::CallEvent *>(event);
    call.number = recorded->number;
    copyBytes(call.arguments, recorded->arguments, sizeof call.arguments);
    call.input = recorded->input;
  } else if (event->kind == abi::EventKind::Signal) {
    call.number = -1;
    call.arguments[0] = reinterpret_cast<const abi::SignalEvent *>(event)->signal;
  } else if (event->kind == abi::EventKind::Value) {
    call.number = -2;
  } else if (event->kind == abi::EventKind::Digest) {
    call.number = -3;
  }
  return call;
}

/// The event at `place`, which is the next one.
void takeEvent(const Place &place) {
  g_next = behind(place);
  ++g_number;
}

bool mapFile(const char *path, uint64_t place, uint64_t size, int protection) {
  long fd = rawSyscall(SYS_open, address(path),
                       ((protection & PROT_WRITE) != 0 ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (fd < 0)
    return false;
  long map = rawSyscall(SYS_mmap, toLong(place), toLong(size), protection,
                        MAP_SHARED | MAP_FIXED_NOREPLACE | MAP_POPULATE, fd, 0);
  rawSyscall(SYS_close, fd);
  return map == toLong(place);
}

/// Large stretches come before the call that they belong to.
Place withoutBytes(Place place) {
  const abi::Event *event = eventAt(place);
  while (event && event->kind == abi::EventKind::Bytes) {
    place = behind(place);
    event = eventAt(place);
  }
  return place;
}

Place skipBytes() {
  g_bytes = g_next;
  return withoutBytes(g_bytes);
}

bool isSameCall(const abi::CallEvent &event, const ProgramCall &call) {
  for (int i = 0; i < 6; ++i)
    if (event.arguments[i] != call.arguments[i])
      return false;
  return event.number == call.number;
}

/// The program was killed from outside, here or later: what it did last is not recorded.
bool isDeath(const abi::Event *event) {
  return event->kind == abi::EventKind::Signal &&
         event->flags == static_cast<uint8_t>(abi::SignalMoment::AtEnd) &&
         event->clock <= clockNow();
}

[[noreturn]] void dieHere() {
  for (;;)
    rawSyscall(SYS_kill, rawSyscall(SYS_getpid), SIGKILL);
}

} // namespace

bool openReplay(const ReplayWords &words) {
  constexpr uint64_t kPage = 4096;
  g_state = pointerTo<abi::ReplayState>(abi::kReplayStateBase);
  for (uint64_t i = 0; i + 1 < sizeof g_files && words.files[i]; ++i)
    g_files[i] = words.files[i];
  uint64_t log = abi::kRecorderBase + (words.size + kPage - 1) / kPage * kPage;
  g_mapped = log + words.logSize - abi::kRecorderBase;
  if ((words.size != 0 && !mapFile(words.events, abi::kRecorderBase, words.size, PROT_READ)) ||
      (words.log[0] && !mapFile(words.log, log, words.logSize, PROT_READ)) ||
      !mapFile(words.state, abi::kReplayStateBase, sizeof *g_state, PROT_READ | PROT_WRITE))
    return false;
  g_piecesEnd = pointerTo<const abi::EventPiece>(abi::kRecorderBase + words.size);
  g_pieces = g_piecesEnd - words.pieces;
  g_next = {g_pieces, words.pieces != 0 ? g_pieces->begin : 0};
  return true;
}

const abi::Event *nextEvent() {
  return eventAt(skipBytes());
}

abi::ReplayCall describeCall(const ProgramCall &call) {
  abi::ReplayCall seen;
  clearBytes(&seen, sizeof seen);
  seen.number = call.number;
  copyBytes(seen.arguments, call.arguments, sizeof seen.arguments);
  seen.clock = clockNow();
  return seen;
}

const abi::Event *expectEvent(abi::EventKind kind, const abi::ReplayCall &seen,
                              const ucontext_t *context) {
  Place place = skipBytes();
  const abi::Event *event = eventAt(place);
  if (!event)
    endReplay(abi::ReplayEnd::Exhausted, abi::ReplayDifference::Kind, seen, context);
  if (event->kind == abi::EventKind::Stop)
    endReplay(abi::ReplayEnd::Stopped, abi::ReplayDifference::Kind, seen, context);
  if (event->kind != kind && isDeath(event))
    dieHere();
  if (event->kind != kind)
    endReplay(abi::ReplayEnd::Diverged, abi::ReplayDifference::Kind, seen, context);
  if (event->clock != clockNow())
    endReplay(abi::ReplayEnd::Diverged, abi::ReplayDifference::Clock, seen, context);
  takeEvent(place);
  return event;
}

const abi::CallEvent *expectCall(const ProgramCall &call, const ucontext_t *context) {
  abi::ReplayCall seen = describeCall(call);
  const abi::Event *event = eventAt(skipBytes());
  if (event && event->kind == abi::EventKind::Call) {
    const auto *recorded = reinterpret_cast<const abi::CallEvent *>(event);
    if (recorded->number != call.number)
      endReplay(abi::ReplayEnd::Diverged, abi::ReplayDifference::Number, seen, context);
    for (int i = 0; i < 6; ++i)
      if (recorded->arguments[i] != call.arguments[i])
        endReplay(abi::ReplayEnd::Diverged, abi::ReplayDifference::Arguments, seen, context);
  }
  Place bytes = g_bytes;
  event = expectEvent(abi::EventKind::Call, seen, context);
  g_bytes = bytes;
  ++g_calls;
  return reinterpret_cast<const abi::CallEvent *>(event);
}

const abi::CallEvent *findPlainCall(const ProgramCall &call) {
  Place place = skipBytes();
  const abi::Event *event = eventAt(place);
  if (!event || event->kind != abi::EventKind::Call || event->clock != clockNow())
    return nullptr;
  const auto *recorded = reinterpret_cast<const abi::CallEvent *>(event);
  const abi::Event *after = eventAt(withoutBytes(behind(place)));
  bool isPlain = after && after->kind != abi::EventKind::Signal;
  return isPlain && isSameCall(*recorded, call) ? recorded : nullptr;
}

void takePlainCall() {
  takeEvent(skipBytes());
  ++g_calls;
}

void applyWritten(const abi::CallEvent &event) {
  for (Place place = g_bytes; eventAt(place) != &event.event; place = behind(place))
    applyOne(reinterpret_cast<const abi::WrittenBytes *>(eventAt(place) + 1));
  const auto *bytes = reinterpret_cast<const abi::WrittenBytes *>(&event + 1);
  for (uint64_t i = 0; i < event.writes; ++i) {
    applyOne(bytes);
    bytes = pointerTo<const abi::WrittenBytes>(placeOf(bytes + 1) + roundUpTo8(bytes->size));
  }
}

uint64_t eventsTaken() {
  return g_number;
}

uint64_t callsTaken() {
  return g_calls;
}

void noteLeaving() {
  g_state->hasLeft = 1;
  g_state->leftClock = clockNow();
  g_state->leftEvents = g_number;
}

void closeReplay() {
  rawSyscall(SYS_munmap, toLong(abi::kRecorderBase), toLong(g_mapped));
  rawSyscall(SYS_munmap, toLong(abi::kReplayStateBase), sizeof *g_state);
}

void failRestoring(abi::LeaveTrouble trouble, uint64_t what, long error) {
  g_state->trouble = trouble;
  g_state->troubleWhat = what;
  g_state->troubleError = static_cast<uint64_t>(-error);
  g_state->end = abi::ReplayEnd::NotRestored;
  for (;;)
    rawSyscall(SYS_exit_group, 125);
}

long openKept(int64_t file) {
  char path[sizeof g_files + 24];
  uint64_t length = 0;
  for (; g_files[length]; ++length)
    path[length] = g_files[length];
  path[length++] = '/';
  char digits[24];
  int count = 0;
  do
    digits[count++] = static_cast<char>('0' + file % 10);
  while (file /= 10);
  while (count > 0)
    path[length++] = digits[--count];
  path[length] = 0;
  return rawSyscall(SYS_open, address(path), O_RDONLY | O_CLOEXEC);
}

void endReplay(abi::ReplayEnd end, abi::ReplayDifference difference, const abi::ReplayCall &seen,
               const ucontext_t *context) {
  g_state->event = g_number + 1;
  g_state->difference = static_cast<uint64_t>(difference);
  abi::ReplayCall expected = describeEvent(eventAt(skipBytes()));
  copyBytes(&g_state->expected, &expected, sizeof expected);
  copyBytes(&g_state->seen, &seen, sizeof seen);
  g_state->end = end;
  if (context)
    g_state->callerCount =
        collectCallers(registersOf(context), g_state->callers, abi::kMostReplayCallers);
  for (;;)
    rawSyscall(SYS_exit_group, 125);
}

} // namespace culprit

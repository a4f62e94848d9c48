// The recording or replay that this process takes part in.
//
// recording.cpp writes events, replaying.cpp reads them; dispatch.cpp has the system calls that the
// kernel hands over (Syscall User Dispatch), which become events. Everything here runs with all
// signals blocked, on a stack of its own, and uses neither libc nor thread-locals: it works before
// the dynamic loader does.
#ifndef CULPRIT_RUNTIME_RECORDER_SESSION_H
#define CULPRIT_RUNTIME_RECORDER_SESSION_H

#include "abi/recording.h"
#include "runtime/recorder/effects.h"
#include "runtime/system.h"

#include <ucontext.h>

namespace culprit {

enum class Role : uint8_t { Off, Recording, Replaying };

extern Role g_role; // NOLINT(bugprone-dynamic-static-initializers)

inline abi::RecordingState &sharedState() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return *reinterpret_cast<abi::RecordingState *>(abi::kClockPage);
}

/// How many counted points the program has passed.
uint64_t clockNow();
/// Makes the program ask at the counted point `after` points from now, at least 1.
void askAfter(uint64_t after);
/// The program asks: takes back what askAfter() has set.
void clockAsked();

inline long makeCall(const ProgramCall &call) {
  return rawSyscall(call.number, static_cast<long>(call.arguments[0]),
                    static_cast<long>(call.arguments[1]), static_cast<long>(call.arguments[2]),
                    static_cast<long>(call.arguments[3]), static_cast<long>(call.arguments[4]),
                    static_cast<long>(call.arguments[5]));
}

inline long toLong(uint64_t value) {
  return static_cast<long>(value);
}

// ---- recording.cpp

/// Maps the host's memory. False when there is none to be had.
bool openRecording(const char *file);

/// Where the byte of the recording with that number is in the ring.
char *ringPlace(uint64_t number);

/// Fills in size, kind, thread and clock, and adds the event.
void addEvent(abi::Event &event, abi::EventKind kind, uint64_t size);

/// Adds `event` with `size` bytes behind it.
void addEvent(abi::Event &event, abi::EventKind kind, uint64_t size, const void *more,
              uint64_t moreSize);

/// Adds a call that was made, with all that it wrote.
void addCall(const CallRow &row, const ProgramCall &call, const Lengths &lengths, long result,
             int64_t file);

/// The number of the contents of an open file, or -1.
int64_t keepFile(int descriptor);

/// The program goes on without being recorded.
void stopRecording(abi::StopReason reason, uint64_t detail);

/// In a child that leaves the recording.
void leaveRecording();

/// System calls and signals are the kernel's from now on.
void goNative();

// ---- own_log.cpp

/// Where the log is; the path works as long as the host does.
void useLog(const char *path);
/// Writes what is in the ring to the log, if the program is to do that. False: it is still there.
bool writeLog();
/// How many bytes of events fit into the chunk that the program writes next, beside those in the
/// ring; without end if the host writes.
uint64_t roomInChunk();

// ---- checkpoint.cpp

bool isCheckpointWanted();
/// Makes a checkpoint if the host wants one; at the end of a call, `context` is where it goes on.
void checkpointIfWanted(ucontext_t *context);

/// What the host's words say of a replay; must not lie in memory that a checkpoint replaces.
struct ReplayWords {
  char events[256];
  uint64_t size;
  uint64_t pieces; ///< abi::EventPiece, at the end of them
  char log[256];   ///< empty: no events are there
  uint64_t logSize;
  char state[256];
  char files[4096];
  char failure[256];
  int watcher;
  int parent;
};

/// Takes the memory of a checkpoint over and goes on there.
[[noreturn]] void goOnAtCheckpoint(const char *file, uint64_t size, const ReplayWords &words);

/// The kernel's part of a recording or replay: handlers and system calls. In begin.cpp.
void takeCalls();

// ---- replaying.cpp

bool openReplay(const ReplayWords &words);

/// The next event, null at the end.
const abi::Event *nextEvent();

/// Takes the next event, which must be of that kind; ends the replay otherwise. `seen` says what
/// the program does.
const abi::Event *expectEvent(abi::EventKind kind, const abi::ReplayCall &seen,
                              const ucontext_t *context);

/// The event for a call that the program makes; ends the replay if it is another one.
const abi::CallEvent *expectCall(const ProgramCall &call, const ucontext_t *context);

/// The event for a call if it is the next one, just as recorded, and no signal comes then. Else
/// null, and nothing has changed.
const abi::CallEvent *findPlainCall(const ProgramCall &call);
void takePlainCall();

/// Puts the bytes that the recorded call wrote where they belong.
void applyWritten(const abi::CallEvent &event);

/// How many events, and system calls among them, the program has come past.
uint64_t eventsTaken();
uint64_t callsTaken();

/// Tells the host that the program leaves the recording here.
void noteLeaving();
/// The recording is not needed any more.
void closeReplay();

/// Opens the contents of a mapped file.
long openKept(int64_t file);

[[noreturn]] void endReplay(abi::ReplayEnd end, abi::ReplayDifference difference,
                            const abi::ReplayCall &seen, const ucontext_t *context);

abi::ReplayCall describeCall(const ProgramCall &call);

// ---- digest.cpp

/// Called after each event of a call: at growing distances memory is compared.
void digestIfDue(const ucontext_t *context);
/// Whether the next one is compared.
bool isDigestDue();
/// For an event at which it is not.
void countCall();
/// The program ends, by itself.
void digestNow(const ucontext_t *context);

// ---- descriptors.cpp

/// 1: leads to standard output, 2: to standard error, as they were at the start; 0: elsewhere.
int outputOf(uint64_t descriptor);
void startDescriptors(uint8_t open);
void trackDescriptors(const ProgramCall &call, long result);
/// In a recording: which outputs the descriptors lead to that a call has made, for its event.
uint8_t outputsMade(const ProgramCall &call, long result);
/// In a replay: what the event says of that.
void trackMade(const ProgramCall &call, long result, uint8_t outputs);
uint8_t openDescriptors();

} // namespace culprit
#endif

// What recorder, replayer and host agree on: the events of a recording and the memory that the
// recorded program and the host share.
//
// A recording is the list of what the program could not have known: the results of its system calls
// with the bytes that they wrote, and the signals that reached it. Events are made by
// runtime/recorder in the recorded process and put into a ring that the host drains to disk
// (recording/log_writer.h); for a replay the host lays them out one after the other in memory.
//
// All sizes are multiples of 8. Fields are never moved; kRecordingVersion grows with every change.
#ifndef CULPRIT_ABI_RECORDING_H
#define CULPRIT_ABI_RECORDING_H

#include <stdint.h>

namespace culprit::abi {

inline constexpr uint32_t kRecordingVersion = 6;

/// Where the clock is: generated code refers to it by this number (compiler/modes/record.cpp).
inline constexpr uint64_t kClockPage = 0x7030'0000;
/// Where the ring of a recording, or the events of a replay, are mapped.
inline constexpr uint64_t kRecorderBase = 0x0180'0222'0000;
/// Where a replay says how it goes: what is not placed would be in the way of the program's memory.
inline constexpr uint64_t kReplayStateBase = 0x0180'0111'0000;

/// The last byte of instructions by which generated code traps to the recorder (ud1, 5 bytes).
inline constexpr uint8_t kTrapAsk = 0x63;    ///< at a counted point
inline constexpr uint8_t kTrapRandom = 0x64; ///< wants rdrand's number in rax, its success in rdx
inline constexpr uint8_t kTrapSeed = 0x65;   ///< the same of rdseed
inline constexpr uint8_t kTrapStop = 0x66;   ///< assembler with either, or with cpuid, follows
inline constexpr uint8_t kTrapResult =
    0x67; ///< rax has such a result, and is to have the known one

inline constexpr uint64_t kRingSize = 4 << 20;
/// A program that writes its events to the log itself ends chunks where the log's size is a
/// multiple of this: the kernel then takes memory for each in one piece, which takes a third less
/// time. Few enough bytes to be in the processor's cache still.
inline constexpr uint64_t kOwnChunk = 512 << 10;
/// One event is never larger: more bytes than that are written in parts (EventKind::Bytes).
inline constexpr uint64_t kMostEvent = 1 << 20;
inline constexpr uint32_t kMostReplayCallers = 32;

enum class EventKind : uint8_t {
  Start = 1, ///< StartEvent
  Call,      ///< CallEvent: a system call
  Bytes,     ///< WrittenBytes that belong to the call that follows
  Signal,    ///< SignalEvent: a signal reaches the program
  Value,     ///< ValueEvent: something else that the program could not know
  Digest,    ///< DigestEvent: what memory looks like here
  Stop,      ///< StopEvent: the program goes on, the recording does not
};

struct Event {
  uint32_t size; ///< with what follows the structure
  EventKind kind;
  uint8_t flags;
  uint16_t thread; ///< 1: the only one so far
  uint64_t clock;  ///< how many counted points were passed
};

struct StartEvent {
  Event event;
  uint64_t ignored;        ///< signals that were ignored at the start, as a mask
  uint64_t blocked;        ///< and blocked
  int64_t loader;          ///< number of the dynamic loader among the files, or -1
  uint64_t auxiliaryCount; ///< pairs of words that follow
};

/// Followed by `writes` times WrittenBytes. The flags say of up to four descriptors that were
/// opened or received, by two bits each, which output they lead to: 1, 2, or 0 for none.
struct CallEvent {
  Event event;
  int64_t number;
  int64_t result;
  uint64_t arguments[6];
  uint64_t input; ///< hash of the bytes that the call hands out
  int64_t file;   ///< for a mapping: number of the file's contents, or -1
  uint64_t writes;
};

/// Followed by the bytes, filled up to a multiple of 8.
struct WrittenBytes {
  uint64_t address;
  uint64_t size;
};

/// For Event::flags of a signal: when it comes.
enum class SignalMoment : uint8_t {
  BeforeCall = 1, ///< instead of the next system call, which is made again afterwards
  AfterCall,      ///< right behind the call
  AtClock,        ///< when so many counted points were passed
  AtEnd,          ///< there or later: whatever the program did last is not known
};

struct SignalEvent {
  Event event;
  uint64_t signal;
  uint64_t mask; ///< that is in force when it comes
  uint8_t info[128];
};

struct ValueEvent {
  Event event;
  uint64_t what; ///< ValueKind
  uint64_t value;
};

enum class ValueKind : uint64_t {
  Parent = 1,
  TimeStamp,
  TimeStampProcessor,
  Random,
  Processor,
  MemoryRefused
};

struct DigestEvent {
  Event event;
  uint64_t globals;
  uint64_t heap;
  uint64_t frames;
};

enum class StopReason : uint64_t {
  Thread = 1,      ///< a thread is made
  Execute,         ///< the program becomes another one
  UnknownCall,     ///< `detail`: the number of a call that nobody here knows
  UnknownRequest,  ///< `detail`: the request of an ioctl or the like
  SharedMemory,    ///< memory is shared with another process
  UnreadableFile,  ///< the contents of a mapped file cannot be had
  UnreadableState, ///< the kernel does not say what is needed
  ProcessorValue,  ///< assembler asks the processor for what is no integer
  MappedFile,      ///< a file is changed that is mapped
  ChangedByOthers, ///< the same, by a child
  OwnMemory,       ///< the memory of a process is opened as a file, to write to it
  BadMemory,       ///< the call with number `detail` failed amid what it wrote
};

inline constexpr StopReason kLastStopReason = StopReason::BadMemory;

struct StopEvent {
  Event event;
  StopReason reason;
  uint64_t detail;
};

/// What a log is made of, in front of the bytes of each chunk; recording/log.h says more.
enum class ChunkKind : uint16_t { Meta = 1, Events, End, File, Checkpoint };

struct ChunkHeader {
  uint32_t magic;
  uint16_t version;
  ChunkKind kind;
  uint64_t sequence; ///< from 0, in the order of the log
  uint32_t rawSize;
  uint32_t packedSize; ///< the same: they are not packed
  uint32_t fill;       ///< zeros behind the bytes
  uint32_t unused;
  uint64_t checksum;       ///< of the bytes that follow: QuickHash
  uint64_t headerChecksum; ///< of the fields above: a chunk that is not whole is told from damage
};

inline constexpr uint32_t kMostFill = 4096;
inline constexpr uint32_t kChunkMagic = 0x4350'4c43;

/// How far the log has come.
struct LogPlace {
  uint64_t size; ///< bytes of the file that events are added to
  uint64_t sequence;
  uint64_t drained;   ///< bytes of the ring that are in the log
  int64_t part;       ///< which file that is; -1: the log itself
  uint64_t hasFailed; ///< nothing more can be written
};

/// Who writes to the log: one of them at a time.
inline constexpr uint32_t kTurnOfNobody = 0;
inline constexpr uint32_t kTurnOfProgram = 1;
inline constexpr uint32_t kTurnOfHost = 2;

/// Where the memory of a checkpoint is mapped while a replay takes it over.
inline constexpr uint64_t kCheckpointBase = 0x0190'0444'0000;

/// A point from which a replay can start: a copy of the process, and what is not in its memory. By
/// the program; the host adds the copy's memory to it (CheckpointMapping).
struct Checkpoint {
  uint64_t process; ///< the copy, for the host to read and to end; 0: there is none
  uint64_t written; ///< bytes of the ring that come before
  uint64_t clock;
  uint64_t context; ///< address of the registers, in the frame of a signal
  uint64_t threadPointer;
  uint64_t breakEnd;     ///< of brk()
  uint64_t mappingCount; ///< by the host
};

/// Followed by `stretches` times WrittenBytes: pages that are not zero.
struct CheckpointMapping {
  uint64_t begin;
  uint64_t size;
  uint64_t protection;
  uint64_t stretches;
};

/// The first page of a ring, which is also mapped at kClockPage.
struct RecordingState {
  /// Counts down; below zero, the program asks what there is to do. Written by the program.
  int64_t countdown;
  int64_t saved; ///< if `isSaved`: what `countdown` was when it was set to `armed`
  int64_t armed;
  uint32_t isSaved;
  uint32_t isActive;  ///< the program records; 0 when it has stopped
  uint64_t written;   ///< bytes that are in the ring and complete, since the start; by the program
  uint64_t drained;   ///< how many of them are in the log; by whom it is the turn of
  uint64_t origin;    ///< the one that is at the ring's beginning; by the program, in its turn
  uint32_t bell;      ///< the program rings: there is work for the host
  uint32_t answered;  ///< the host rings back
  int32_t wantedFile; ///< descriptor of the program's whose contents are wanted, or -1
  int32_t foundFile;  ///< the number they have got, or -1
  uint32_t isCheckpointMade; ///< by the program; the host takes it, and that back
  uint32_t unused;
  uint64_t checkpointAt; ///< with so many bytes written the program makes one; by the host
  uint64_t room; ///< bytes that may be written and not drained, up to kRingSize; by the host
  Checkpoint checkpoint;
  uint32_t turn;        ///< who writes to the log
  uint32_t isOwnWriter; ///< the program is to write to the log itself; by the host
  LogPlace places[2];   ///< by whom it is the turn of
  uint32_t place;       ///< which of them counts
  uint32_t unusedToo;
};

/// Events of a replay that lie together, by their addresses.
struct EventPiece {
  uint64_t begin;
  uint64_t end;
};

inline constexpr uint64_t kStatePage = 4096;
inline constexpr int64_t kClockStart = INT64_MAX;

/// How a replay went; the host makes it, the program fills it in.
enum class ReplayEnd : uint32_t {
  Running = 0, ///< or ended as recorded
  Exhausted,   ///< the recording ends here
  Stopped,     ///< it was stopped here: StopEvent
  Diverged,    ///< the program did something else
  Unmappable,  ///< memory cannot be had at its recorded place: `seen`
  NotRestored, ///< an altered run cannot have what was there: `trouble`
};

struct ReplayCall {
  int64_t number; ///< -1: a signal, -2: a value, -3: a digest, -4: the end
  uint64_t arguments[6];
  uint64_t input;
  uint64_t clock;
};

/// What an altered run cannot have.
enum class LeaveTrouble : uint64_t {
  None = 0,
  Step,       ///< `what`: number of the step that failed, from 0
  Call,       ///< `what`: number of the system call that failed, which did not when it was recorded
  Descriptor, ///< `what`: the descriptor, which is not there at the point
  Count,      ///< `what`: system calls that were made before the point, and not as many as planned
};

struct ReplayState {
  ReplayEnd end;
  uint32_t callerCount;
  uint64_t event; ///< number of the event, from 1
  ReplayCall expected;
  ReplayCall seen;
  uint64_t difference; ///< what differs: see ReplayDifference
  uint64_t callers[kMostReplayCallers];
  uint64_t hasLeft; ///< an altered run has left its recording, where:
  uint64_t leftClock;
  uint64_t leftEvents;
  LeaveTrouble trouble;
  uint64_t troubleWhat;
  uint64_t troubleError; ///< errno
};

enum class ReplayDifference : uint64_t {
  Kind = 1,
  Number,
  Arguments,
  Input,
  Clock,
  Memory,
  Result
};

} // namespace culprit::abi
#endif

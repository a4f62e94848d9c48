// The failure record: how the runtime tells the host what went wrong.
//
// The host makes a file of this size and hands it over as `failure=FILE` (runtime/start.cpp); the
// runtime maps it shared, so whatever ends the program afterwards, the record is there. Only raw
// facts are in it: addresses and words. What they mean in the source is worked out by the host
// (analysis/failure).
#ifndef CULPRIT_ABI_FAILURE_H
#define CULPRIT_ABI_FAILURE_H

#include <stdint.h>

namespace culprit::abi {

enum class FailureKind : uint32_t {
  None = 0,
  Signal,            ///< a fatal signal: wild access, division by zero, ...
  BrokenReturn,      ///< a frame's return slot does not hold the return address
  BrokenHeap,        ///< a heap block's header does not hold what was written there
  BrokenGuard,       ///< guard words behind an object were overwritten
  DoubleFree,        ///< free or realloc of a block that is free
  WildFree,          ///< free or realloc of something that is no block
  Abort,             ///< abort()
  FailedAssert,      ///< assert()
  UncaughtException, ///< std::terminate with an exception in flight
  Terminate,         ///< std::terminate without one
  StackExhausted,    ///< the machine stack or the frames ran out
  OutOfMemory,       ///< an allocation failed and the program did not survive it
  Timeout,           ///< --timeout
  Deadlock,          ///< all threads wait for each other
  Exit,              ///< the program ended, where the host asked for that
  ReadGuard,         ///< guard words beside an object were read, where the host asked for that
};

inline constexpr uint32_t kFailureMagic = 0x4641'494c;
inline constexpr uint32_t kMostCallers = 256;
inline constexpr uint32_t kMostFrames = 256;
inline constexpr uint32_t kMostWords = 16;
inline constexpr uint32_t kMostBlocks = 4;
inline constexpr uint32_t kMostBlockCallers = 8;
inline constexpr uint32_t kMostLoadedImages = 64;
inline constexpr uint32_t kMostArguments = 64;
inline constexpr uint32_t kMostRecordedThreads = 64;
inline constexpr uint32_t kMostThreadCallers = 64;
inline constexpr uint32_t kMostThrowCallers = 32;
inline constexpr uint32_t kMostThreadBlocks = 512;
inline constexpr uint32_t kRegisterCount = 17;

/// The host sends it to every thread of a program that hangs; each then notes where it is. A
/// program that wants this real-time signal for itself gets it, and cannot be asked.
inline constexpr int kProbeSignal = 63;

/// A word that is not what it should be, or that was involved.
struct FailureWord {
  uint64_t address;
  uint64_t found;
  uint64_t expected; ///< where the runtime knows
};

/// A frame that is (or, below the stack's top, was) on the thread's stack of frames.
struct FailureFrame {
  uint64_t address;
  uint64_t function; ///< FrameNote::function
  uint64_t size;
};

enum class BlockState : uint32_t { Live = 1, Freed = 2 };

/// A heap block that the failure has to do with.
struct FailureBlock {
  uint64_t address;                        ///< of the first byte that the program got
  uint64_t size;                           ///< that the program asked for
  uint64_t allocatedAt[kMostBlockCallers]; ///< return addresses, innermost first; 0 ends them
  uint64_t freedAt[kMostBlockCallers];
  BlockState state;
  uint32_t reserved;
};

/// One of the program's arguments, with its terminator.
struct FailureArgument {
  uint64_t address;
  uint64_t size;
};

struct FailureImage {
  uint64_t index; ///< of the build's images
  uint64_t base;  ///< load address minus link address
};

/// Where a thread has the thread-local variables of an image.
struct FailureThreadBlock {
  uint64_t address;
  uint32_t image;  ///< index of the build's images
  uint32_t thread; ///< as FailureRecord::thread
};

/// Where a thread was when the host asked.
struct FailureThread {
  uint32_t thread;     ///< as FailureRecord::thread; 0: not known
  uint32_t tid;        ///< the kernel's number
  uint32_t isComplete; ///< written last
  uint32_t callerCount;
  uint64_t pc;
  uint64_t callers[kMostThreadCallers];
};

struct FailureRecord {
  uint32_t magic;   ///< kFailureMagic, written last: the record is complete
  FailureKind kind; ///< set first, by whoever comes first
  uint32_t signal;  ///< that the program died of or is about to, or 0
  int32_t signalCode;
  uint32_t thread;     ///< 1: main; in the order of their creation
  uint32_t process;    ///< which process failed: the program may have forked
  uint64_t address;    ///< of the access, block or slot; 0 when there is none
  uint64_t pc;         ///< of the failing instruction, or the return address of the failing call
  uint64_t hasAddress; ///< 0: `address` means nothing
  uint64_t isWrite;    ///< the access was a store
  uint64_t frameTop;   ///< the thread's stack of frames, its lowest live address
  uint32_t callerCount;
  uint32_t frameCount;
  uint32_t wordCount;
  uint32_t blockCount;
  uint32_t imageCount;
  uint32_t snapshot; ///< process id of a copy of the failed process, for the host; 0: none
  /// Call stack: return addresses, innermost first; pc itself is not in it. Of a function that a
  /// signal interrupted, one more than the address, so that one less is always what was executed.
  uint64_t callers[kMostCallers];
  FailureFrame frames[kMostFrames]; ///< innermost first
  FailureWord words[kMostWords];
  FailureBlock blocks[kMostBlocks];
  FailureImage images[kMostLoadedImages];
  FailureArgument arguments[kMostArguments]; ///< the first ones; address 0 ends them
  FailureArgument argumentVector;            ///< argv itself, with its null pointer
  char message[1024]; ///< the assertion's text, the exception's type and what()
  /// A handler of the program's own has the word and may yet mend the failure. The runtime takes
  /// the record back when it sees that; what still stands when the program ends counts only if the
  /// program died of it.
  uint32_t isInHandler;
  uint32_t threadCount;               ///< written by the threads, from 0 on
  uint64_t errorCode;                 ///< x86 page-fault error code
  uint64_t hasRegisters;              ///< 0: `registers` and `code` mean nothing
  uint64_t registers[kRegisterCount]; ///< by DWARF's numbers; the last is pc
  uint8_t code[16];                   ///< at pc, zero where it cannot be read
  uint64_t threadPointer;             ///< of the failed thread: what %fs holds
  uint64_t threadBlockCount;
  /// Of an exception that nobody caught: the calls that led to where it was thrown, innermost
  /// first. By the time that the program ends they may have been left.
  uint64_t throwCallers[kMostThrowCallers];
  uint64_t throwCallerCount;                          ///< 0: not known
  FailureThreadBlock threadBlocks[kMostThreadBlocks]; ///< those of the failed thread first
  FailureThread threads[kMostRecordedThreads];
  char maps[32768]; ///< the lines of /proc/self/maps that are executable
};

} // namespace culprit::abi
#endif

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
};

inline constexpr uint32_t kFailureMagic = 0x4641'494c;
inline constexpr uint32_t kMostCallers = 256;
inline constexpr uint32_t kMostFrames = 256;
inline constexpr uint32_t kMostWords = 16;
inline constexpr uint32_t kMostBlocks = 4;
inline constexpr uint32_t kMostBlockCallers = 8;
inline constexpr uint32_t kMostLoadedImages = 64;

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

struct FailureImage {
  uint64_t index; ///< of the build's images
  uint64_t base;  ///< load address minus link address
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
  uint32_t reserved;
  uint64_t callers[kMostCallers];   ///< call stack, innermost first; pc itself is not in it
  FailureFrame frames[kMostFrames]; ///< innermost first
  FailureWord words[kMostWords];
  FailureBlock blocks[kMostBlocks];
  FailureImage images[kMostLoadedImages];
  char message[1024]; ///< the assertion's text, the exception's type and what()
  uint64_t instance;  ///< exact builds: how often the failing site was executed by the thread
  uint64_t site;      ///< exact builds: program-wide site number plus one; else 0
};

} // namespace culprit::abi
#endif

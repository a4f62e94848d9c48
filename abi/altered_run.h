// What host and runtime agree on for altered runs: runs that replay a recording up to a point, are
// altered there, and go on by themselves, in the sandbox.
//
// The host reads the whole recording beforehand and lays a plan out in memory: the point, then
// steps of these kinds. The steps of the start make files what they were when the recording began;
// they are taken in the sandbox, before the program runs. Then the replay makes the program's
// changes to files again, and at the point the steps of the end are taken.
//
// All sizes are multiples of 8.
#ifndef CULPRIT_ABI_ALTERED_RUN_H
#define CULPRIT_ABI_ALTERED_RUN_H

#include <stdint.h>

namespace culprit::abi {

/// Where the plan is mapped.
inline constexpr uint64_t kLeavePlanBase = 0x0190'0555'0000;

/// Descriptors from here on are the runtime's own until the program leaves the recording.
inline constexpr int kFirstOwnDescriptor = 900;

enum class LeaveStepKind : uint64_t {
  // At the start.
  RemoveFile = 1, ///< `path`, which may be an empty folder
  MakeFolder,     ///< `path`, with mode `a`
  WriteFile,      ///< `path`, made with mode `a` if it is not there; the bytes are all of it
  CutFile,        ///< `path` is `a` bytes long
  // At the end.
  GiveStream,  ///< descriptor `a` gets the bytes to read, then the end
  CopyStream,  ///< descriptor `a` is what `b` is
  GivePipe,    ///< `a` and `b` are the ends of a pipe that holds the bytes
  WriteMemory, ///< the bytes go to address `a`
};

/// Followed by a path with its zero, filled up to a multiple of 8, and by bytes, filled up, too.
struct LeaveStep {
  uint64_t size; ///< with what follows
  LeaveStepKind kind;
  uint64_t a;
  uint64_t b;
  uint64_t pathSize; ///< with the zero; 0: there is none
  uint64_t byteCount;
};

/// Followed by the steps.
struct LeavePlan {
  uint64_t clock;  ///< the program leaves when it has passed so many counted points
  uint64_t events; ///< and so many events were replayed
  uint64_t calls;  ///< system calls that come before: the host has counted them
  uint64_t stepCount;
};

/// A path that the program hands to a system call: what a recording does not hold. Followed by the
/// path without its zero, filled up to a multiple of 8.
struct NotedPath {
  uint64_t event; ///< number of the call's event, from 1
  uint64_t argument;
  uint64_t size;
};

} // namespace culprit::abi
#endif

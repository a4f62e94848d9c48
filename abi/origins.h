// Origins: for every byte and value of a suppression run, which execution defined it.
//
// An origin is one word: which site, at which time of the clock, and what is known about the value.
// Origins of memory are in a shadow: one word per granule of four bytes, at an address that follows
// from the granule's. Where the bytes of one granule have different origins the word says so, and
// where the runtime keeps them (runtime/suppress/mixed.h).
//
// The clock goes up at every entry of a function and every round of a loop, so that a site and a
// time name one execution. Time is that of the run itself: before the first suppression point an
// altered run has the clock of the unaltered one.
#ifndef CULPRIT_ABI_ORIGINS_H
#define CULPRIT_ABI_ORIGINS_H

#include "abi/failure.h"

#include <stdint.h>

namespace culprit::abi {

inline constexpr uint64_t kOriginMixed = uint64_t{1} << 63;   ///< of memory: see above
inline constexpr uint64_t kOriginCorrupt = uint64_t{1} << 62; ///< its definition was suppressed
inline constexpr uint64_t kOriginStale = uint64_t{1} << 61;   ///< a skipped statement may have
                                                              ///< changed it
/// It was stored by another statement than the one that defined it.
inline constexpr uint64_t kOriginCopied = uint64_t{1} << 60;
inline constexpr uint64_t kOriginFlags =
    kOriginMixed | kOriginCorrupt | kOriginStale | kOriginCopied;
inline constexpr unsigned kClockBits = 36;
inline constexpr uint64_t kClockMask = (uint64_t{1} << kClockBits) - 1;
/// Of a program.
inline constexpr uint64_t kMostSites = uint64_t{1} << (60 - kClockBits);
/// What a call's result holds until the callee has said what its origin is.
inline constexpr uint64_t kOriginUnknown = ~uint64_t{0};

inline constexpr uint64_t makeOrigin(uint64_t site, uint64_t time) {
  return site << kClockBits | (time & kClockMask);
}
inline constexpr uint64_t siteOfOrigin(uint64_t origin) {
  return (origin & ~kOriginFlags) >> kClockBits;
}
inline constexpr uint64_t timeOfOrigin(uint64_t origin) {
  return origin & kClockMask;
}

/// Of guard words, in runs that look for who reads them: younger than all others.
inline constexpr uint64_t kGuardOrigin = makeOrigin(kMostSites - 1, kClockMask);

inline constexpr uint64_t kGranule = 4;
/// Of a mixed granule's word: only the runtime reads what it leads to, and nobody writes to it.
inline constexpr uint64_t kOriginPacked = uint64_t{1} << 62;
/// Of one that is not packed: it leads to a word for each half, not for each byte.
inline constexpr uint64_t kOriginHalves = uint64_t{1} << 61;
/// Of a mixed granule's word: the address of those words.
inline constexpr uint64_t kMixedWordsMask = 0x7fff'ffff'ffff;
/// The shadow of address a is at (2 * a + kShadowBase) & kShadowMask. The areas of abi/memory_map.h
/// go to places where nothing else is: globals to 0x41.., libraries to 0x47.. and up, the heap to
/// 0x61.., frames to 0x01.., the main stack to 0x29.. .
inline constexpr uint64_t kShadowBase = 0x4100'0abc'0000;
inline constexpr uint64_t kShadowMask = 0x7fff'ffff'fff8;

inline constexpr uint64_t shadowOf(uint64_t address) {
  return (2 * address + kShadowBase) & kShadowMask;
}

/// In a run whose origins nobody asks for, the same shadow holds *marks* instead: two bytes per
/// byte of memory, which are not 0 if that is corrupt.
inline constexpr uint64_t kMarkMask = 0x7fff'ffff'ffff;
inline constexpr uint64_t kMarkSize = 2;

inline constexpr uint64_t markOf(uint64_t address) {
  return (kMarkSize * address + kShadowBase) & kMarkMask;
}

/// How many words are passed beside the arguments of a call; further ones have no origin.
inline constexpr unsigned kMostArgumentOrigins = 64;
inline constexpr unsigned kMostResultOrigins = 8;

/// An execution whose effect is omitted. With `low` and `high`: of a store, and of all later ones
/// by that site to addresses from `low` up to `high`.
struct SuppressionPoint {
  uint64_t site; ///< of the program, as in an origin
  uint64_t time;
  uint64_t low, high; ///< both 0: one execution
  uint64_t instance;  ///< told by the program: which of the site's executions it was, from 1
};
inline constexpr uint32_t kMostPoints = 256;

/// Where a branch on a corrupt value goes on.
enum class Way : uint64_t {
  Past = 0, ///< where its sides meet
  Computed, ///< to the side that the value says which it has
  Other,    ///< to another side than that
};
/// How often in a run: what a loop waits for may never come.
inline constexpr uint64_t kMostChoices = 1 << 16;
inline constexpr uint32_t kMostSkipped = 64;

/// What a probe saw at its site's last execution.
inline constexpr uint32_t kMostOperands = 24;
inline constexpr uint32_t kMostProbedFrames = 32;
inline constexpr uint32_t kMostReached = 8;
struct ProbedOperand {
  uint64_t number; ///< compiler/suppress/probes.h says which operand this is
  uint64_t value;
  uint64_t origin;
  uint64_t freed;      ///< the execution that has freed what it points to; 0: none
  uint64_t allocation; ///< the one that had allocated that; 0: not known
};

/// A byte that an operand points to has that origin.
struct ReachedOrigin {
  uint64_t number;
  uint64_t origin;
};

enum class Ending : uint32_t {
  None = 0,
  Early, ///< a call that ends the program had a corrupt argument
};

/// How much is looked at of a broken word: in front of a guard that does not start with a word
/// there are bytes that belong to somebody.
inline constexpr uint64_t watchedBytes(uint64_t address) {
  return address % 8 == 0 ? 8 : 1;
}

/// A store to the word that the host watches with a debug register. Containers of containers of the
/// C++ library take twenty calls and more from the program's statement to where memory is freed.
inline constexpr uint32_t kMostWriteCallers = 64;
inline constexpr uint32_t kMostWrites = 64;
struct WatchedWrite {
  uint64_t time;
  uint64_t pc; ///< behind the store
  uint64_t callerCount;
  uint64_t callers[kMostWriteCallers];
};

/// A pointer was stored.
inline constexpr uint32_t kMostCopies = 64;
struct PointerCopy {
  uint64_t time;
  uint64_t address; ///< that it was stored to
  uint64_t callerCount;
  uint64_t callers[kMostWriteCallers]; ///< return addresses, the one behind the store first
  uint64_t isFreed;                    ///< the block that it points to had been freed
  uint64_t isGone; ///< when the program failed: that was freed, or of a function that had returned
};

/// A heap block that the failure record names, and the execution that allocated it (0: not known).
struct BlockOrigin {
  uint64_t address;
  uint64_t allocation;
};

/// Shared by host and program: what to suppress, and what was seen.
struct SuppressionRecord {
  uint32_t hasMarks;    ///< the build has marks instead of origins
  uint32_t checksReads; ///< who reads guard words is wanted
  uint32_t pointCount;
  SuppressionPoint points[kMostPoints];
  Ending ending;
  Way way; ///< wanted of branches that are made to choose; others go past
  /// Branches that went past what they decide, each once, in runs that keep sites apart.
  uint32_t skippedCount;
  uint64_t skipped[kMostSkipped];
  uint64_t wantedSite; ///< wanted: what the operands of this site are; 0: of none
  uint32_t operandCount;
  uint64_t probedSite;
  uint64_t probedTime;
  uint64_t probedInstance; ///< which of the site's executions that was, from 1
  ProbedOperand operands[kMostOperands];
  /// Of a call that has failed inside: what an object that an operand points to holds that leads to
  /// where it failed, with that operand's number, and where that is; value 0: nothing was found.
  ProbedOperand held;
  uint64_t heldPlace;
  /// Origins of the words that the failure record names, in their order.
  uint64_t wordOrigins[16];
  /// Of a program that died of a signal: a word of the heap's, or a guard, that is broken (address
  /// 0: none is), and the heap block in front of it.
  FailureWord broken;
  FailureBlock overrun;
  BlockOrigin blocks[kMostBlocks];
  uint64_t overrunAllocation; ///< the execution that allocated `overrun`; 0: not known
  uint64_t freeCount;         ///< blocks that were freed
  uint64_t brokenFreed; ///< the execution that freed the block that a broken word is in; 0: none
  /// Of a block that the failing access was to, if it was freed: the executions that freed it and
  /// that had allocated it; 0: it was to none.
  uint64_t accessFreed;
  uint64_t accessAllocation;
  /// Wanted: the probed site's last execution up to this time, and the calls that led to it; 0: its
  /// last one of all.
  uint64_t tracedTime;
  PointerCopy traced;
  /// Of the execution at that very time, or else when the program failed: the heap blocks that its
  /// operands pointed to, in their order (address 0: to none). And, at that time, the frames that
  /// there were, the innermost first.
  FailureBlock operandBlocks[kMostOperands];
  uint32_t frameCount;
  FailureFrame frames[kMostProbedFrames];
  /// And the origins of the bytes that its operands pointed to, up to a zero, each once.
  uint32_t reachedCount;
  ReachedOrigin reached[kMostReached];
  /// Wanted: copies of the pointer that this execution allocated; 0: not wanted.
  uint64_t tracedPointer;
  uint64_t copyCount;
  PointerCopy copies[kMostCopies];  ///< the last ones, each at its number modulo kMostCopies
  uint64_t writeCount;              ///< to the watched word
  WatchedWrite writes[kMostWrites]; ///< the last ones, each at its number modulo kMostWrites
};

} // namespace culprit::abi
#endif

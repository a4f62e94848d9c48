// Calls of functions that nothing is known of: what generated code says of the call, and what the
// runtime tells the host of its effects. See compiler/modes/observe.cpp.
#ifndef CULPRIT_ABI_OBSERVED_H
#define CULPRIT_ABI_OBSERVED_H

#include "abi/failure.h"

namespace culprit::abi {

/// A call in the source; a constant of the twin.
struct ObservedCall {
  const char *function; ///< null: called through a pointer
  const char *file;
  uint32_t line;
  uint32_t column;
};

inline constexpr uint64_t kMostObserved = 4096;
/// The other entries are for functions that have none yet.
inline constexpr uint64_t kMostPlaces = 2048;
/// A call takes time in proportion to the memory that it can reach, so what is called all the time
/// is looked at so often at each place.
inline constexpr uint64_t kMostCompared = 1000;
inline constexpr uint64_t kLongestFunction = 1024;
inline constexpr uint64_t kLongestFile = 320;

/// One place that calls one function, and others that have found no room.
struct ObservedEntry {
  uint64_t call;        ///< address of the ObservedCall
  uint64_t callee;      ///< of the function
  uint64_t calls;       ///< how often
  uint64_t changes;     ///< bytes of the program that were different after it, summed up
  uint64_t firstChange; ///< address of one of them
  FailureBlock block;   ///< that it is in; size 0: none
  FailureFrame frame;   ///< the same
  uint32_t line;
  uint32_t column;
  uint32_t isPartial;              ///< not all that could be reached was compared
  uint32_t hasOthers;              ///< calls of other places are among these
  char function[kLongestFunction]; ///< cut off if it is longer
  char file[kLongestFile];
};

/// Memory of the host that the runtime maps shared.
struct ObservedRecord {
  uint64_t isWhole; ///< the host's wish: compare all memory of the program
  uint64_t count;
  uint64_t lost; ///< places that found no room
  ObservedEntry entries[kMostObserved];
};

} // namespace culprit::abi
#endif

// The table of system calls (abi/system_calls.def) as data.
#ifndef CULPRIT_RUNTIME_RECORDER_CALLS_H
#define CULPRIT_RUNTIME_RECORDER_CALLS_H

#include <stdint.h>

namespace culprit {

enum class Way : uint8_t { Told, Again, Own, Refused };

enum CallFlags : uint8_t { Waits = 1, Restarts = 2, Sends = 4 };

enum class EffectRule : uint8_t {
  None,
  Fixed,
  Always,
  Result,
  Results,
  Array,
  Name,
  Vector,
  Message,
  Messages,
  Sizes,
  Set,
  Sent,
  SentVector,
  SentMessage,
  SentMessages,
};

struct Effect {
  EffectRule rule;
  uint8_t pointer; ///< number of the argument
  uint8_t count;   ///< of another one
  uint16_t size;
};

inline constexpr int kMostEffects = 4;

struct CallRow {
  int16_t number;
  uint8_t arguments;
  Way way;
  uint8_t flags;
  Effect effects[kMostEffects];
};

/// Null: nobody here knows it.
const CallRow *findCall(long number);

} // namespace culprit
#endif

// The clock: how many counted points the program has passed. Generated code counts down; see
// RecordingState.
#include "runtime/recorder/session.h"

namespace culprit {

/// A signal that comes meanwhile may set the clock (askAfter): then it is read again.
uint64_t clockNow() {
  const volatile abi::RecordingState &state = sharedState();
  for (;;) {
    bool isSaved = state.isSaved != 0;
    int64_t start = isSaved ? abi::kClockStart - state.saved + state.armed : abi::kClockStart;
    int64_t passed = start - state.countdown;
    if (isSaved == (state.isSaved != 0))
      return static_cast<uint64_t>(passed);
  }
}

void askAfter(uint64_t after) {
  abi::RecordingState &state = sharedState();
  if (state.isSaved)
    clockAsked();
  state.saved = state.countdown;
  state.armed = static_cast<int64_t>(after) - 1;
  state.countdown = state.armed;
  state.isSaved = 1;
}

void clockAsked() {
  abi::RecordingState &state = sharedState();
  if (!state.isSaved)
    return;
  state.countdown = state.saved - (state.armed - state.countdown);
  state.isSaved = 0;
}

} // namespace culprit

// The clock: how many counted points the program has passed. Generated code counts down; see
// RecordingState.
#include "runtime/recorder/session.h"

namespace culprit {

uint64_t clockNow() {
  const abi::RecordingState &state = sharedState();
  int64_t passed = abi::kClockStart - state.countdown;
  if (state.isSaved)
    passed = abi::kClockStart - state.saved + state.armed - state.countdown;
  return static_cast<uint64_t>(passed);
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

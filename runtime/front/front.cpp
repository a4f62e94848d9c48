// Linked in front of all of an executable: what lies before the program's thread-locals. Like the
// gap behind them (thread_gap.h) it has a page in it that no thread may touch.
#include "runtime/thread_gap.h"

/// It has a value, so that it is in `.tdata`, which comes before `.tbss`. That is never empty then:
/// otherwise GNU ld takes .tbss for the begin of thread-locals, also when a layout's own section is
/// before it.
__attribute__((used, retain)) __thread char __culprit_front_gap[culprit::kThreadGap] = {1};

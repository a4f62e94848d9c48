// What lies on both sides of the program's thread-locals: the linker puts thread-locals of all
// files one after the other, those of libraries below, the runtime's own and then libc's control
// block behind. Who runs past the program's comes to a gap first, in which one page cannot be
// touched.
//
// A gap is as large as it must be to have a whole page in it wherever it begins. It takes no time
// but when a thread starts.
#ifndef CULPRIT_RUNTIME_THREAD_GAP_H
#define CULPRIT_RUNTIME_THREAD_GAP_H

#include <stdint.h>

namespace culprit {

inline constexpr uint64_t kThreadGap = 2 * 4096;

/// How much of a stack an analysis build takes for thread-locals, more than the program does: both
/// gaps, the runtime's own and what stands in for libc's.
inline constexpr uint64_t kOwnThreadLocals = 2 * kThreadGap + 2 * 4096;

/// Whether the program has any, in the executable or in libraries, which register before there are
/// more threads.
bool hasProgramThreadLocals();

/// From now on the calling thread cannot touch one page on each side of its thread-locals.
void guardThreadLocals();

/// Whether the calling thread has such a page there.
bool isThreadGuard(uint64_t where);

/// The first byte of the page in front of the thread-locals of the thread with that pointer, which
/// is also its pthread_t.
uint64_t frontGuard(uint64_t thread);

} // namespace culprit

extern "C" __attribute__((visibility("hidden"), tls_model("initial-exec"))) __thread char
    __culprit_front_gap[culprit::kThreadGap]; // NOLINT(bugprone-reserved-identifier)

#endif

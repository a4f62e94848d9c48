// What an analysis build cannot do, refused by name instead of done wrongly.
//
// Locals lie on a stack of frames that belongs to the thread (frames.cpp); a context with a stack
// of its own would share it with whoever it was switched from.
#include "runtime/hooks.h"
#include "runtime/system.h"

#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

namespace culprit {
namespace {

[[noreturn]] void refuse(const char *function, const char *reason) {
  const char *words[] = {"culprit: error: the program calls ", function, "(), ", reason, "\n"};
  for (const char *word : words)
    rawSyscall(SYS_write, 2, address(word), static_cast<long>(strlen(word)));
  rawSyscall(SYS_exit_group, 125);
  __builtin_unreachable();
}

} // namespace

constexpr char kSwitchesStacks[] = "which switches stacks; an analysis build cannot follow that";

CULPRIT_EXPORT __attribute__((weak)) int setcontext(const ucontext_t *) noexcept {
  refuse("setcontext", kSwitchesStacks);
}

CULPRIT_EXPORT __attribute__((weak)) int swapcontext(ucontext_t *, const ucontext_t *) noexcept {
  refuse("swapcontext", kSwitchesStacks);
}

CULPRIT_EXPORT __attribute__((weak)) int clone(int (*)(void *), void *, int, void *, ...) noexcept {
  refuse("clone", "which makes threads or processes behind libc's back; an analysis build cannot "
                  "follow that");
}

// NOLINTNEXTLINE(bugprone-reserved-identifier)
CULPRIT_EXPORT __attribute__((weak, alias("clone"))) int __clone(int (*)(void *), void *, int,
                                                                 void *, ...) noexcept;

CULPRIT_EXPORT __attribute__((weak)) void makecontext(ucontext_t *, void (*)(), int, ...) noexcept {
  refuse("makecontext", kSwitchesStacks);
}

} // namespace culprit

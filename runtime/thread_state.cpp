// See thread_state.h.
#include "runtime/thread_state.h"

#include "abi/counters.h"
#include "runtime/hooks.h"
#include "runtime/recording.h"
#include "runtime/signal_masks.h"
#include "runtime/system.h"
#include "runtime/thread_gap.h"
#include "runtime/thread_slots.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>

namespace culprit {

__thread I64 __culprit_count_bank __attribute__((tls_model("initial-exec")));

namespace {

NewThread g_threads[abi::kMostThreads];  ///< by slot; a thread has left its own when it runs
LiveThread g_running[abi::kMostThreads]; ///< by slot: the last thread that has run there
uint32_t g_lastNumber = 1;
bool g_hasSignalStacks;

__thread uint32_t t_number;
__thread uint64_t t_stack; ///< the lowest address of the signal stack; 0: there is none
__thread bool t_isKernels; ///< the kernel knows t_stack as the thread's alternate stack

stack_t asKernelStack(uint64_t stack) {
  stack_t result = {};
  if (stack != 0) {
    result.ss_sp = reinterpret_cast<void *>(stack); // NOLINT(performance-no-int-to-ptr)
    result.ss_size = abi::kSignalStackSize;
  } else {
    result.ss_flags = SS_DISABLE;
  }
  return result;
}

void useStack(uint64_t slot) {
  t_stack = signalStackOf(slot);
  stack_t stack = asKernelStack(t_stack);
  t_isKernels = rawSyscall(SYS_sigaltstack, address(&stack), 0) == 0;
}

/// The calling thread is the one that runs in the slot.
void announce(uint64_t slot) {
  g_running[slot] = {t_number, reinterpret_cast<uint64_t>(__builtin_thread_pointer())};
}

bool isOnSignalStack() {
  return reinterpret_cast<uint64_t>(__builtin_frame_address(0)) - t_stack < abi::kSignalStackSize;
}

} // namespace

uint32_t threadNumber() {
  return t_number;
}

bool isSignalStackOurs() {
  if (!isRecorded())
    return t_isKernels;
  stack_t programs = {};
  __culprit_program_stack(nullptr, &programs, 0);
  return (programs.ss_flags & SS_DISABLE) != 0;
}

void enterFirstThread() {
  t_number = 1;
  announce(0);
  g_hasSignalStacks = true;
  if (mapSignalStack(0))
    useStack(0);
}

NewThread *makeThread(void *(*function)(void *), void *argument, bool isDetached) {
  uint32_t number = __atomic_add_fetch(&g_lastNumber, 1, __ATOMIC_RELAXED);
  uint64_t slot = claimSlot(number, isDetached);
  if (slot == kNoSlot)
    return nullptr;
  bool hasStack = g_hasSignalStacks && mapSignalStack(slot);
  g_threads[slot] = {function, argument, blockedFaults(), slot, number, hasStack};
  return &g_threads[slot];
}

void *runThread(void *data) {
  NewThread thread = *static_cast<NewThread *>(data);
  enterSlot(thread.slot);
  t_number = thread.number;
  announce(thread.slot);
  // Elsewhere libc, or the program, uses the memory again without asking.
  SlotMemory &memory = memoryOf(thread.slot);
  memory.isGuarded =
      slotOfMachineStack(g_running[thread.slot].pointer) == thread.slot && hasProgramThreadLocals();
  if (memory.isGuarded)
    guardThreadLocals();
  __culprit_count_bank = t_number < abi::kCountBanks ? t_number - 1 : abi::kCountBanks - 1;
  inheritBlockedFaults(thread.blocked);
  if (thread.hasSignalStack)
    useStack(thread.slot);
  return thread.function(thread.argument);
}

bool nextLiveThread(uint64_t &place, LiveThread &thread) {
  uint64_t own = t_number != 0 ? ownSlot() : kNoSlot;
  for (; place <= abi::kMostThreads; ++place) {
    bool isOwn = place == 0;
    uint64_t slot = isOwn ? own : place - 1;
    if (slot == kNoSlot || (!isOwn && (slot == own || !isTaken(slot))) ||
        g_running[slot].number == 0)
      continue;
    thread = g_running[slot];
    ++place;
    return true;
  }
  return false;
}

void forgetThread(NewThread *thread) {
  leaveSlot(thread->slot);
}

void callOnSignalStack(void (*function)(void *), void *argument) {
  if (t_stack == 0 || isOnSignalStack()) {
    function(argument);
    return;
  }
  uint64_t top = t_stack + abi::kSignalStackSize;
  asm volatile("movq %%rsp, %%rbx\n\t"
               "movq %[top], %%rsp\n\t"
               "call *%[function]\n\t"
               "movq %%rbx, %%rsp"
               : "+D"(argument), [top] "+r"(top), [function] "+r"(function)
               :
               : "rbx", "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc");
}

/// The program's own alternate stack goes to the kernel; without one the kernel has ours, which the
/// program does not see.
CULPRIT_EXPORT __attribute__((weak)) int sigaltstack(const stack_t *wanted, stack_t *old) noexcept {
  if (isRecorded()) {
    auto stackPointer = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
    long error = __culprit_program_stack(wanted, old, stackPointer);
    errno = error < 0 ? static_cast<int>(-error) : errno;
    return error < 0 ? -1 : 0;
  }
  bool wasOurs = t_isKernels;
  bool isDisabled = wanted && (wanted->ss_flags & SS_DISABLE) != 0;
  stack_t ours = asKernelStack(t_stack);
  stack_t before = {};
  const stack_t *given = isDisabled && t_stack != 0 ? &ours : wanted;
  long error = rawSyscall(SYS_sigaltstack, address(given), address(&before));
  if (error < 0) {
    errno = static_cast<int>(-error);
    return -1;
  }
  if (wanted)
    t_isKernels = isDisabled && t_stack != 0;
  if (old) {
    *old = before;
    if (wasOurs)
      *old = asKernelStack(0);
  }
  return 0;
}

} // namespace culprit

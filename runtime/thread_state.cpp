// See thread_state.h.
#include "runtime/thread_state.h"

#include "abi/counters.h"
#include "runtime/hooks.h"
#include "runtime/signal_masks.h"
#include "runtime/system.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {

__thread I64 __culprit_count_bank __attribute__((tls_model("initial-exec")));

/// Is at the low end of the thread's signal stack, above a page that stays inaccessible. Both
/// outlive the thread and are given to a later one.
struct NewThread {
  NewThread *next;
  uint32_t tid; ///< of the thread that has it; 0 until that runs
  uint32_t number;
  void *(*function)(void *);
  void *argument;
  uint64_t blocked; ///< by the thread that makes it
};

namespace {

constexpr long kPage = 4096;
constexpr long kStackSize = 256 * 1024; ///< touched only when needed

constexpr long kHeadSize = 64;
constexpr uint32_t kNobody = 0x7fff'ffff; ///< no thread has this number

NewThread *g_stacks;
uint32_t g_lastNumber = 1;

__thread uint32_t t_number;
__thread NewThread *t_stack;
__thread bool t_isKernels; ///< the kernel knows t_stack as the thread's alternate stack

uint32_t threadId() {
  return static_cast<uint32_t>(rawSyscall(SYS_gettid));
}

bool isGone(uint32_t tid) {
  return rawSyscall(SYS_tgkill, rawSyscall(SYS_getpid), tid, 0) == -ESRCH;
}

NewThread *takeUsedStack() {
  for (NewThread *stack = __atomic_load_n(&g_stacks, __ATOMIC_ACQUIRE); stack;
       stack = stack->next) {
    uint32_t tid = __atomic_load_n(&stack->tid, __ATOMIC_RELAXED);
    if (isGone(tid) && __atomic_compare_exchange_n(&stack->tid, &tid, 0, false, __ATOMIC_ACQ_REL,
                                                   __ATOMIC_RELAXED))
      return stack;
  }
  return nullptr;
}

NewThread *makeStack() {
  long map = rawSyscall(SYS_mmap, 0, kPage + kStackSize, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map < 0 && map > -4096)
    return nullptr;
  if (rawSyscall(SYS_mprotect, map + kPage, kStackSize, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  auto *stack = reinterpret_cast<NewThread *>(map + kPage);
  stack->next = __atomic_load_n(&g_stacks, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&g_stacks, &stack->next, stack, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return stack;
}

stack_t asKernelStack(NewThread *stack) {
  stack_t result = {};
  if (stack) {
    result.ss_sp = reinterpret_cast<char *>(stack) + kHeadSize;
    result.ss_size = kStackSize - kHeadSize;
  } else {
    result.ss_flags = SS_DISABLE;
  }
  return result;
}

void useStack() {
  stack_t stack = asKernelStack(t_stack);
  t_isKernels = t_stack && rawSyscall(SYS_sigaltstack, address(&stack), 0) == 0;
}

bool isOnStack(const NewThread *stack) {
  auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  auto start = reinterpret_cast<uint64_t>(stack);
  return here >= start && here < start + kStackSize;
}

} // namespace

uint32_t threadNumber() {
  return t_number;
}

bool isSignalStackOurs() {
  return t_isKernels;
}

void enterFirstThread() {
  t_number = 1;
  t_stack = makeStack();
  if (t_stack)
    t_stack->tid = threadId();
  useStack();
}

NewThread *makeThread(void *(*function)(void *), void *argument) {
  if (!g_stacks)
    return nullptr;
  if (t_stack) // after fork() the calling thread has another number
    __atomic_store_n(&t_stack->tid, threadId(), __ATOMIC_RELEASE);
  NewThread *thread = takeUsedStack();
  if (!thread)
    thread = makeStack();
  if (!thread)
    return nullptr;
  thread->function = function;
  thread->argument = argument;
  thread->blocked = blockedFaults();
  thread->number = __atomic_add_fetch(&g_lastNumber, 1, __ATOMIC_RELAXED);
  return thread;
}

void *runThread(void *data) {
  t_stack = static_cast<NewThread *>(data);
  __atomic_store_n(&t_stack->tid, threadId(), __ATOMIC_RELEASE);
  t_number = t_stack->number;
  __culprit_count_bank = t_number < abi::kCountBanks ? t_number - 1 : abi::kCountBanks - 1;
  inheritBlockedFaults(t_stack->blocked);
  useStack();
  return t_stack->function(t_stack->argument);
}

void forgetThread(NewThread *thread) {
  __atomic_store_n(&thread->tid, kNobody, __ATOMIC_RELEASE);
}

void callOnSignalStack(void (*function)(void *), void *argument) {
  if (!t_stack || isOnStack(t_stack)) {
    function(argument);
    return;
  }
  char *top = reinterpret_cast<char *>(t_stack) + kStackSize;
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
  bool wasOurs = t_isKernels;
  bool isDisabled = wanted && (wanted->ss_flags & SS_DISABLE) != 0;
  stack_t ours = asKernelStack(t_stack);
  stack_t before = {};
  const stack_t *given = isDisabled && t_stack ? &ours : wanted;
  long error = rawSyscall(SYS_sigaltstack, address(given), address(&before));
  if (error < 0) {
    errno = static_cast<int>(-error);
    return -1;
  }
  if (wanted)
    t_isKernels = isDisabled && t_stack;
  if (old) {
    *old = before;
    if (wasOurs)
      *old = asKernelStack(nullptr);
  }
  return 0;
}

} // namespace culprit

// Where an analysed program starts: at the kernel's hand, before the dynamic loader and libc.
//
// The kernel puts the main thread's stack, arguments and environment at addresses that differ in
// every run. Here they move to the main thread's slot (abi/memory_map.h); then what the kernel
// would have started is started there: the dynamic loader, or the entry of a static program.
// Neither sees a difference, and no stack is ever switched under running code.
//
// Nothing is relocated yet and there is no thread pointer: what is called here must not use libc,
// thread-locals, or data of other images, and none of entry's parts does.
#include "runtime/entry_block.h"
#include "runtime/entry_fence.h"
#include "runtime/entry_loader.h"
#include "runtime/recording.h"
#include "runtime/thread_slots.h"

#include "runtime/system.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>

extern "C" {
// NOLINTNEXTLINE(bugprone-reserved-identifier)
__attribute__((visibility("hidden"), weak)) extern const char __culprit_program_entry[];
__attribute__((visibility("hidden"), weak)) extern const char _start[];
}

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kWithoutLimit = 1 << 30;
constexpr uint64_t kTooLittle = 256 << 10;

uint64_t stackLimit() {
  struct rlimit limit = {};
  if (rawSyscall(SYS_prlimit64, 0, RLIMIT_STACK, 0, address(&limit)) != 0 ||
      limit.rlim_cur > kWithoutLimit)
    return kWithoutLimit;
  return (limit.rlim_cur < kTooLittle ? kTooLittle : limit.rlim_cur) & ~(kPage - 1);
}

/// libc takes the main thread's stack to reach down to the next mapping, if the limit says no less.
void mapBelow(uint64_t lowest) {
  rawSyscall(SYS_mmap, static_cast<long>(lowest - kPage), kPage, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

/// As much as the limit says, beside the block; less under a limit on address space.
bool mapMainStack(uint64_t blockRoom) {
  for (uint64_t size = stackLimit(); size >= kTooLittle; size = size / 2 & ~(kPage - 1))
    if (mapMachineStack(0, blockRoom + size)) {
      mapBelow(machineStackEnd(0) - blockRoom - size);
      return true;
    }
  return false;
}

uint64_t programEntry() {
  return reinterpret_cast<uint64_t>(__culprit_program_entry ? __culprit_program_entry : _start);
}

} // namespace

struct Continuation {
  uint64_t stack;
  uint64_t pc;
};

/// Called by the entry below with what the kernel left on the stack.
extern "C" __attribute__((used, visibility("hidden"))) Continuation
__culprit_enter(uint64_t *kernelStack) { // NOLINT(bugprone-reserved-identifier)
  EntryBlock block(kernelStack);
  block.setAuxiliary(AT_ENTRY, programEntry());
  allowExecution(block);
  bool isMoved = mapMainStack(block.room());
  if (isMoved)
    block.moveTo(machineStackEnd(0));
  uint64_t loader = mapLoader(block);
  if (isMoved)
    tellKernel(block);
  raiseFence();
  if (__culprit_begin_recording)
    __culprit_begin_recording(&block, loaderPath(block));
  return {block.stack(), loader != 0 ? loader : programEntry()};
}

} // namespace culprit

asm(R"(
  .pushsection culprit_text,"ax",@progbits
  .hidden __culprit_entry
  .globl __culprit_entry
  .type __culprit_entry, @function
__culprit_entry:
  .cfi_startproc
  .cfi_undefined rip
  xorl %ebp, %ebp
  movq %rsp, %rdi
  andq $-16, %rsp
  call __culprit_enter
  movq %rax, %rsp
  movq %rdx, %rcx
  xorl %edx, %edx
  jmp *%rcx
  .cfi_endproc
  .size __culprit_entry, .-__culprit_entry
  .popsection
)");

// See heap.h.
#include "runtime/heap.h"

#include "runtime/failure.h"
#include "runtime/heap_quick.h"
#include "runtime/safe_read.h"
#include "runtime/start.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

extern "C" int __cxa_atexit(void (*function)(void *), void *argument, void *image);
// Static programs have it if they use it.
extern "C" __attribute__((weak)) int fflush(FILE *file);

namespace culprit {

constinit HeapArena g_arena;
bool g_ranOut;

namespace {

bool g_isStarted;

uint64_t number(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// To be called without the lock: the program may handle the signal, and allocate.
[[noreturn]] void failFor(const Problem &problem, const void *pc) {
  abi::FailureBlock blocks[2];
  uint32_t count = 0;
  const uint64_t concerned[] = {problem.block, problem.previous};
  for (uint64_t block : concerned)
    if (block != 0 && g_arena.describeStart(block, blocks[count]))
      ++count;
  // A free of something inside a block is about that block.
  if (count == 0 && g_arena.describe(problem.address, blocks[0]))
    count = 1;
  // libc looks at what is in front of a block.
  bool isNowhere =
      problem.kind == abi::FailureKind::WildFree && !isReadable(problem.address - sizeof(uint64_t));
  fail({problem.kind, problem.address, pc, &problem.word, problem.hasWord ? 1U : 0U, blocks, count},
       isNowhere ? SIGSEGV : SIGABRT);
}

const void *returnAddress(const void *frame) {
  return static_cast<void *const *>(frame)[1];
}

/// What an allocation came to.
void *delivered(uint64_t block, const Problem &problem, const void *frame) {
  g_ranOut = false;
  if (block != 0)
    return at<void>(block);
  if (problem.kind != abi::FailureKind::None)
    failFor(problem, returnAddress(frame));
  g_ranOut = true;
  errno = ENOMEM;
  return nullptr;
}

__attribute__((noinline)) void *allocateSlowly(size_t size, size_t alignment, bool isZeroed,
                                               const CallStack &stack, const void *frame) {
  Problem problem;
  uint64_t block;
  {
    HeapGuard guard;
    if (g_arena.mappedBytes() == 0 && !g_isStarted)
      g_arena.setLayout(heapLayoutBeforeStart());
    block = g_arena.allocate(size, alignment, stack, isZeroed);
    problem = g_arena.problem();
  }
  return delivered(block, problem, frame);
}

__attribute__((noinline)) void releaseSlowly(void *block, const CallStack &stack,
                                             const void *frame) {
  Problem problem;
  {
    HeapGuard guard;
    if (g_arena.release(number(block), stack))
      return;
    problem = g_arena.problem();
  }
  failFor(problem, returnAddress(frame));
}

/// Like the program's own atexit functions, but after all of them.
void checkAtExit(void *) {
  Problem problem;
  {
    HeapGuard guard;
    if (g_arena.checkAll())
      return;
    problem = g_arena.problem();
  }
  if (fflush)
    fflush(nullptr);
  failFor(problem, nullptr);
}

} // namespace

void startHeap(const HeapLayout &layout) {
  if (g_arena.mappedBytes() == 0)
    g_arena.setLayout(layout);
  g_isStarted = true;
  keepHeapAcrossFork();
  __cxa_atexit(checkAtExit, nullptr, nullptr);
}

uint64_t heapGuard() {
  return g_arena.layout().guardBytes;
}

uint64_t heapHeader() {
  return kHeaderSize;
}

bool findBrokenWord(abi::FailureWord &word, abi::FailureBlock &before) {
  if (g_arena.checkAll())
    return false;
  const Problem &problem = g_arena.problem();
  word = problem.word;
  uint64_t block = problem.previous != 0 ? problem.previous : problem.block;
  if (block != 0)
    g_arena.describeStart(block, before);
  return true;
}

void *heapAllocate(size_t size, size_t alignment, bool isZeroed, const void *frame) {
  CallStack stack;
  walkStack(frame, stack);
  if (alignment <= 16) {
    HeapGuard guard;
    if (uint64_t block = g_arena.allocateQuickly(size, stack.hash.value())) {
      g_ranOut = false;
      return isZeroed ? memset(at<void>(block), 0, size) : at<void>(block);
    }
  }
  return allocateSlowly(size, alignment, isZeroed, stack, frame);
}

void *heapResize(void *block, size_t size, const void *frame) {
  CallStack stack;
  walkStack(frame, stack);
  Problem problem;
  uint64_t resized;
  {
    HeapGuard guard;
    resized = g_arena.resize(number(block), size, stack);
    problem = g_arena.problem();
  }
  return delivered(resized, problem, frame);
}

void heapRelease(void *block, const void *frame) {
  CallStack stack;
  walkStack(frame, stack);
  {
    HeapGuard guard;
    if (g_arena.releaseQuickly(number(block), stack.hash.value()))
      return;
  }
  releaseSlowly(block, stack, frame);
}

size_t heapUsableSize(void *block, const void *frame) {
  uint64_t size = 0;
  Problem problem;
  {
    HeapGuard guard;
    if (g_arena.usableSize(number(block), size))
      return size;
    problem = g_arena.problem();
  }
  failFor(problem, returnAddress(frame));
}

HeapUse heapUse() {
  HeapGuard guard;
  return {g_arena.mappedBytes(), g_arena.freeBytes()};
}

bool describeBlock(uint64_t address, abi::FailureBlock &block) {
  return g_arena.describe(address, block);
}

bool ranOutOfMemory() {
  return g_ranOut;
}

} // namespace culprit

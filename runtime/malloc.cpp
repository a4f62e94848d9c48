// malloc and its relatives, in front of libc's in the whole process.
//
// Calls from images of the program are served by the program's heap, calls from foreign libraries
// by libc, so that what foreign code does changes no address of the program. Blocks know where they
// belong by their address, whoever frees them. What libc allocates on the program's behalf
// (asprintf, getline, ...) is libc's. A static program is one image: all of it is served here.
//
// All definitions are weak: a program that brings its own malloc keeps it.
#include "runtime/frames.h"
#include "runtime/heap_quick.h"
#include "runtime/hooks.h"
#include "runtime/images.h"
#include "runtime/own_malloc.h"
#include "runtime/safe_read.h"
#include "runtime/stack_walk.h"
#include "runtime/thread_slots.h"

#include <elf.h>
#include <errno.h>

// libc's own, under the names that are not interposed. Null in static programs: weak references
// take no member of an archive.
extern "C" {
__attribute__((weak)) void *__libc_malloc(size_t size);
__attribute__((weak)) void *__libc_calloc(size_t count, size_t size);
__attribute__((weak)) void *__libc_realloc(void *block, size_t size);
__attribute__((weak)) void *__libc_memalign(size_t alignment, size_t size);
__attribute__((weak)) void __libc_free(void *block);
__attribute__((weak, visibility("hidden"))) size_t __culprit_foreign_usable_size(void *block);
__attribute__((weak, visibility("hidden"))) extern char __executable_start[];
__attribute__((weak, visibility("hidden"))) extern char _end[];
}

#define CULPRIT_FRAME __builtin_frame_address(0)
#define CULPRIT_CALLER __builtin_return_address(0)

namespace culprit {
namespace {

constexpr size_t kPageSize = 4096;

bool isForeign(const void *caller) {
  return __libc_malloc && !isInImage(caller);
}

uint64_t number(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

/// Stacks are in slots. Above one that the kernel made there are only its own strings: arguments,
/// environment.
bool isOnStack(const void *block) {
  constexpr uint64_t kUserLimit = uint64_t{1} << 47;
  bool isKernels = g_mainStackEnd != 0 && slotOfMachineStack(g_mainStackEnd) == kNoSlot;
  return slotOfMachineStack(number(block)) != kNoSlot ||
         (isKernels && number(block) >= g_mainStackEnd && number(block) < kUserLimit);
}

/// Bytes of thread-locals that the executable has; each thread has them below its thread pointer.
uint64_t threadLocalSize() {
  if (!__executable_start)
    return 0;
  const auto *header = reinterpret_cast<const Elf64_Ehdr *>(__executable_start);
  const auto *segment = reinterpret_cast<const Elf64_Phdr *>(__executable_start + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i)
    if (segment[i].p_type == PT_TLS)
      return (segment[i].p_memsz + segment[i].p_align - 1) & -segment[i].p_align;
  return 0;
}

bool isThreadLocal(const void *block) {
  return number(__builtin_thread_pointer()) - number(block) - 1 < threadLocalSize();
}

/// Variables of the program, of its libraries and of libc that are in a place of their own.
bool isGlobal(const void *block) {
  return (block >= __executable_start && block < _end) || isInLibrary(block) ||
         number(block) - abi::kLibraryVariables < abi::kStateBase - abi::kLibraryVariables;
}

/// Memory that is in no heap for certain: the program's variables and the caller's stack.
bool isNoBlock(const void *block, const void *frame) {
  return !__libc_free || isGlobal(block) || isFrameAddress(block) || isOnStack(block) ||
         isThreadLocal(block) ||
         number(block) - number(frame) < stackEndFor(number(frame)) - number(frame);
}

/// What the program frees and no allocator can have returned. libc's own frees are not asked about.
bool isNoPointer(const void *block, const void *frame) {
  const void *caller = static_cast<const void *const *>(frame)[1];
  return isInImage(caller) &&
         (number(block) % 16 != 0 || !isReadable(number(block) - sizeof(uint64_t)));
}

bool isOfLibc(const void *block, const void *frame) {
  return !isHeapAddress(block) && !isNoBlock(block, frame) && !isNoPointer(block, frame);
}

__attribute__((noinline)) void *allocate(size_t size, const void *caller, const void *frame) {
  return isForeign(caller) ? __libc_malloc(size) : heapAllocate(size, 1, false, frame);
}

__attribute__((noinline)) void release(void *block, const void *frame) {
  if (!block)
    return;
  if (isOfLibc(block, frame))
    __libc_free(block);
  else
    heapRelease(block, frame);
}

void *allocateAligned(size_t alignment, size_t size, const void *caller, const void *frame) {
  return isForeign(caller) ? __libc_memalign(alignment, size)
                           : heapAllocate(size, alignment, false, frame);
}

bool isPowerOfTwo(size_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

void *outOfMemory() {
  errno = ENOMEM;
  return nullptr;
}

void *resize(void *block, size_t size, const void *caller, const void *frame) {
  if (!block)
    return allocate(size, caller, frame);
  if (isOfLibc(block, frame))
    return __libc_realloc(block, size);
  if (size != 0)
    return heapResize(block, size, frame);
  heapRelease(block, frame);
  return nullptr;
}

} // namespace

extern "C" {

void *__culprit_own_malloc(size_t size) {
  if (isInImage(CULPRIT_CALLER))
    if (void *block = heapAllocateQuickly(size, CULPRIT_FRAME))
      return block;
  return allocate(size, CULPRIT_CALLER, CULPRIT_FRAME);
}

void __culprit_own_free(void *block) {
  if (!heapReleaseQuickly(block, CULPRIT_FRAME))
    release(block, CULPRIT_FRAME);
}
}

CULPRIT_EXPORT __attribute__((weak, alias("__culprit_own_malloc"))) void *malloc(size_t size);
CULPRIT_EXPORT __attribute__((weak, alias("__culprit_own_free"))) void free(void *block);

CULPRIT_EXPORT __attribute__((weak)) void *calloc(size_t count, size_t size) {
  if (isForeign(CULPRIT_CALLER))
    return __libc_calloc(count, size);
  size_t total;
  if (__builtin_mul_overflow(count, size, &total))
    return outOfMemory();
  return heapAllocate(total, 1, true, CULPRIT_FRAME);
}

CULPRIT_EXPORT __attribute__((weak)) void *realloc(void *block, size_t size) {
  return resize(block, size, CULPRIT_CALLER, CULPRIT_FRAME);
}

CULPRIT_EXPORT __attribute__((weak)) void *reallocarray(void *block, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total))
    return outOfMemory();
  return resize(block, total, CULPRIT_CALLER, CULPRIT_FRAME);
}

/// Like glibc's, it rounds the alignment up to a power of two.
CULPRIT_EXPORT __attribute__((weak)) void *memalign(size_t alignment, size_t size) {
  size_t power = 16;
  while (power < alignment && power != 0)
    power *= 2;
  if (power == 0) {
    errno = EINVAL;
    return nullptr;
  }
  return allocateAligned(power, size, CULPRIT_CALLER, CULPRIT_FRAME);
}

CULPRIT_EXPORT __attribute__((weak)) void *aligned_alloc(size_t alignment, size_t size) {
  if (!isPowerOfTwo(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return allocateAligned(alignment, size, CULPRIT_CALLER, CULPRIT_FRAME);
}

CULPRIT_EXPORT __attribute__((weak)) int posix_memalign(void **out, size_t alignment, size_t size) {
  if (!isPowerOfTwo(alignment) || alignment % sizeof(void *) != 0)
    return EINVAL;
  void *block = allocateAligned(alignment, size, CULPRIT_CALLER, CULPRIT_FRAME);
  if (!block)
    return ENOMEM;
  *out = block;
  return 0;
}

CULPRIT_EXPORT __attribute__((weak)) void *valloc(size_t size) {
  return allocateAligned(kPageSize, size, CULPRIT_CALLER, CULPRIT_FRAME);
}

CULPRIT_EXPORT __attribute__((weak)) void *pvalloc(size_t size) {
  if (size > SIZE_MAX - kPageSize)
    return outOfMemory();
  size = (size + kPageSize - 1) & ~(kPageSize - 1);
  return allocateAligned(kPageSize, size, CULPRIT_CALLER, CULPRIT_FRAME);
}

CULPRIT_EXPORT __attribute__((weak)) size_t malloc_usable_size(void *block) {
  if (!block)
    return 0;
  if (isOfLibc(block, CULPRIT_FRAME) && __culprit_foreign_usable_size)
    return __culprit_foreign_usable_size(block);
  return heapUsableSize(block, CULPRIT_FRAME);
}

} // namespace culprit

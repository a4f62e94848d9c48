// Memory of exceptions, in front of libstdc++'s in the whole process: an object that is thrown
// holds values of the program, so it is a block of the program's heap like any other, at the same
// address in every run. What libstdc++ throws on the program's behalf, or throws again, comes here,
// too.
//
// When the heap has nothing left there is still a pool, as large as libstdc++'s, so that bad_alloc
// can be thrown. It is a variable of the program's; which parts of it are used is written
// elsewhere. Nothing here is used in a program without C++.
#include "runtime/heap_lock.h"
#include "runtime/heap_quick.h"
#include "runtime/process_memory.h"
#include "runtime/thrown.h"

#include <stdlib.h>
#include <string.h>

// NOLINTBEGIN(bugprone-reserved-identifier): the names of the Itanium ABI
// std::terminate
extern "C" __attribute__((weak, noreturn)) void _ZSt9terminatev();

namespace culprit {
namespace {

/// What libstdc++ keeps in front of an object, a count of references included, and in an exception
/// that is another one thrown again (the Itanium ABI's __cxa_dependent_exception).
constexpr size_t kPrimaryHeaderSize = 128;
constexpr size_t kDependentSize = 112;

constexpr size_t kUnit = 64;
constexpr size_t kUnits = (size_t{64} * 1024 + size_t{64} * kDependentSize) / kUnit;

#pragma clang section bss = "culprit_library_bss"
alignas(16) char g_pool[kUnits * kUnit];
#pragma clang section bss = "culprit_state"
/// How many units the block that starts here has, kInside for its others, 0 for free ones.
uint16_t g_used[kUnits];
constexpr uint16_t kInside = UINT16_MAX;

bool isInPool(const void *block) {
  return reinterpret_cast<uint64_t>(block) - reinterpret_cast<uint64_t>(g_pool) < sizeof g_pool;
}

void *allocateFromPool(size_t size) {
  HeapGuard guard;
  size_t wanted = (size + kUnit - 1) / kUnit;
  size_t count = 0; // of free units before `i`
  for (size_t i = 0; i < kUnits; ++i) {
    count = g_used[i] == 0 ? count + 1 : 0;
    if (count < wanted)
      continue;
    size_t first = i + 1 - wanted;
    for (size_t unit = first + 1; unit <= i; ++unit)
      g_used[unit] = kInside;
    g_used[first] = static_cast<uint16_t>(wanted);
    return g_pool + first * kUnit;
  }
  return nullptr;
}

void releaseToPool(const void *block) {
  HeapGuard guard;
  size_t first = static_cast<size_t>(static_cast<const char *>(block) - g_pool) / kUnit;
  size_t count = g_used[first] == kInside ? 0 : g_used[first];
  memset(&g_used[first], 0, count * sizeof *g_used);
}

/// Zeroes up to `headerSize`.
void *allocateException(size_t headerSize, size_t objectSize, const void *frame) {
  size_t size = headerSize + objectSize;
  bool ranOut = g_ranOut; // what is thrown may tell of that: it is still so
  void *block = processAllocate(size, 1, frame);
  g_ranOut = ranOut;
  if (!block)
    block = allocateFromPool(size);
  if (block)
    return memset(block, 0, headerSize);
  if (_ZSt9terminatev)
    _ZSt9terminatev();
  abort();
}

void releaseException(void *block, const void *frame) {
  if (isInPool(block))
    releaseToPool(block);
  else
    processRelease(block, frame);
}

} // namespace

#define CULPRIT_EXCEPTION extern "C" __attribute__((weak, visibility("default")))

CULPRIT_EXCEPTION void *__cxa_allocate_exception(size_t size) {
  void *block = allocateException(kPrimaryHeaderSize, size, __builtin_frame_address(0));
  void *object = static_cast<char *>(block) + kPrimaryHeaderSize;
  forgetThrow(object);
  return object;
}

CULPRIT_EXCEPTION void __cxa_free_exception(void *object) {
  releaseException(static_cast<char *>(object) - kPrimaryHeaderSize, __builtin_frame_address(0));
}

CULPRIT_EXCEPTION void *__cxa_allocate_dependent_exception() {
  return allocateException(kDependentSize, 0, __builtin_frame_address(0));
}

CULPRIT_EXCEPTION void __cxa_free_dependent_exception(void *exception) {
  releaseException(exception, __builtin_frame_address(0));
}

} // namespace culprit
// NOLINTEND(bugprone-reserved-identifier)

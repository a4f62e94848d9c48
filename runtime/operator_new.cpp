// C++'s operator new and delete on the program's heap, whoever calls them: libstdc++ allocates
// strings and the like on the program's behalf.
//
// Weak, and built on each other as the standard wants it: a program may replace some of them, or
// malloc. Nothing of the C++ library is needed in a C program; what is used of it is there in any
// program that can get here.
#include "runtime/process_memory.h"

#define CULPRIT_WEAK __attribute__((weak, visibility("default")))
#define CULPRIT_OWN __attribute__((visibility("hidden")))
#define CULPRIT_ALIAS(name) __attribute__((alias(name)))
#define CULPRIT_FRAME __builtin_frame_address(0)

// std::__throw_bad_alloc, std::get_new_handler
extern "C" __attribute__((weak, noreturn)) void _ZSt17__throw_bad_allocv();
using NewHandler = void (*)();
extern "C" __attribute__((weak)) NewHandler _ZSt15get_new_handlerv();

namespace culprit {
namespace {

/// Null when there is no memory and no handler that may make some.
void *tryNew(size_t size, size_t alignment, const void *frame) {
  for (;;) {
    if (void *block = processAllocate(size == 0 ? 1 : size, alignment, frame))
      return block;
    NewHandler handler = _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : nullptr;
    if (!handler)
      return nullptr;
    handler();
  }
}

__attribute__((noinline)) void *throwingNewSlowly(size_t size, size_t alignment,
                                                  const void *frame) {
  if (void *block = tryNew(size, alignment, frame))
    return block;
  if (_ZSt17__throw_bad_allocv)
    _ZSt17__throw_bad_allocv();
  abort();
}

void *throwingNew(size_t size, const void *frame) {
  if (isSame(malloc, __culprit_own_malloc))
    if (void *block = heapAllocateQuickly(size == 0 ? 1 : size, frame))
      return block;
  return throwingNewSlowly(size, 1, frame);
}

} // namespace

extern "C" {

// The two that all others stand on, and their counterparts for aligned types.
CULPRIT_OWN void *__culprit_own_new(size_t size) {
  return throwingNew(size, CULPRIT_FRAME);
}
CULPRIT_OWN void __culprit_own_delete(void *block) {
  processRelease(block, CULPRIT_FRAME);
}
CULPRIT_OWN void *__culprit_own_aligned_new(size_t size, size_t alignment) {
  return throwingNewSlowly(size, alignment, CULPRIT_FRAME);
}
CULPRIT_OWN void __culprit_own_aligned_delete(void *block, size_t) {
  processRelease(block, CULPRIT_FRAME);
}

CULPRIT_WEAK CULPRIT_ALIAS("__culprit_own_new") void *_Znwm(size_t size);
CULPRIT_WEAK CULPRIT_ALIAS("__culprit_own_delete") void _ZdlPv(void *block);
CULPRIT_WEAK CULPRIT_ALIAS("__culprit_own_aligned_new") void *_ZnwmSt11align_val_t(size_t, size_t);
CULPRIT_WEAK CULPRIT_ALIAS("__culprit_own_aligned_delete") void _ZdlPvSt11align_val_t(void *,
                                                                                      size_t);

// new[], delete[] and sized forms.
CULPRIT_WEAK void *_Znam(size_t size) {
  return isSame(_Znwm, __culprit_own_new) ? throwingNew(size, CULPRIT_FRAME) : _Znwm(size);
}
CULPRIT_WEAK void _ZdaPv(void *block) {
  isSame(_ZdlPv, __culprit_own_delete) ? processRelease(block, CULPRIT_FRAME) : _ZdlPv(block);
}
CULPRIT_WEAK void _ZdlPvm(void *block, size_t) {
  isSame(_ZdlPv, __culprit_own_delete) ? processRelease(block, CULPRIT_FRAME) : _ZdlPv(block);
}
CULPRIT_WEAK void _ZdaPvm(void *block, size_t) {
  isSame(_ZdlPv, __culprit_own_delete) ? processRelease(block, CULPRIT_FRAME) : _ZdaPv(block);
}
CULPRIT_WEAK void *_ZnamSt11align_val_t(size_t size, size_t alignment) {
  return _ZnwmSt11align_val_t(size, alignment);
}
CULPRIT_WEAK void _ZdaPvSt11align_val_t(void *block, size_t alignment) {
  _ZdlPvSt11align_val_t(block, alignment);
}
CULPRIT_WEAK void _ZdlPvmSt11align_val_t(void *block, size_t, size_t alignment) {
  _ZdlPvSt11align_val_t(block, alignment);
}
CULPRIT_WEAK void _ZdaPvmSt11align_val_t(void *block, size_t, size_t alignment) {
  _ZdaPvSt11align_val_t(block, alignment);
}

// Forms that return null. An operator new of the program that throws is not caught here.
CULPRIT_WEAK void *_ZnwmRKSt9nothrow_t(size_t size, const void *) {
  return isSame(_Znwm, __culprit_own_new) ? tryNew(size, 1, CULPRIT_FRAME) : _Znwm(size);
}
CULPRIT_WEAK void *_ZnamRKSt9nothrow_t(size_t size, const void *) {
  return isSame(_Znwm, __culprit_own_new) ? tryNew(size, 1, CULPRIT_FRAME) : _Znam(size);
}
CULPRIT_WEAK void *_ZnwmSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *) {
  return tryNew(size, alignment, CULPRIT_FRAME);
}
CULPRIT_WEAK void *_ZnamSt11align_val_tRKSt9nothrow_t(size_t size, size_t alignment, const void *) {
  return tryNew(size, alignment, CULPRIT_FRAME);
}
CULPRIT_WEAK void _ZdlPvRKSt9nothrow_t(void *block, const void *) {
  _ZdlPv(block);
}
CULPRIT_WEAK void _ZdaPvRKSt9nothrow_t(void *block, const void *) {
  _ZdaPv(block);
}
CULPRIT_WEAK void _ZdlPvSt11align_val_tRKSt9nothrow_t(void *block, size_t alignment, const void *) {
  _ZdlPvSt11align_val_t(block, alignment);
}
CULPRIT_WEAK void _ZdaPvSt11align_val_tRKSt9nothrow_t(void *block, size_t alignment, const void *) {
  _ZdaPvSt11align_val_t(block, alignment);
}
}

} // namespace culprit

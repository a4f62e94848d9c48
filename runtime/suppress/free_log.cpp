// See free_log.h.
#include "runtime/suppress/free_log.h"

#include "abi/origins.h"
#include "runtime/hooks.h"
#include "runtime/stack_walk.h"
#include "runtime/suppress/marks.h"
#include "runtime/suppress/mixed.h"
#include "runtime/suppress/stretches.h"
#include "runtime/suppress/word_map.h"
#include "runtime/system.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kFirstSize = 1 << 14;
/// Forgetting costs time with the shadow's size: bytes of shadow for which there is room for one
/// free before any is forgotten.
constexpr uint64_t kShadowPerFree = 512;

extern "C" I64 __culprit_arguments[abi::kMostArgumentOrigins];
extern "C" I64 __culprit_results[abi::kMostResultOrigins];

/// All words that may be an origin of a value that the program still has. False if not all are
/// known.
__attribute__((noinline)) bool findAll(MetExecutions &executions) {
  auto find = [&](uint64_t word) { executions.meet(word); };
  bool areKnown = visitShadow([&](uint64_t word) {
    if (!isMixed(word))
      return find(word);
    for (uint64_t i = 0; i < abi::kGranule; ++i)
      find(originInWord(word, i));
  });
  for (uint64_t word : __culprit_arguments)
    find(word);
  for (uint64_t word : __culprit_results)
    find(word);
  find(__culprit_call_origin);
  __builtin_unwind_init(); // registers go to this frame
  auto place = reinterpret_cast<uint64_t>(__builtin_frame_address(0)) & ~uint64_t{7};
  constexpr uint64_t kRegisters = 64; // in front of where the frame address points to
  for (uint64_t at = place - kRegisters, end = stackEndFor(place); at + 8 <= end; at += 8)
    find(*pointerTo<const uint64_t>(at));
  return areKnown;
}

} // namespace

void FreeLog::add(Free one) {
  if (used_ == size_)
    makeRoom();
  one.number = count_++;
  frees_[used_++] = one;
}

void FreeLog::makeRoom() {
  bool isWorthIt = size_ != 0 && size_ >= sizeOfShadow() / kShadowPerFree;
  if (isWorthIt)
    forget();
  if (isWorthIt && used_ < size_ / 2)
    return;
  uint64_t size = size_ == 0 ? kFirstSize : size_ * 2;
  auto *frees = static_cast<Free *>(memoryForTables(size * sizeof(Free)));
  if (frees_) {
    memcpy(frees, frees_, used_ * sizeof(Free));
    rawSyscall(SYS_munmap, address(frees_), static_cast<long>(size_ * sizeof(Free)));
  }
  frees_ = frees;
  size_ = size;
}

/// With marks no value has an origin.
void FreeLog::forget() {
  noteLast();
  named_.start(sizeOfShadow() / sizeof(uint64_t));
  if (!hasMarks() && !findAll(named_))
    return;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < used_; ++i) {
    const Free &one = frees_[i];
    if (one.isLast || named_.mayHaveMet(one.allocation) || named_.mayHaveMet(one.origin))
      frees_[kept++] = one;
  }
  used_ = kept;
}

/// Which of the frees are the last ones of their addresses.
void FreeLog::noteLast() {
  blocks_.start(size_);
  for (uint64_t i = used_; i-- > 0;)
    frees_[i].isLast = blocks_.add(frees_[i].block);
}

} // namespace culprit

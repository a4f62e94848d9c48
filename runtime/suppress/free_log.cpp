// See free_log.h.
#include "runtime/suppress/free_log.h"

#include "abi/origins.h"
#include "runtime/hooks.h"
#include "runtime/stack_walk.h"
#include "runtime/suppress/marks.h"
#include "runtime/suppress/stretches.h"
#include "runtime/suppress/word_map.h"
#include "runtime/system.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

constexpr uint64_t kFirstSize = 1 << 14;

extern "C" I64 __culprit_arguments[abi::kMostArgumentOrigins];
extern "C" I64 __culprit_results[abi::kMostResultOrigins];

/// Words that are looked for, and which of them were found. A table of twice their number at least,
/// searched from where the hash says.
class Searched {
public:
  explicit Searched(uint64_t most) : size_(most * 4) {
    slots_ = static_cast<Slot *>(memoryForTables(size_ * sizeof(Slot)));
  }
  ~Searched() { rawSyscall(SYS_munmap, address(slots_), static_cast<long>(size_ * sizeof(Slot))); }
  Searched(const Searched &) = delete;
  Searched &operator=(const Searched &) = delete;

  void add(uint64_t word) { slotFor(word).word = word; }
  bool isFound(uint64_t word) const { return slotFor(word).isFound; }

  /// `word` need not be one of them.
  void find(uint64_t word) {
    Slot &slot = slotFor(word);
    slot.isFound = slot.word != 0;
  }

private:
  struct Slot {
    uint64_t word;
    bool isFound;
  };
  Slot &slotFor(uint64_t word) const {
    uint64_t at = word * 0x9e37'79b9'7f4a'7c15 >> 24;
    while (slots_[at & (size_ - 1)].word != 0 && slots_[at & (size_ - 1)].word != word)
      ++at;
    return slots_[at & (size_ - 1)];
  }

  uint64_t size_; ///< a power of two
  Slot *slots_;
};

/// All words that may be an origin of a value that the program still has. False if not all are
/// known. Marks have none.
__attribute__((noinline)) bool findAll(Searched &executions) {
  auto find = [&](uint64_t word) { executions.find(word & ~abi::kOriginFlags); };
  bool areKnown = hasMarks() || visitShadow([&](uint64_t word) {
                    if ((word & abi::kOriginMixed) == 0)
                      return find(word);
                    const auto *bytes = pointerTo<const uint64_t>(word & abi::kMixedWordsMask);
                    for (uint64_t i = 0; i < abi::kGranule; ++i)
                      find(bytes[i]);
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
  if (size_ != 0)
    forget();
  if (size_ != 0 && used_ < size_ / 2)
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

void FreeLog::forget() {
  noteLast();
  Searched executions(size_);
  for (uint64_t i = 0; i < used_; ++i) {
    executions.add(frees_[i].allocation);
    executions.add(frees_[i].origin);
  }
  if (!findAll(executions))
    return;
  uint64_t kept = 0;
  for (uint64_t i = 0; i < used_; ++i) {
    const Free &one = frees_[i];
    if (one.isLast || executions.isFound(one.allocation) || executions.isFound(one.origin))
      frees_[kept++] = one;
  }
  used_ = kept;
}

/// Which of the frees are the last ones of their addresses.
void FreeLog::noteLast() {
  Searched blocks(size_);
  for (uint64_t i = used_; i-- > 0;) {
    frees_[i].isLast = !blocks.isFound(frees_[i].block);
    blocks.add(frees_[i].block);
    blocks.find(frees_[i].block);
  }
}

} // namespace culprit

// The heap of the program: blocks at fixed addresses, with headers that the program can break.
//
// Fresh blocks are carved off the *run*, one behind the other; freed small blocks wait on a stack
// per stride, freed longer ones become spans (heap_spans.h). The run is what is left of the memory
// got last, or a span when that is used up. Every word that the heap relies on is in tables of its
// own (heap_block.h); the headers in the program's reach are only compared with them. So a broken
// header, a double free and a wild free are told apart exactly, and none of them breaks the heap.
//
// Not thread-safe, and reports instead of failing: heap.cpp puts a lock and fail() around it.
#ifndef CULPRIT_RUNTIME_HEAP_ARENA_H
#define CULPRIT_RUNTIME_HEAP_ARENA_H

#include "abi/failure.h"
#include "runtime/heap_block.h"
#include "runtime/heap_layout.h"
#include "runtime/heap_memory.h"
#include "runtime/heap_spans.h"
#include "runtime/stack_depot.h"

namespace culprit {

/// What a check found.
struct Problem {
  abi::FailureKind kind = abi::FailureKind::None;
  uint64_t address = 0; ///< what was freed, or the first wrong byte
  abi::FailureWord word = {};
  bool hasWord = false;
  uint64_t block = 0;    ///< the block concerned, or 0
  uint64_t previous = 0; ///< for a broken header: the block in front of it, or 0
};

class HeapArena {
public:
  /// Before the first allocation.
  void setLayout(const HeapLayout &layout);

  /// A block of `size` bytes, or 0: then there is a problem() or no memory. `alignment` is a power
  /// of two.
  uint64_t allocate(uint64_t size, uint64_t alignment, const CallStack &stack, bool isZeroed);
  /// False: problem().
  bool release(uint64_t block, const CallStack &stack);
  /// The same for the case that is by far the most frequent, a small block that was freed before or
  /// comes off the run, and a call stack that is known by its hash; 0 and false for all others.
  uint64_t allocateQuickly(uint64_t size, uint64_t stackHash);
  bool releaseQuickly(uint64_t block, uint64_t stackHash);
  /// Like realloc for a block and a size that is not 0; 0 as for allocate.
  uint64_t resize(uint64_t block, uint64_t size, const CallStack &stack);
  /// False: problem().
  bool usableSize(uint64_t block, uint64_t &size);
  /// Compares every header and guard; false: problem().
  bool checkAll();

  /// Of the last call that failed; kind None: there was no memory.
  const Problem &problem() const { return problem_; }

  /// The block that holds `address`, else the one that it is nearest to; false if there is none.
  /// Only reads: may be called at any time.
  bool describe(uint64_t address, abi::FailureBlock &out) const;
  /// The block that starts at `block`, live or freed.
  bool describeStart(uint64_t block, abi::FailureBlock &out) const;

  const HeapLayout &layout() const { return layout_; }
  uint64_t mappedBytes() const { return memory_.end() - memory_.begin(); }
  uint64_t freeBytes() const { return smallFreeBytes_ + spans_.freeBytes() + run_.length(); }

  /// Returns all memory, for tests.
  void unmapAll();

private:
  static constexpr uint64_t kClasses = kSmallestSpan / 16;
  static constexpr uint64_t kMostHeld = 32 << 20; ///< bytes, where freed memory is held back
  static constexpr uint64_t kQuickSizes = kSmallestSpan - 16 - kHeaderSize + 1;

  /// Freed blocks of one stride, as numbers of granules.
  struct FreeStack {
    uint64_t count = 0;
    uint64_t capacity = 0;
  };

  /// Of blocks that are fenced off when they are freed. In front of the last page's end is the
  /// header of what follows.
  uint64_t fencedStride(uint64_t size) const {
    return roundUp(size + kHeaderSize + layout_.guardBytes + layout_.spacing, kPage) + kPage;
  }
  bool isFenced(uint64_t block) const {
    return layout_.fences && block % kPage == 0 &&
           strideIn(headerOf(block)) >= fencedStride(sizeIn(&entryOf(block)));
  }

  uint64_t strideFor(uint64_t size) const {
    if (layout_.fences && fencedCount_ < abi::kMostFenced)
      return fencedStride(size);
    uint64_t stride = roundUp(size + kHeaderSize + layout_.guardBytes + layout_.spacing, 16);
    return stride < kSmallestStride ? kSmallestStride : stride;
  }
  uint64_t place(uint64_t stride);
  uint64_t placeAligned(uint64_t stride, uint64_t alignment);
  uint64_t trim(uint64_t block, uint64_t aligned, uint64_t stride);
  uint64_t split(Span span, uint64_t stride);
  uint64_t carve(uint64_t stride);
  uint64_t carveQuickly(uint64_t size, uint64_t stride, uint64_t stackHash);
  void carveBatch(uint64_t stride);
  bool refill(uint64_t stride);
  bool grow(uint64_t stride);
  bool mapTo(uint64_t end);
  void noteQuickWays();
  bool mapMore(uint64_t need);
  bool extendRun(uint64_t length);
  void setRun(Span span);
  void retireRun();
  void addFree(Span span);
  void addVacant(uint64_t block, uint64_t stride);
  void addRest(Span span);
  void addBelowRun(Span span);
  /// Whether consolidate() is likely to save more than it costs. It would take what is held back.
  bool isFragmented() const {
    return layout_.reuses && smallFreeBytes_ > mappedBytes() / 4 &&
           mappedBytes() > consolidatedAt_ / 4 * 5;
  }
  void consolidate();
  void absorb(uint64_t begin, uint64_t end);
  void dropAbsorbed(uint64_t stride);
  /// Whether memory that is freed and ends there becomes part of the run.
  bool isBelowRun(uint64_t end) const {
    return end == run_.begin && layout_.order == HeapOrder::Up;
  }

  static uint32_t *itemsOf(uint64_t stride) {
    constexpr uint64_t kRoom = uint64_t{16} << 30; // addresses for one class
    return at<uint32_t>(kFreeStacks + stride / 16 * kRoom);
  }
  bool append(FreeStack &stack, uint64_t stride, uint64_t block);
  void push(uint64_t block, uint64_t stride);
  uint64_t pop(uint64_t stride);
  void makeFree(uint64_t block, uint64_t stride);
  bool holdBack(uint64_t block, uint64_t stride);
  bool growInPlace(uint64_t block, uint64_t stride, uint64_t wanted);
  void shrinkInPlace(uint64_t block, uint64_t stride, uint64_t wanted);
  uint64_t move(uint64_t block, uint64_t size, const CallStack &stack);
  void writeGuard(uint64_t block, uint64_t size) const;
  bool takesFromAbove();
  uint64_t random();

  bool checkLive(uint64_t block);
  bool checkHeader(uint64_t block, uint64_t stride);
  bool checkGuard(uint64_t block);
  bool checkFreed(uint64_t block);
  bool breakHeader(uint64_t block, uint64_t stride);
  bool misuse(uint64_t block);
  uint64_t trueStride(uint64_t block) const;
  uint64_t startBefore(uint64_t block) const;
  bool isInside(uint64_t address) const {
    return address >= kFirstBlock && address < memory_.end();
  }

  Stretch memory_{abi::kHeapBase};
  Stretch entries_{abi::kHeapTables};
  Span run_{kFirstBlock, kFirstBlock, {}, 0, false};
  uint64_t touched_ = 0; ///< from here on memory was never used
  FreeStack stacks_[kClasses] = {};
  /// Freed blocks that are not allocated again yet, the oldest first, from `heldFirst_` on. Their
  /// numbers are where those of the stack for stride 0 would be.
  FreeStack held_;
  uint64_t heldFirst_ = 0;
  uint64_t heldBytes_ = 0;
  uint64_t smallFreeBytes_ = 0;
  uint64_t consolidatedAt_ = 0; ///< mappedBytes() of the last time
  Spans spans_;
  StackDepot depot_;
  HeapLayout layout_;
  uint64_t fencedCount_ = 0;
  uint64_t quickSizes_ = kQuickSizes; ///< sizes below it are for the quick way
  uint64_t quickUnits_ = 0;           ///< so are as many units of 16 bytes, from the base on
  bool carvesQuickly_ = true;         ///< fresh blocks are, too
  uint64_t random_ = 0;
  Problem problem_;
};

__attribute__((always_inline)) inline uint64_t
HeapArena::carveQuickly(uint64_t size, uint64_t stride, uint64_t stackHash) {
  uint64_t block = run_.begin;
  uint64_t next = block + stride;
  if (!carvesQuickly_ || run_.length() < stride + kSmallestStride)
    return 0;
  if (run_.ghosts.first != 0 || run_.isLittered || headerOf(block) != headerFor(block, 0))
    return 0;
  uint64_t stack = depot_.find(stackHash);
  if (stack == 0)
    return 0;
  run_.begin = next;
  headerOf(next) = headerFor(next, 0);
  headerOf(block) = headerFor(block, stride);
  if (next > touched_)
    touched_ = next;
  entryOf(block) = startBits(block, Tag::Live) | size << 4 | stack << 16;
  return block;
}

__attribute__((always_inline)) inline uint64_t HeapArena::allocateQuickly(uint64_t size,
                                                                          uint64_t stackHash) {
  if (size >= quickSizes_)
    return 0;
  uint64_t stride =
      size <= kSmallestStride - kHeaderSize ? kSmallestStride : roundUp(size + kHeaderSize, 16);
  FreeStack &free = stacks_[stride / 16];
  if (free.count == 0)
    return carveQuickly(size, stride, stackHash);
  uint64_t granule = itemsOf(stride)[free.count - 1];
  uint64_t block = blockIn(granule, entryAt(granule));
  if (headerOf(block) != headerFor(block, stride))
    return 0;
  uint64_t stack = depot_.find(stackHash);
  if (stack == 0)
    return 0;
  --free.count;
  smallFreeBytes_ -= stride;
  entryAt(granule) = startBits(block, Tag::Live) | size << 4 | stack << 16;
  return block;
}

__attribute__((always_inline)) inline bool HeapArena::releaseQuickly(uint64_t block,
                                                                     uint64_t stackHash) {
  // What is not a multiple of 16 becomes a large number. The header is not read before it is clear
  // that there is one.
  uint64_t offset = block - abi::kHeapBase;
  if ((offset >> 4 | offset << 60) >= quickUnits_)
    return false;
  uint64_t &entry = entryOf(block);
  if (!startsAs(block, entry, Tag::Live))
    return false;
  uint64_t header = headerOf(block);
  uint64_t stride = strideIn(header);
  if (stride >= kSmallestSpan || !isHeader(block, header))
    return false;
  uint64_t next = block + stride;
  FreeStack &free = stacks_[stride / 16];
  if (!isHeader(next, headerOf(next)))
    return false;
  if (free.count == free.capacity)
    return false;
  uint64_t stack = depot_.find(stackHash);
  if (stack == 0)
    return false;
  entry = retagged(entry, Tag::Freed, stack);
  itemsOf(stride)[free.count++] = static_cast<uint32_t>(granuleOf(block));
  smallFreeBytes_ += stride;
  return true;
}

} // namespace culprit
#endif

// Blocks for the program and back: see heap_arena.h.
#include "runtime/heap_arena.h"

#include <string.h>

namespace culprit {
namespace {

void fill(uint64_t begin, uint64_t end, int byte) {
  if (byte != HeapLayout::kNoFill && begin < end)
    memset(at<char>(begin), byte, HeapLayout::filledOf(end - begin));
}

/// Zeroes [begin, end); the system does it for large blocks, when they are used.
void zero(uint64_t begin, uint64_t end) {
  if (begin >= end)
    return;
  if (end - begin < kLargeSpan) {
    memset(at<char>(begin), 0, end - begin);
    return;
  }
  uint64_t firstPage = roundUp(begin, kPage);
  uint64_t lastPage = end & ~(kPage - 1);
  memset(at<char>(begin), 0, firstPage - begin);
  discardPages(firstPage, lastPage);
  memset(at<char>(lastPage), 0, end - lastPage);
}

} // namespace

uint64_t HeapArena::allocate(uint64_t size, uint64_t alignment, const CallStack &stack,
                             bool isZeroed) {
  problem_.kind = abi::FailureKind::None;
  if (size > kLargestSize || alignment > kLargestSize)
    return 0;
  uint64_t touchedBefore = touched_;
  uint64_t stride = strideFor(size);
  if (layout_.fences && fencedCount_++ < abi::kMostFenced && alignment < kPage)
    alignment = kPage;
  uint64_t block = alignment <= 16 ? place(stride) : placeAligned(stride, alignment);
  if (block == 0)
    return 0;
  writeEntry(block, Tag::Live, size, depot_.intern(stack));
  if (isZeroed)
    zero(block, block + size < touchedBefore ? block + size : touchedBefore);
  else
    fill(block, block + size, layout_.freshFill);
  writeGuard(block, size);
  return block;
}

bool HeapArena::release(uint64_t block, const CallStack &stack) {
  if (!checkLive(block))
    return false;
  uint64_t stride = strideIn(headerOf(block));
  uint64_t &entry = entryOf(block);
  fill(block, block + sizeIn(&entry), layout_.freedFill);
  entry = retagged(entry, Tag::Freed, depot_.intern(stack));
  if (isFenced(block)) {
    fenceOff(block, (block + stride - kHeaderSize) & ~(kPage - 1));
    return true;
  }
  if (!layout_.reuses)
    return holdBack(block, stride);
  makeFree(block, stride);
  return true;
}

/// A freed block may be allocated again.
void HeapArena::makeFree(uint64_t block, uint64_t stride) {
  if (stride < kSmallestSpan)
    return push(block, stride);
  uint64_t &entry = entryOf(block);
  entry = retagged(entry, Tag::Span, freeStackIn(entry));
  Span span{block, block + stride, {}, stride};
  if (isBelowRun(span.end))
    addBelowRun(span);
  else
    spans_.add(span);
}

/// Behind those that were freed before. False if one of those that may be allocated again now was
/// written to: problem().
bool HeapArena::holdBack(uint64_t block, uint64_t stride) {
  if (held_.count == held_.capacity && heldFirst_ > held_.count / 2) {
    memmove(itemsOf(0), itemsOf(0) + heldFirst_, (held_.count - heldFirst_) * sizeof(uint32_t));
    held_.count -= heldFirst_;
    heldFirst_ = 0;
  }
  if (!append(held_, 0, block))
    return true;
  heldBytes_ += stride;
  while (heldBytes_ > kMostHeld) {
    uint64_t granule = itemsOf(0)[heldFirst_++];
    uint64_t oldest = blockIn(granule, entryAt(granule));
    if (!isHeader(oldest, headerOf(oldest)))
      return breakHeader(oldest, trueStride(oldest));
    if (!checkFreed(oldest))
      return false;
    uint64_t length = strideIn(headerOf(oldest));
    heldBytes_ -= length;
    makeFree(oldest, length);
  }
  return true;
}

/// Into the run or the span that follows, so that growing buffers need not be copied.
bool HeapArena::growInPlace(uint64_t block, uint64_t stride, uint64_t wanted) {
  if (layout_.order != HeapOrder::Up)
    return false;
  uint64_t next = block + stride;
  uint64_t extra = wanted - stride;
  uint64_t piece = 0;
  if (next == run_.begin && (run_.length() >= extra ||
                             (run_.end == memory_.end() && !isFragmented() && extendRun(extra)))) {
    piece = carve(extra);
  } else if (next != run_.begin && startsAs(next, entryOf(next), Tag::Span)) {
    Span span = spans_.takeAt(next);
    if (span.length() < extra)
      spans_.add(span);
    else
      piece = split(span, extra);
  }
  if (piece == 0)
    return false;
  entryOf(piece) = 0;
  headerOf(block) = headerFor(block, stride + strideIn(headerOf(piece)));
  return true;
}

void HeapArena::shrinkInPlace(uint64_t block, uint64_t stride, uint64_t wanted) {
  uint64_t next = block + stride;
  uint64_t rest = stride - wanted;
  if (rest < (isBelowRun(next) ? kSmallestStride : kSmallestRest))
    return;
  headerOf(block) = headerFor(block, wanted);
  addFree({block + wanted, next, {}, rest});
}

uint64_t HeapArena::move(uint64_t block, uint64_t size, const CallStack &stack) {
  uint64_t moved = allocate(size, 1, stack, false);
  if (moved == 0)
    return 0;
  uint64_t old = sizeIn(&entryOf(block));
  // Programs use what malloc_usable_size promised, too.
  if (layout_.guardBytes == 0)
    old = strideIn(headerOf(block)) - kHeaderSize;
  memcpy(at<char>(moved), at<char>(block), size < old ? size : old);
  return release(block, stack) ? moved : 0;
}

uint64_t HeapArena::resize(uint64_t block, uint64_t size, const CallStack &stack) {
  problem_.kind = abi::FailureKind::None;
  if (!checkLive(block) || size > kLargestSize)
    return 0;
  uint64_t old = sizeIn(&entryOf(block));
  uint64_t stride = strideIn(headerOf(block));
  uint64_t wanted = strideFor(size);
  if (layout_.fences && size != old) // whoever keeps the old pointer is to notice
    return move(block, size, stack);
  if (wanted > stride && !growInPlace(block, stride, wanted))
    return problem_.kind == abi::FailureKind::None ? move(block, size, stack) : 0;
  if (wanted < stride)
    shrinkInPlace(block, stride, wanted);
  writeEntry(block, Tag::Live, size, depot_.intern(stack));
  fill(block + old, block + size, layout_.freshFill);
  writeGuard(block, size);
  return block;
}

bool HeapArena::usableSize(uint64_t block, uint64_t &size) {
  if (!checkLive(block))
    return false;
  size = layout_.guardBytes != 0 ? sizeIn(&entryOf(block))
                                 : strideIn(headerOf(block)) - kHeaderSize - layout_.spacing;
  return true;
}

void HeapArena::unmapAll() {
  memory_.release();
  entries_.release();
  depot_.release();
  stacks_[0] = held_;
  for (uint64_t i = 0; i < kClasses; ++i) {
    auto items = reinterpret_cast<uint64_t>(itemsOf(i * 16));
    unmap(items, items + stacks_[i].capacity * sizeof(uint32_t));
  }
  *this = HeapArena();
}

} // namespace culprit

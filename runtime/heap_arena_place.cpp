// Where blocks come from and go to: see heap_arena.h.
#include "runtime/heap_arena.h"

#include <string.h>

namespace culprit {
namespace {

constexpr uint64_t kFirstChunk = 128 << 10;
constexpr uint64_t kMostChunk = 4 << 20;
constexpr uint64_t kMostDirtyRun = 4 << 20;
constexpr uint64_t kBatch = 16; ///< blocks that HeapOrder::Shuffled mixes

uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

} // namespace

void HeapArena::setLayout(const HeapLayout &layout) {
  layout_ = layout;
  noteQuickWays();
  random_ = layout.seed * 2 + 1;
  if (layout.freedFill != HeapLayout::kNoFill)
    spans_.setKeepsMemory();
}

/// The quick ways do nothing for the layout, and the stacks of free blocks hold small numbers.
void HeapArena::noteQuickWays() {
  bool isPlain = layout_.reuses && layout_.spacing == 0 && layout_.guardBytes == 0 &&
                 layout_.freshFill == HeapLayout::kNoFill &&
                 layout_.freedFill == HeapLayout::kNoFill;
  constexpr uint64_t kMostUnits = (uint64_t{UINT32_MAX} + 1) * kGranule / 16;
  quickSizes_ = isPlain ? kQuickSizes : 0;
  carvesQuickly_ = isPlain && layout_.order == HeapOrder::Up;
  quickUnits_ = isPlain ? smaller(mappedBytes() / 16, kMostUnits) : 0;
}

uint64_t HeapArena::random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ >> 20;
}

bool HeapArena::takesFromAbove() {
  return layout_.order != HeapOrder::Up && (layout_.order == HeapOrder::Down || random() % 2 != 0);
}

/// Behind what is on that stack; false if there is no room for it.
bool HeapArena::append(FreeStack &stack, uint64_t stride, uint64_t block) {
  if (granuleOf(block) > UINT32_MAX)
    return false;
  if (stack.count == stack.capacity) {
    uint64_t begin = reinterpret_cast<uint64_t>(itemsOf(stride) + stack.capacity);
    uint64_t more = stack.capacity == 0 ? kPage : stack.capacity * sizeof(uint32_t);
    more = smaller(more, 1 << 20);
    if (!mapAt(begin, begin + more))
      return false;
    stack.capacity += more / sizeof(uint32_t);
  }
  itemsOf(stride)[stack.count++] = static_cast<uint32_t>(granuleOf(block));
  return true;
}

/// A block that finds no room on its stack is lost until consolidate().
void HeapArena::push(uint64_t block, uint64_t stride) {
  smallFreeBytes_ += stride;
  append(stacks_[stride / 16], stride, block);
}

uint64_t HeapArena::pop(uint64_t stride) {
  FreeStack &stack = stacks_[stride / 16];
  if (stack.count == 0)
    return 0;
  uint64_t granule = itemsOf(stride)[stack.count - 1];
  uint64_t block = blockIn(granule, entryAt(granule));
  if (!checkHeader(block, stride))
    return 0;
  --stack.count;
  smallFreeBytes_ -= stride;
  return block;
}

uint64_t HeapArena::place(uint64_t stride) {
  if (stride >= kSmallestSpan) {
    Span span = spans_.take(stride);
    return span.begin == 0 ? carve(stride) : split(span, stride);
  }
  if (layout_.order == HeapOrder::Shuffled && stacks_[stride / 16].count == 0)
    carveBatch(stride);
  uint64_t block = pop(stride);
  return block != 0 || problem_.kind != abi::FailureKind::None ? block : carve(stride);
}

/// Freed blocks of the stride are taken if the next one is aligned by chance, as it is when the
/// program keeps to one alignment; else a longer block is cut.
uint64_t HeapArena::placeAligned(uint64_t stride, uint64_t alignment) {
  if (stride < kSmallestSpan && stacks_[stride / 16].count != 0) {
    uint64_t granule = itemsOf(stride)[stacks_[stride / 16].count - 1];
    if (blockIn(granule, entryAt(granule)) % alignment == 0)
      return pop(stride);
  }
  uint64_t block = place(stride + alignment + kSmallestStride);
  if (block == 0)
    return 0;
  uint64_t aligned = roundUp(block, alignment);
  if (aligned != block && aligned - block < kSmallestStride)
    aligned += alignment;
  return trim(block, aligned, stride);
}

/// Makes [aligned, aligned + stride) out of a block; what is left over becomes free.
uint64_t HeapArena::trim(uint64_t block, uint64_t aligned, uint64_t stride) {
  uint64_t end = block + strideIn(headerOf(block));
  if (end - aligned - stride < kSmallestStride)
    stride = end - aligned;
  headerOf(aligned) = headerFor(aligned, stride);
  // Neither piece may be joined with what becomes the block.
  entryOf(aligned) = startBits(aligned, Tag::Live);
  if (aligned + stride != end)
    addFree({aligned + stride, end, {}, end - aligned - stride, false});
  if (block != aligned)
    addFree({block, aligned, {}, aligned - block, false});
  return aligned;
}

uint64_t HeapArena::split(Span span, uint64_t stride) {
  if (!checkHeader(span.begin, span.length())) {
    spans_.add(span);
    return 0;
  }
  uint64_t rest = span.length() - stride;
  if (rest < kSmallestStride) {
    stride += rest;
    rest = 0;
  }
  bool isAbove = rest != 0 && takesFromAbove();
  uint64_t block = isAbove ? span.end - stride : span.begin;
  span.forgetHistory(block, isAbove ? span.end : block + stride);
  headerOf(block) = headerFor(block, stride);
  entryOf(block) = startBits(block, Tag::Live);
  if (block + stride > touched_)
    touched_ = block + stride;
  (isAbove ? span.end : span.begin) = isAbove ? block : block + stride;
  span.dirtyBytes = smaller(span.dirtyBytes, rest);
  if (rest >= kSmallestRest)
    addFree(span);
  else if (rest != 0)
    addRest(span);
  return block;
}

uint64_t HeapArena::carve(uint64_t stride) {
  if (run_.length() < stride && !refill(stride))
    return 0;
  if (!checkHeader(run_.begin, 0))
    return 0;
  if (run_.length() - stride < kSmallestStride)
    stride = run_.length();
  uint64_t block = run_.begin;
  if (takesFromAbove()) {
    block = run_.end -= stride;
  } else {
    run_.begin += stride;
    if (run_.ghosts.first != 0 || run_.isLittered)
      run_.forgetHistory(block, run_.begin);
    if (run_.begin != run_.end)
      headerOf(run_.begin) = headerFor(run_.begin, 0);
  }
  headerOf(block) = headerFor(block, stride);
  if (block + stride > touched_)
    touched_ = block + stride;
  return block;
}

/// Puts equal blocks onto their stack in an order that the seed decides.
void HeapArena::carveBatch(uint64_t stride) {
  uint64_t blocks[kBatch];
  uint64_t count = 0;
  while (count < kBatch && (blocks[count] = carve(stride)) != 0) {
    uint64_t other = random() % (count + 1);
    uint64_t block = blocks[count];
    blocks[count++] = blocks[other];
    blocks[other] = block;
  }
  for (uint64_t i = 0; i < count; ++i)
    addVacant(blocks[i], strideIn(headerOf(blocks[i])));
}

/// The span is taken out already; its entry must not be seen as one of a span any more.
void HeapArena::setRun(Span span) {
  span.ghosts.prependSpan(span.begin);
  retireRun();
  run_ = span;
  if (layout_.order != HeapOrder::Up)
    run_.forgetHistory(run_.begin, run_.end);
  headerOf(run_.begin) = headerFor(run_.begin, 0);
}

void HeapArena::retireRun() {
  Span old = run_;
  run_ = {};
  if (old.length() == 0)
    return;
  old.dirtyBytes = touched_ > old.begin ? smaller(touched_, old.end) - old.begin : 0;
  addFree(old);
}

/// Free memory that is no block of the program.
void HeapArena::addFree(Span span) {
  if (isBelowRun(span.end)) {
    writeEntry(span.begin, Tag::Span, 0, 0);
    addBelowRun(span);
    return;
  }
  if (span.length() >= kSmallestRest) {
    writeEntry(span.begin, Tag::Span, 0, 0);
    spans_.add(span);
    return;
  }
  span.forgetHistory(span.begin, span.end);
  addVacant(span.begin, span.length());
}

void HeapArena::addVacant(uint64_t block, uint64_t stride) {
  if (stride >= kSmallestSpan) {
    addFree({block, block + stride, {}, stride, false});
    return;
  }
  headerOf(block) = headerFor(block, stride);
  writeEntry(block, Tag::Vacant, 0, 0);
  push(block, stride);
  if (block + stride > touched_) // whoever takes it from there does not say so
    touched_ = block + stride;
}

/// The short rest of a span beside the block that was taken from it.
void HeapArena::addRest(Span span) {
  span.forgetHistory(span.begin, span.end);
  if (isBelowRun(span.end))
    addFree(span);
  else
    Spans::addOrphan(span.begin, span.end);
}

/// Free memory that ends where the run begins, with an entry already.
void HeapArena::addBelowRun(Span span) {
  span.ghosts.prependSpan(span.begin);
  span.ghosts.append(run_.ghosts);
  span.isLittered |= run_.isLittered;
  span.end = run_.end;
  if (Span lower = spans_.takeEndingAt(span.begin); lower.begin != 0) {
    lower.ghosts.prependSpan(lower.begin);
    lower.ghosts.append(span.ghosts);
    lower.isLittered |= span.isLittered;
    lower.end = span.end;
    span = lower;
  }
  run_ = span;
  headerOf(run_.begin) = headerFor(run_.begin, 0);
  bool isLast = run_.end >= touched_;
  if (!isLast || touched_ - run_.begin <= kMostDirtyRun || layout_.freedFill != HeapLayout::kNoFill)
    return;
  // The last page stays: the header at the run's end is in it.
  uint64_t end = run_.end - kHeaderSize;
  uint64_t lastPage = end & ~(kPage - 1);
  discardPages(run_.begin, lastPage);
  if (touched_ > lastPage)
    memset(at<char>(lastPage), 0, smaller(touched_, end) - lastPage);
  touched_ = roundUp(run_.begin, kPage);
}

bool HeapArena::refill(uint64_t stride) {
  Span span = spans_.take(stride);
  if (span.begin == 0)
    return grow(stride);
  if (!checkHeader(span.begin, span.length())) {
    spans_.add(span);
    return false;
  }
  setRun(span);
  return true;
}

/// Maps memory up to `end`, and the entries that go with it.
bool HeapArena::mapTo(uint64_t end) {
  end = roundUp(end, kPage);
  if (end >= abi::kHeapLimit ||
      !entries_.growTo(abi::kHeapTables + (granuleOf(end) + 2) * sizeof(uint64_t), 0) ||
      !memory_.growTo(end, 0))
    return false;
  noteQuickWays();
  return true;
}

/// Maps memory up to `need` at least; a mark behind it stands for the next block's header.
bool HeapArena::mapMore(uint64_t need) {
  uint64_t more = mappedBytes() / 16;
  more = more < kFirstChunk ? kFirstChunk : smaller(more, kMostChunk);
  if (!mapTo(need + more) && !mapTo(need))
    return false;
  headerOf(memory_.end()) = headerFor(memory_.end(), 0);
  return true;
}

/// More memory for a run that ends where the memory does.
bool HeapArena::extendRun(uint64_t length) {
  uint64_t oldEnd = run_.end;
  if (!mapMore(run_.begin + length))
    return false;
  headerOf(oldEnd) = run_.begin == oldEnd ? headerFor(oldEnd, 0) : 0;
  run_.end = memory_.end();
  return true;
}

/// More memory; it is joined with what is free below it.
bool HeapArena::grow(uint64_t stride) {
  if (isFragmented()) {
    consolidate();
    if (Span span = spans_.take(stride); span.begin != 0) {
      setRun(span);
      return true;
    }
  }
  bool isFirst = mappedBytes() == 0;
  uint64_t oldEnd = isFirst ? kFirstBlock : memory_.end();
  bool isUp = layout_.order == HeapOrder::Up;
  if (isUp && run_.end == oldEnd)
    return extendRun(stride);
  if (!mapMore(oldEnd + stride))
    return false;
  if (Span lower = isUp ? spans_.takeEndingAt(oldEnd) : Span{}; lower.begin != 0) {
    headerOf(oldEnd) = 0;
    lower.end = memory_.end();
    setRun(lower);
    return true;
  }
  writeEntry(oldEnd, Tag::Span, 0, 0);
  setRun({oldEnd, memory_.end(), {}, 0, false});
  return true;
}

/// Turns small free blocks, all of [begin, end), into a span, or part of one, if they are enough.
void HeapArena::absorb(uint64_t begin, uint64_t end) {
  bool isSpan = end - begin >= kSmallestRest;
  if (!isSpan && !startsAs(end, entryOf(end), Tag::Span))
    return;
  for (uint64_t block = begin; block != end; block += strideIn(headerOf(block))) {
    uint64_t &entry = entryOf(block);
    if (tagOf(entry) == Tag::Orphan)
      Spans::clearFooter(block + strideIn(headerOf(block)));
    else
      smallFreeBytes_ -= strideIn(headerOf(block));
    entry = tagOf(entry) == Tag::Freed ? retagged(entry, Tag::Ghost, freeStackIn(entry)) : 0;
  }
  // Only a span of its own has room for its first block's history.
  uint64_t first = entryOf(begin);
  if (isSpan && tagOf(first) == Tag::Ghost)
    entryOf(begin) = retagged(first, Tag::Span, freeStackIn(first));
  else
    writeEntry(begin, Tag::Span, 0, 0);
  spans_.add({begin, end, {}, end - begin, true});
}

/// Forgets the items of a stack that have become part of a span.
void HeapArena::dropAbsorbed(uint64_t stride) {
  FreeStack &stack = stacks_[stride / 16];
  uint64_t kept = 0;
  for (uint64_t i = 0; i < stack.count; ++i) {
    uint32_t item = itemsOf(stride)[i];
    Tag tag = tagOf(entryAt(item));
    if (tag == Tag::Freed || tag == Tag::Vacant)
      itemsOf(stride)[kept++] = item;
  }
  stack.count = kept;
  auto items = reinterpret_cast<uint64_t>(itemsOf(stride));
  discardPages(items + kept * sizeof(uint32_t), items + stack.capacity * sizeof(uint32_t));
}

/// Small free blocks beside each other become spans, so that other sizes can use their memory.
/// Stops at a broken header: a check finds it soon enough.
void HeapArena::consolidate() {
  consolidatedAt_ = mappedBytes();
  uint64_t begin = 0;
  uint64_t block = kFirstBlock;
  while (block != memory_.end()) {
    bool isRun = block == run_.begin && run_.length() != 0;
    if (!isRun && !isHeader(block, headerOf(block)))
      break;
    Tag tag = isRun ? Tag::Interior : tagOf(entryOf(block));
    uint64_t next = isRun ? run_.end : block + strideIn(headerOf(block));
    bool isFree = tag == Tag::Freed || tag == Tag::Vacant || tag == Tag::Orphan;
    if (isFree && begin == 0)
      begin = block;
    if (!isFree && begin != 0) {
      absorb(begin, block);
      begin = 0;
    }
    block = next;
  }
  if (begin != 0)
    absorb(begin, block);
  for (uint64_t stride = kSmallestStride; stride < kSmallestSpan; stride += 16)
    dropAbsorbed(stride);
}

} // namespace culprit

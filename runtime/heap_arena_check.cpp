// What the heap checks, and what it can tell of blocks: see heap_arena.h.
#include "runtime/heap_arena.h"

namespace culprit {
namespace {

uint8_t guardByte(uint64_t place) {
  return static_cast<uint8_t>(0xb7 + place * 29);
}

/// Whether a block or free memory starts at the entry, that is, a header is there.
bool hasHeader(uint64_t entry) {
  Tag tag = tagOf(entry);
  return tag == Tag::Live || tag == Tag::Freed || tag == Tag::Vacant || tag == Tag::Span ||
         tag == Tag::Orphan;
}

} // namespace

void HeapArena::writeGuard(uint64_t block, uint64_t size) const {
  for (uint64_t place = block + size; place < block + size + layout_.guardBytes; ++place)
    *at<uint8_t>(place) = guardByte(place);
}

bool HeapArena::checkGuard(uint64_t block) {
  uint64_t begin = block + sizeIn(&entryOf(block));
  uint64_t end = begin + layout_.guardBytes;
  uint64_t place = begin;
  while (place < end && *at<uint8_t>(place) == guardByte(place))
    ++place;
  if (place == end)
    return true;
  problem_ = {abi::FailureKind::BrokenGuard, place, {place, 0, 0}, true, block, 0};
  for (uint64_t i = 0; i < 8 && place + i < end; ++i) {
    problem_.word.found |= uint64_t{*at<uint8_t>(place + i)} << i * 8;
    problem_.word.expected |= uint64_t{guardByte(place + i)} << i * 8;
  }
  return false;
}

/// A block that was freed and not allocated again holds what free has left there.
bool HeapArena::checkFreed(uint64_t block) {
  if (layout_.freedFill == HeapLayout::kNoFill)
    return true;
  uint64_t end = block + HeapLayout::filledOf(sizeIn(&entryOf(block)));
  auto wanted = static_cast<uint8_t>(layout_.freedFill);
  uint64_t place = block;
  while (place < end && *at<uint8_t>(place) == wanted)
    ++place;
  if (place == end)
    return true;
  problem_ = {
      abi::FailureKind::BrokenGuard, place, {place, *at<uint8_t>(place), wanted}, true, block, 0};
  return false;
}

bool HeapArena::checkHeader(uint64_t block, uint64_t stride) {
  return headerOf(block) == headerFor(block, stride) || breakHeader(block, stride);
}

/// Sets problem(); false.
bool HeapArena::breakHeader(uint64_t block, uint64_t stride) {
  uint64_t place = block - kHeaderSize;
  problem_ = {abi::FailureKind::BrokenHeap,
              place,
              {place, headerOf(block), headerFor(block, stride)},
              true,
              hasHistory(entryOf(block)) ? block : 0,
              startBefore(block)};
  return false;
}

/// The block was no live one; sets problem(); false.
bool HeapArena::misuse(uint64_t block) {
  problem_ = {abi::FailureKind::WildFree, block, {}, false, 0, 0};
  if (block % 16 != 0 || !isInside(block))
    return false;
  uint64_t entry = entryOf(block);
  if (hasHistory(entry) && blockIn(granuleOf(block), entry) == block) {
    problem_.kind = abi::FailureKind::DoubleFree;
    problem_.block = block;
  }
  return false;
}

/// The block is a live one, and its header, its guard and the next header are whole.
bool HeapArena::checkLive(uint64_t block) {
  if (block % 16 != 0 || !isInside(block) || !startsAs(block, entryOf(block), Tag::Live))
    return misuse(block);
  uint64_t header = headerOf(block);
  if (!isHeader(block, header))
    return breakHeader(block, trueStride(block));
  uint64_t next = block + strideIn(header);
  if (!isHeader(next, headerOf(next)))
    return breakHeader(next, trueStride(next));
  return layout_.guardBytes == 0 || checkGuard(block);
}

bool HeapArena::checkAll() {
  for (uint64_t block = kFirstBlock; mappedBytes() != 0 && block != memory_.end();) {
    if (block == run_.begin && run_.length() != 0) {
      if (!checkHeader(block, 0))
        return false;
      block = run_.end;
      continue;
    }
    uint64_t header = headerOf(block);
    if (!isHeader(block, header))
      return breakHeader(block, trueStride(block));
    Tag tag = tagOf(entryOf(block));
    if (tag == Tag::Live && layout_.guardBytes != 0 && !checkGuard(block))
      return false;
    if (tag == Tag::Freed && !layout_.reuses && !isFenced(block) && !checkFreed(block))
      return false;
    block += strideIn(header);
  }
  return true;
}

/// A block's stride by the table alone: the way to what has a header next. The run and the end of
/// memory count as 0 long, as their headers say.
uint64_t HeapArena::trueStride(uint64_t block) const {
  if (block == memory_.end() || (block == run_.begin && run_.length() != 0))
    return 0;
  uint64_t end = memory_.end();
  if (run_.begin > block && run_.begin < end)
    end = run_.begin;
  for (uint64_t granule = granuleOf(block) + 1; granule < granuleOf(end); ++granule)
    if (uint64_t entry = entryAt(granule); hasHeader(entry))
      return blockIn(granule, entry) - block;
  return end - block;
}

/// The program's block in front of `block`, or 0.
uint64_t HeapArena::startBefore(uint64_t block) const {
  for (uint64_t granule = granuleOf(block); granule-- > 0;)
    if (uint64_t entry = entryAt(granule); hasHeader(entry) || hasHistory(entry))
      return hasHistory(entry) ? blockIn(granule, entry) : 0;
  return 0;
}

bool HeapArena::describeStart(uint64_t block, abi::FailureBlock &out) const {
  if (!isInside(block))
    return false;
  const uint64_t *entry = &entryOf(block);
  if (!hasHistory(*entry))
    return false;
  bool isLive = tagOf(*entry) == Tag::Live;
  out = {blockIn(granuleOf(block), *entry),
         sizeIn(entry),
         {},
         {},
         isLive ? abi::BlockState::Live : abi::BlockState::Freed,
         0};
  depot_.read(static_cast<uint32_t>(allocStackIn(*entry)), out.allocatedAt);
  depot_.read(static_cast<uint32_t>(freeStackIn(*entry)), out.freedAt);
  return true;
}

bool HeapArena::describe(uint64_t address, abi::FailureBlock &out) const {
  if (mappedBytes() == 0 || address < abi::kHeapBase || address >= abi::kHeapLimit)
    return false;
  uint64_t last = granuleOf(memory_.end()) - 1;
  uint64_t from = granuleOf(address) < last ? granuleOf(address) : last;
  uint64_t before = 0;
  for (uint64_t granule = from + 1; granule-- > 0 && before == 0;)
    if (uint64_t entry = entryAt(granule); hasHistory(entry) && blockIn(granule, entry) <= address)
      before = blockIn(granule, entry);
  uint64_t end = before == 0 ? 0 : before + sizeIn(&entryOf(before));
  if (before != 0 && address < end)
    return describeStart(before, out);
  uint64_t after = 0;
  for (uint64_t granule = from; granule <= last && after == 0; ++granule)
    if (uint64_t entry = entryAt(granule); hasHistory(entry) && blockIn(granule, entry) > address)
      after = blockIn(granule, entry);
  bool isNearer = after != 0 && (before == 0 || after - address < address - end + 1);
  return (isNearer || before != 0) && describeStart(isNearer ? after : before, out);
}

} // namespace culprit

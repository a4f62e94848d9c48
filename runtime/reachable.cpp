// See reachable.h.
#include "runtime/reachable.h"

#include "runtime/frames.h"
#include "runtime/heap.h"
#include "runtime/hooks.h"
#include "runtime/safe_read.h"

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kMostGlobals = 256 * 1024; ///< to either side of a pointer into globals
constexpr uint32_t kMostFrames = 256;

bool isGlobal(uint64_t pointer) {
  if (pointer >= abi::kDataBase && pointer < abi::kStateBase)
    return true;
  uint64_t inLibraries = pointer - abi::kLibraryBase;
  return inLibraries < 1024 * abi::kLibraryDistance &&
         inLibraries % abi::kLibraryDistance >= abi::kLibraryDataDistance;
}

/// The mapped memory around a global.
MemoryRange mappedAround(uint64_t pointer) {
  uint64_t page = pointer & ~(kPage - 1);
  MemoryRange range{page, page};
  while (range.begin > page - kMostGlobals && isGlobal(range.begin - kPage) &&
         isReadable(range.begin - kPage))
    range.begin -= kPage;
  while (range.end < page + kMostGlobals && isGlobal(range.end) && isReadable(range.end))
    range.end += kPage;
  return range;
}

/// What the executable has stays mapped, so it is not asked for at each call.
MemoryRange globalsAround(uint64_t pointer) {
  static MemoryRange known;
  if (known.begin <= pointer && pointer < known.end)
    return known;
  MemoryRange range = mappedAround(pointer);
  bool isOfExecutable = range.begin >= abi::kDataBase && range.end <= abi::kStateBase;
  if (isOfExecutable && range.end - range.begin < kMostGlobals)
    known = range;
  return range;
}

MemoryRange frameAround(uint64_t pointer) {
  abi::FailureFrame frame;
  return findFrame(pointer, frame) ? MemoryRange{frame.address, frame.address + frame.size}
                                   : MemoryRange{0, 0};
}

MemoryRange blockAround(uint64_t pointer) {
  abi::FailureBlock block;
  if (describeBlock(pointer, block) && block.state == abi::BlockState::Live &&
      pointer - block.address <= block.size)
    return {block.address, block.address + block.size};
  return {0, 0};
}

} // namespace

bool findFrame(uint64_t address, abi::FailureFrame &frame) {
  abi::FailureFrame frames[kMostFrames];
  uint32_t count = walkFrames(reinterpret_cast<uint64_t>(__culprit_frames), frames, kMostFrames);
  for (uint32_t i = 0; i < count; ++i)
    if (address - frames[i].address < frames[i].size) {
      frame = frames[i];
      return true;
    }
  return false;
}

uint64_t Reachable::countUpTo(uint64_t address) const {
  uint64_t low = 0;
  uint64_t high = count_;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (ranges_[byBegin_[middle]].begin <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool Reachable::holds(uint64_t address) const {
  uint64_t place = countUpTo(address);
  return place != 0 && address < ranges_[byBegin_[place - 1]].end;
}

void Reachable::add(MemoryRange range) {
  uint64_t place = countUpTo(range.begin);
  if ((place != 0 && range.begin < ranges_[byBegin_[place - 1]].end) ||
      (place != count_ && ranges_[byBegin_[place]].begin < range.end))
    return;
  uint64_t size = range.end - range.begin;
  if (count_ == kMost || bytes_ + size > kMostBytes) {
    isPartial_ = true;
    return;
  }
  __builtin_memmove(byBegin_ + place + 1, byBegin_ + place, (count_ - place) * sizeof *byBegin_);
  byBegin_[place] = static_cast<uint16_t>(count_);
  ranges_[count_++] = range;
  bytes_ += size;
}

void Reachable::addPointer(uint64_t pointer) {
  bool isHeap = isHeapAddress(reinterpret_cast<void *>(pointer));
  bool isFrame = isFrameAddress(reinterpret_cast<void *>(pointer));
  if ((!isHeap && !isFrame && !isGlobal(pointer)) || holds(pointer))
    return;
  MemoryRange range = isHeap    ? blockAround(pointer)
                      : isFrame ? frameAround(pointer)
                                : globalsAround(pointer);
  if (range.begin != range.end)
    add(range);
}

void Reachable::follow(const uint64_t *pointers, uint64_t count) {
  for (uint64_t i = 0; i < count; ++i)
    addPointer(pointers[i]);
  for (uint64_t i = 0; i < count_; ++i)
    for (uint64_t word = (ranges_[i].begin + 7) & ~uint64_t{7}; word + 8 <= ranges_[i].end;
         word += 8)
      addPointer(*reinterpret_cast<const uint64_t *>(word));
}

void Reachable::takeAll() {
  addPointer(abi::kDataBase);
  addPointer(abi::kBssBase);
  addPointer(abi::kFarBssBase);
  addPointer(abi::kLibraryVariables);
  addPointer(abi::kLibraryData);
  addPointer(abi::kLibraryZeroes);
  for (uint64_t library = 0; library < 1024; ++library) {
    uint64_t base = abi::kLibraryBase + library * abi::kLibraryDistance;
    constexpr uint64_t kDistances[] = {abi::kLibraryDataDistance, abi::kLibraryBssDistance,
                                       abi::kFarLibraryDataDistance, abi::kFarLibraryBssDistance};
    for (uint64_t distance : kDistances)
      if (isReadable(base + distance))
        add(globalsAround(base + distance));
  }
  abi::FailureFrame frames[kMostFrames];
  uint32_t count = walkFrames(reinterpret_cast<uint64_t>(__culprit_frames), frames, kMostFrames);
  for (uint32_t i = 0; i < count; ++i)
    add({frames[i].address, frames[i].address + frames[i].size});
  uint64_t begin = abi::kHeapBase;
  uint64_t end = begin + heapUse().mapped;
  if (begin != end)
    add({begin, end});
}

} // namespace culprit

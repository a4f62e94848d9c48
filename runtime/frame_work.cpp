// See frame_work.h. A broken guard ends the program where it is found: at the return of the
// function whose buffer ran over, or at exit for globals.
#include "runtime/frame_work.h"

#include "abi/frame_work.h"
#include "runtime/failure.h"
#include "runtime/frames.h"
#include "runtime/hooks.h"
#include "runtime/suppress/reads.h"
#include "runtime/system.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

namespace culprit {
namespace {

const abi::FrameWork *g_frames;
uint64_t g_frameCount;
const abi::GuardWork *g_guards;
uint64_t g_blockGuard, g_blockFront, g_blockRoom; ///< of blocks of a variable size
int g_fill = -1;                                  ///< byte for uninitialised locals; negative: none

/// Where a global's guard words are, relative to the first row; the linker script writes these.
struct GlobalGuard {
  int64_t distance;
  uint64_t size;
};

constexpr uint64_t kMostImages = 1024;
struct GuardRange {
  const GlobalGuard *begin;
  const GlobalGuard *end;
} g_ranges[kMostImages];
uint64_t g_rangeCount;

const abi::FrameWork *workFor(uint64_t function) {
  uint64_t low = 0;
  uint64_t high = g_frameCount;
  while (low < high) {
    uint64_t middle = (low + high) / 2;
    if (g_frames[middle].function < function)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g_frameCount && g_frames[low].function == function ? &g_frames[low] : nullptr;
}

void placeGuard(char *guard, uint64_t size) {
  memset(guard, abi::kGuardByte, size);
  noteGuard(reinterpret_cast<uint64_t>(guard), size);
}

bool isBroken(char byte) {
  return static_cast<unsigned char>(byte) != abi::kGuardByte;
}

/// Of guard words that were overwritten, the byte next to the object that was run over: what walks
/// down from the one behind them has broken their end first. Null: they are whole.
const char *firstBroken(const char *guard, uint64_t size) {
  if (size != 0 && !isBroken(guard[0]) && isBroken(guard[size - 1]))
    return guard + size - 1;
  for (uint64_t i = 0; i < size; ++i)
    if (isBroken(guard[i]))
      return guard + i;
  return nullptr;
}

const char *firstBrokenIn(const char *frame, const abi::FrameWork &work) {
  const char *broken = nullptr;
  for (uint32_t i = 0; i < work.guardCount && !broken; ++i) {
    const abi::GuardWork &guard = g_guards[work.firstGuard + i];
    broken = firstBroken(frame + guard.offset, guard.size);
  }
  return broken;
}

abi::FrameNote &noteAt(uint64_t frame) {
  return *reinterpret_cast<abi::FrameNote *>(frame + abi::kNoteDistance);
}

const abi::GapNote &gapAt(uint64_t gap) {
  return reinterpret_cast<const abi::GapNote &>(noteAt(gap));
}

/// Of what is free beside a block of a variable size: the first of `guarded` bytes is `from`.
void placeGap(uint64_t begin, uint64_t end, uint64_t from, uint64_t guarded) {
  if (begin == end)
    return;
  reinterpret_cast<abi::GapNote &>(noteAt(begin)) = {{abi::kGapNote, end - begin}, from, guarded};
  placeGuard(pointerTo<char>(from), guarded);
}

const char *firstBrokenIn(const abi::GapNote &gap) {
  return firstBroken(pointerTo<const char>(gap.guard), gap.bytes);
}

/// Beside the blocks from the innermost one up to `end`.
const char *firstBrokenBelow(uint64_t end) {
  const char *broken = nullptr;
  for (auto top = reinterpret_cast<uint64_t>(__culprit_frames); top < end && !broken;
       top += noteAt(top).size) {
    if (noteAt(top).function == abi::kGapNote)
      broken = firstBrokenIn(gapAt(top));
    if (noteAt(top).size == 0)
      break;
  }
  return broken;
}

const char *firstBrokenGlobal() {
  for (uint64_t i = 0; i < g_rangeCount; ++i)
    for (const GlobalGuard *row = g_ranges[i].begin; row < g_ranges[i].end; ++row)
      if (const char *broken = firstBroken(
              reinterpret_cast<const char *>(g_ranges[i].begin) + row->distance, row->size))
        return broken;
  return nullptr;
}

abi::FailureWord wordAt(const char *broken) {
  return {reinterpret_cast<uint64_t>(broken), static_cast<unsigned char>(*broken), abi::kGuardByte};
}

[[noreturn]] void failGuard(const char *broken, const void *pc) {
  abi::FailureWord word = wordAt(broken);
  Finding finding = {};
  finding.kind = abi::FailureKind::BrokenGuard;
  finding.address = word.address;
  finding.pc = pc;
  finding.words = &word;
  finding.wordCount = 1;
  fail(finding, SIGABRT);
}

__attribute__((destructor(101))) void checkGlobalGuards() {
  if (const char *broken = firstBrokenGlobal())
    failGuard(broken, __builtin_return_address(0));
}

} // namespace

bool isGuardWord(uint64_t address) {
  for (uint64_t i = 0; i < g_rangeCount; ++i)
    for (const GlobalGuard *row = g_ranges[i].begin; row < g_ranges[i].end; ++row)
      if (address - (reinterpret_cast<uint64_t>(g_ranges[i].begin) + row->distance) < row->size)
        return true;
  abi::FailureFrame frames[abi::kMostFrames];
  uint32_t count =
      walkFrames(reinterpret_cast<uint64_t>(__culprit_frames), frames, abi::kMostFrames);
  for (uint32_t i = 0; i < count; ++i)
    if (frames[i].function == abi::kGapNote) {
      const abi::GapNote &gap = gapAt(frames[i].address);
      if (address - gap.guard < gap.bytes)
        return true;
    } else if (const abi::FrameWork *work = workFor(frames[i].function))
      for (uint32_t k = 0; k < work->guardCount; ++k)
        if (const abi::GuardWork &guard = g_guards[work->firstGuard + k];
            address - (frames[i].address + guard.offset) < guard.size)
          return true;
  return false;
}

bool findBrokenGuard(const abi::FailureFrame *frames, uint64_t count, abi::FailureWord &word) {
  const char *broken = firstBrokenGlobal();
  for (uint64_t i = 0; i < count && !broken; ++i)
    if (frames[i].function == abi::kGapNote)
      broken = firstBrokenIn(gapAt(frames[i].address));
    else if (const abi::FrameWork *work = workFor(frames[i].function))
      broken = firstBrokenIn(pointerTo<const char>(frames[i].address), *work);
  if (broken)
    word = wordAt(broken);
  return broken != nullptr;
}

void startFrameWork(const char *file, int uninitialisedByte) {
  g_fill = uninitialisedByte;
  if (uninitialisedByte >= 0)
    memset(&__culprit_uninitialised, uninitialisedByte, sizeof __culprit_uninitialised);
  __culprit_fills_locals = uninitialisedByte >= 0;
  if (!file)
    return;
  long fd = rawSyscall(SYS_open, address(file), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;
  struct stat status = {};
  long mapped = -1;
  if (rawSyscall(SYS_fstat, fd, address(&status)) == 0)
    mapped = rawSyscall(SYS_mmap, 0, status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  rawSyscall(SYS_close, fd);
  auto *header = reinterpret_cast<const abi::FrameWorkHeader *>(mapped);
  if ((mapped < 0 && mapped > -4096) || header->magic != abi::kFrameWorkMagic)
    return;
  g_frames = reinterpret_cast<const abi::FrameWork *>(header + 1);
  g_frameCount = header->frameCount;
  g_guards = reinterpret_cast<const abi::GuardWork *>(g_frames + g_frameCount);
  g_blockGuard = header->guard;
  g_blockFront = header->front;
  g_blockRoom = header->room;
  __culprit_frame_work = 1;
}

void placeGlobalGuards(const ImageRecord &image) {
  auto *begin = static_cast<const GlobalGuard *>(image.guardsBegin);
  auto *end = static_cast<const GlobalGuard *>(image.guardsEnd);
  if (begin == end || g_rangeCount == kMostImages)
    return;
  g_ranges[g_rangeCount++] = {begin, end};
  for (const GlobalGuard *row = begin; row < end; ++row)
    placeGuard(const_cast<char *>(reinterpret_cast<const char *>(begin) + row->distance),
               row->size);
}

void __culprit_enter_frame(Ptr frame, I64 function) {
  const abi::FrameWork *work = workFor(function);
  if (!work)
    return;
  char *start = static_cast<char *>(frame);
  if (g_fill >= 0) {
    memset(start, g_fill, work->returnSlot);
    memset(start + work->returnSlot + 8, g_fill, work->size - work->returnSlot - 8);
  }
  for (uint32_t i = 0; i < work->guardCount; ++i)
    placeGuard(start + g_guards[work->firstGuard + i].offset, g_guards[work->firstGuard + i].size);
}

void __culprit_leave_frame(Ptr frame, I64 function) {
  const abi::FrameWork *work = workFor(function);
  const char *broken = firstBrokenBelow(reinterpret_cast<uint64_t>(frame));
  if (work && !broken)
    broken = firstBrokenIn(static_cast<char *>(frame), *work);
  if (broken)
    failGuard(broken, __builtin_return_address(0));
}

Ptr __culprit_place_block(Ptr older, I64 bytes, I64 alignment) {
  auto end = reinterpret_cast<uint64_t>(older);
  auto rounded = [](uint64_t gap) { return (gap + 31) & ~uint64_t{31}; }; // a note has room there
  uint64_t behind = g_blockGuard + g_blockRoom;
  uint64_t block = (end - rounded(behind) - bytes) & -alignment;
  uint64_t used = block + ((bytes + 15) & ~uint64_t{15});
  uint64_t begin = block - rounded(g_blockFront);
  __culprit_frames = reinterpret_cast<Ptr>(begin);
  if (g_fill >= 0)
    memset(pointerTo<char>(block), g_fill, bytes);
  if (behind == 0)
    used = end;
  noteAt(block) = {abi::kBlockNote, used - block};
  placeGap(used, end, block + bytes, g_blockGuard);
  placeGap(begin, block, block - g_blockFront, g_blockFront);
  return reinterpret_cast<Ptr>(block);
}

void __culprit_leave_blocks(Ptr older) {
  if (const char *broken = firstBrokenBelow(reinterpret_cast<uint64_t>(older)))
    failGuard(broken, __builtin_return_address(0));
}

} // namespace culprit

// The stacks of frames (abi/memory_map.h): made for a thread when it enters its first frame.
//
// They are in the thread's slot (thread_slots.h). Memory is mapped as far as the stack limit says
// and committed by the kernel as it is used; around it nothing is mapped.
#include "runtime/frames.h"

#include "abi/memory_map.h"
#include "runtime/failure.h"
#include "runtime/hooks.h"
#include "runtime/system.h"
#include "runtime/thread_slots.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

namespace culprit {

__thread Ptr __culprit_frames __attribute__((tls_model("initial-exec")));
I64 __culprit_frame_work;

namespace {

/// Above the first frame: what is there natively is the caller of main, arguments and environment.
constexpr uint64_t kAboveFirst = 16384;
constexpr uint64_t kLeast = 8 << 20;
constexpr uint64_t kMost = 1 << 30;
constexpr uint64_t kTooLittle = 256 << 10;

__thread uint64_t t_first __attribute__((tls_model("initial-exec")));  ///< where the stack starts
__thread uint64_t t_lowest __attribute__((tls_model("initial-exec"))); ///< first that is mapped

uint64_t stackSize() {
  struct rlimit limit = {};
  if (rawSyscall(SYS_prlimit64, 0, RLIMIT_STACK, 0, address(&limit)) != 0)
    return kLeast;
  uint64_t wanted = limit.rlim_cur == RLIM_INFINITY ? kMost : limit.rlim_cur * 2;
  wanted = wanted < kLeast ? kLeast : wanted > kMost ? kMost : wanted;
  return wanted & ~uint64_t{4095};
}

/// Maps a slot's frames and notes, less than wanted under a limit on address space. Returns how
/// much; 0 when there is no room.
uint64_t mapFrames(uint64_t slot) {
  uint64_t &mapped = memoryOf(slot).frames;
  uint64_t end = framesEnd(slot);
  for (uint64_t size = stackSize(); mapped == 0 && size >= kTooLittle;
       size = size / 2 & ~uint64_t{4095}) {
    if (!mapForSlot(end - size, size))
      continue;
    if (mapForSlot(end - size + abi::kNoteDistance, size))
      mapped = size;
    else
      rawSyscall(SYS_munmap, static_cast<long>(end - size), static_cast<long>(size));
  }
  return mapped;
}

[[noreturn]] void giveUp(const char *message, size_t size) {
  rawSyscall(SYS_write, 2, address(message), static_cast<long>(size));
  rawSyscall(SYS_exit_group, 125);
  __builtin_unreachable();
}

} // namespace

Ptr __culprit_first_frame() {
  if (t_first == 0) {
    static const char tooMany[] =
        "culprit: error: the program has more than 4096 threads at once, for which there is no "
        "room\n";
    static const char tooLittle[] =
        "culprit: error: there is no room for the program's locals; raise the limit on address "
        "space (ulimit -v) or lower the limit on stack size (ulimit -s)\n";
    uint64_t slot = ownSlot() != kNoSlot ? ownSlot() : claimSlotForStranger();
    if (slot == kNoSlot)
      giveUp(tooMany, sizeof tooMany - 1);
    uint64_t end = framesEnd(slot);
    uint64_t size = mapFrames(slot);
    if (size == 0)
      giveUp(tooLittle, sizeof tooLittle - 1);
    t_first = end - kAboveFirst;
    memoryOf(slot).innermost = &__culprit_frames;
    t_lowest = end - size;
  }
  __culprit_frames = reinterpret_cast<Ptr>(t_first);
  return __culprit_frames;
}

uint64_t lowestFrame() {
  return t_lowest;
}

bool isBelowFrames(uint64_t where) {
  if (t_first == 0)
    return false;
  // If all frames fit, the next one may not, if there is not much left. Farther away it is a
  // pointer to a local that has gone down too far, or half of which was overwritten.
  constexpr uint64_t kMargin = 1 << 20;
  auto top = reinterpret_cast<uint64_t>(__culprit_frames);
  if (top >= t_lowest + kMargin)
    return false;
  uint64_t least = t_lowest - (t_lowest - abi::kThreadSlots) % abi::kThreadSlotSize;
  if (top >= t_lowest && t_lowest - least > kMargin)
    least = t_lowest - kMargin;
  auto isBelow = [&](uint64_t place) { return place >= least && place < t_lowest; };
  return isBelow(where) || isBelow(where - abi::kNoteDistance);
}

namespace {

const abi::FrameNote &noteAt(uint64_t frame) {
  return *reinterpret_cast<const abi::FrameNote *>(frame + abi::kNoteDistance);
}

/// Whether frames lead from here to the first one.
bool isFrame(uint64_t top) {
  while (top < t_first && noteAt(top).size != 0 && noteAt(top).size <= t_first - top &&
         noteAt(top).size % 16 == 0)
    top += noteAt(top).size;
  return top == t_first;
}

/// The innermost frame that is there, when one was entered for which there was no room.
uint64_t lastThatFits() {
  uint64_t top = t_lowest;
  while (top < t_first && !isFrame(top))
    top += 16;
  return top;
}

} // namespace

void makeRoomForHandler() {
  constexpr uint64_t kRoom = 256 << 10;
  auto top = reinterpret_cast<uint64_t>(__culprit_frames);
  if (t_first == 0 || top >= t_lowest + kRoom / 2)
    return;
  if (top < t_lowest)
    __culprit_frames = reinterpret_cast<Ptr>(lastThatFits());
  if (mapForSlot(t_lowest - kRoom, kRoom) &&
      mapForSlot(t_lowest - kRoom + abi::kNoteDistance, kRoom)) {
    t_lowest -= kRoom;
    memoryOf(ownSlot()).frames += kRoom;
  }
}

void visitFrames(void (*visit)(void *begin, void *end)) {
  for (uint64_t slot = 0; slot < abi::kMostThreads; ++slot) {
    const SlotMemory &memory = memoryOf(slot);
    if (!memory.innermost || !isTaken(slot))
      continue;
    auto *top = static_cast<char *>(*memory.innermost);
    uint64_t size = framesEnd(slot) - reinterpret_cast<uint64_t>(top);
    if (size != 0 && size <= memory.frames)
      visit(top, top + size);
  }
}

uint32_t walkFrames(uint64_t top, abi::FailureFrame *frames, uint32_t most) {
  uint32_t count = 0;
  if (top != 0 && top < t_lowest)
    top = lastThatFits();
  while (top != 0 && top < t_first && count < most) {
    const abi::FrameNote &note = noteAt(top);
    if (note.size == 0 || note.size > t_first - top)
      break;
    frames[count++] = {top, note.function, note.size};
    top += note.size;
  }
  return count;
}

void __culprit_broken_return(Ptr slot, I64 expected) {
  abi::FailureWord word = {reinterpret_cast<uint64_t>(slot), *static_cast<uint64_t *>(slot),
                           expected};
  Finding finding = {};
  finding.kind = abi::FailureKind::BrokenReturn;
  finding.address = word.address;
  finding.pc = __builtin_return_address(0);
  finding.words = &word;
  finding.wordCount = 1;
  fail(finding, SIGSEGV);
}

} // namespace culprit

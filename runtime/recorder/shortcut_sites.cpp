// The places of the program's code that are changed; see shortcut.h.
//
// libc has a comparison behind almost every `syscall`, and there is room for a jump in both:
//
//     syscall                      jmp slot                 slot: to the recorder, and then
//     cmp $-4096, %rax       ->    (two or three bytes)           cmp $-4096, %rax
//     ja error                     ja error                       jmp to `ja error`
//
// Somebody may jump to the comparison, or return to it from a handler. So a slot is where the third
// byte of the jump to it is no instruction: that traps, and the program goes on in the slot.
// Nothing else of the program's is touched; other places keep their signal.
#include "abi/memory_map.h"
#include "runtime/recorder/bytes.h"
#include "runtime/recorder/shortcut.h"

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void __culprit_shortcut();
}
// NOLINTEND(bugprone-reserved-identifier)

namespace culprit {
namespace {

constexpr uint64_t kPage = 4096;
constexpr unsigned char kNoInstruction = 0x06;
constexpr uint64_t kCallSize = 2;
constexpr uint64_t kJumpSize = 5;
constexpr int kOften = 8; ///< so many times by signal, and a place is changed

struct Seen {
  uint64_t next;
  int count;
};
constexpr uint64_t kMostSeen = 256;
Seen g_seen[kMostSeen];

constexpr uint64_t kMostSlots = 512;
const Slot *g_slots[kMostSlots];
uint64_t g_slotCount;

/// Slots for code within so many bytes: jumps reach no further.
constexpr uint64_t kReach = 0x8000'0000;
constexpr uint64_t kAreaPlace = 0x4000'0000;
constexpr uint64_t kWindow = 0x1'0000; ///< in each, there are 256 bytes where a slot can be
constexpr uint64_t kWindows = 16;
constexpr uint64_t kAreaSize = kWindows * kWindow + kPage;
constexpr uint64_t kMostAreas = 16;
uint64_t g_areas[kMostAreas];
uint64_t g_areaCount;

struct Code {
  uint64_t begin;
  uint64_t size;
};
constexpr uint64_t kMostCode = 8;
Code g_code[kMostCode];
uint64_t g_codeCount;

uint32_t g_isAllowed; ///< slots look at it
void (*g_enter)() = __culprit_shortcut;

bool isBetween(uint64_t place, uint64_t begin, uint64_t end) {
  return place >= begin && place < end;
}

/// Code that was there when the program started; not what it makes itself.
bool isLoadedCode(uint64_t place) {
  for (uint64_t i = 0; i < g_codeCount; ++i)
    if (place - g_code[i].begin < g_code[i].size)
      return true;
  return isBetween(place, abi::kLoaderBase, abi::kLoaderBase + kAreaPlace) ||
         isBetween(place, abi::kLibraryBase, abi::kHeapBase) ||
         isBetween(place, abi::kHeapLimit, abi::kFenceOfUnlimitedStack) ||
         isBetween(place, abi::kMappingsLimit, abi::kFence);
}

/// The size of the comparison at `code`; 0: it is none.
uint64_t comparisonAt(const unsigned char *code) {
  uint64_t prefix = code[0] == 0x48 ? 1 : 0;
  const unsigned char *number = code + prefix + 1;
  bool isThere = code[prefix] == 0x3d && number[0] <= 1 && number[1] == 0xf0 && number[2] == 0xff &&
                 number[3] == 0xff;
  return isThere ? prefix + 5 : 0;
}

/// Where the slots for code at `place` are, made if need be; 0: they cannot be had.
uint64_t areaFor(uint64_t place) {
  uint64_t area = (place & ~(kReach - 1)) + kAreaPlace;
  for (uint64_t i = 0; i < g_areaCount; ++i)
    if (g_areas[i] == area)
      return area;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  if (g_areaCount == kMostAreas || rawSyscall(SYS_mmap, toLong(area), kAreaSize,
                                              PROT_READ | PROT_EXEC, kFlags, -1, 0) != toLong(area))
    return 0;
  g_areas[g_areaCount++] = area;
  return area;
}

/// A free slot such that a jump to it at `place` has the byte that is no instruction.
Slot *findSlot(uint64_t place) {
  uint64_t area = areaFor(place);
  uint64_t first = (place + kJumpSize + (uint64_t{kNoInstruction} << 8)) % kWindow;
  for (uint64_t i = 0; area != 0 && i < kWindows; ++i) {
    uint64_t begin = area + i * kWindow + first;
    uint64_t at = (begin + alignof(Slot) - 1) & ~(alignof(Slot) - 1);
    for (; at < begin + 256; at += sizeof(Slot))
      if (auto *slot = pointerTo<Slot>(at); slot->next == 0)
        return slot;
  }
  return nullptr;
}

/// Code stays code: a system that forbids to write to it does so before anything is changed.
bool protect(uint64_t place, uint64_t size, int protection) {
  uint64_t begin = place & ~(kPage - 1);
  return rawSyscall(SYS_mprotect, toLong(begin), toLong(place + size - begin),
                    PROT_READ | PROT_EXEC | protection) == 0;
}

void putNumber(unsigned char *to, uint64_t number) {
  auto low = static_cast<uint32_t>(number);
  copyBytes(to, &low, sizeof low);
}

/// Puts a jump to `target` at `place`.
void putJump(unsigned char *place, uint64_t target) {
  place[0] = 0xe9;
  putNumber(place + 1, target - placeOf(place) - kJumpSize);
}

void fill(Slot &slot, uint64_t next, uint64_t comparison) {
  static constexpr unsigned char kEnter[sizeof slot.enter] = {
      0x8b, 0x0c, 0x25, 0,    0,    0,    0,    // movl g_isAllowed, %ecx
      0xe3, 0x0e,                               // jrcxz to the call
      0x48, 0x8d, 0x0d, 0xf0, 0xff, 0xff, 0xff, // leaq slot(%rip), %rcx
      0xff, 0x24, 0x25, 0,    0,    0,    0};   // jmp *g_enter
  copyBytes(slot.enter, kEnter, sizeof kEnter);
  putNumber(slot.enter + 3, placeOf(&g_isAllowed));
  putNumber(slot.enter + 19, placeOf(&g_enter));
  copyBytes(slot.call, pointerTo<char>(next - kCallSize), kCallSize);
  copyBytes(slot.rest, pointerTo<char>(next), comparison);
  putJump(slot.rest + comparison, next + comparison);
  slot.next = next;
}

/// Changes the call that ends at `next`, if that can be done.
void change(uint64_t next) {
  uint64_t place = next - kCallSize;
  uint64_t comparison = comparisonAt(pointerTo<const unsigned char>(next));
  if (comparison == 0 || g_slotCount == kMostSlots)
    return;
  Slot *slot = findSlot(place);
  if (!slot || !protect(placeOf(slot), sizeof *slot, PROT_WRITE))
    return;
  if (protect(place, kJumpSize, PROT_WRITE)) {
    fill(*slot, next, comparison);
    putJump(pointerTo<unsigned char>(place), placeOf(slot));
    protect(place, kJumpSize, 0);
    g_slots[g_slotCount++] = slot;
  }
  protect(placeOf(slot), sizeof *slot, 0);
}

uint64_t placeIn(const ucontext_t *context) {
  return static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
}

} // namespace

void noteSignalled(const ucontext_t *context) {
  uint64_t next = placeIn(context);
  Seen &seen = g_seen[next % kMostSeen];
  if (seen.next != next)
    seen = {next, 0};
  if (seen.count <= kOften)
    ++seen.count;
  if (seen.count == kOften && isLoadedCode(next))
    change(next);
}

const Slot *hideSlot(ucontext_t *context) {
  uint64_t place = placeIn(context);
  for (uint64_t i = 0; i < g_areaCount; ++i)
    if (place - g_areas[i] < kAreaSize) {
      const auto *slot = pointerTo<const Slot>(place - offsetof(Slot, rest));
      context->uc_mcontext.gregs[REG_RIP] = toLong(slot->next);
      context->uc_mcontext.gregs[REG_RCX] = toLong(slot->next);
      return slot;
    }
  return nullptr;
}

void showSlot(const Slot &slot, ucontext_t *context) {
  if (placeIn(context) == slot.next)
    context->uc_mcontext.gregs[REG_RIP] = toLong(placeOf(slot.rest));
}

bool moveToSlot(ucontext_t *context) {
  for (uint64_t i = 0; i < g_slotCount; ++i)
    if (g_slots[i]->next == placeIn(context)) {
      showSlot(*g_slots[i], context);
      return true;
    }
  return false;
}

void addProgramCode(uint64_t begin, uint64_t size) {
  if (g_codeCount < kMostCode)
    g_code[g_codeCount++] = {begin, size};
}

void allowShortcuts(bool isAllowed) {
  g_isAllowed = isAllowed ? 1 : 0;
}

} // namespace culprit

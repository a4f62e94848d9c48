// See shadow.h.
#include "runtime/suppress/shadow.h"

#include "abi/origins.h"
#include "runtime/heap_memory.h"
#include "runtime/hooks.h"
#include "runtime/kernel_signals.h"
#include "runtime/safe_read.h"
#include "runtime/suppress/mixed.h"
#include "runtime/suppress/traces.h"
#include "runtime/system.h"

#include <signal.h>
#include <sys/mman.h>

namespace culprit {
namespace {

constexpr uint64_t kStretch = 1 << 20;
constexpr uint64_t kHalf = (abi::kShadowMask + 8) / 2; ///< of the addresses: two have one shadow

uint64_t &wordFor(uint64_t address) {
  return *pointerTo<uint64_t>(abi::shadowOf(address));
}

uint64_t younger(uint64_t a, uint64_t b) {
  uint64_t flags = (a | b) & (abi::kOriginCorrupt | abi::kOriginStale);
  bool isFirst = abi::timeOfOrigin(a) >= abi::timeOfOrigin(b);
  return (isFirst ? a : b) | flags;
}

/// Gives each byte of a granule a word of its own, unless it has.
void separate(uint64_t granule) {
  uint64_t &word = wordFor(granule);
  if ((word & abi::kOriginMixed) != 0)
    return;
  uint64_t *bytes = mixedOrigins(granule);
  for (uint64_t i = 0; i < abi::kGranule; ++i)
    bytes[i] = word;
  word = abi::kOriginMixed;
}

void setPart(uint64_t address, uint64_t size, uint64_t origin) {
  uint64_t granule = address & ~(abi::kGranule - 1);
  uint64_t &word = wordFor(granule);
  if (word == origin)
    return;
  separate(granule);
  uint64_t *bytes = mixedOrigins(granule);
  for (uint64_t i = 0; i < size; ++i)
    bytes[address - granule + i] = origin;
  bool isOne = true;
  for (uint64_t i = 1; i < abi::kGranule; ++i)
    isOne &= bytes[i] == bytes[0];
  if (isOne)
    word = bytes[0];
}

/// What the runtime itself does to a watched word is not of interest.
void onEarlyFault(int signal, siginfo_t *info, void *) {
  if (signal == SIGTRAP && info->si_code == TRAP_HWBKPT)
    return;
  if (signal == SIGSEGV && makeShadow(reinterpret_cast<uint64_t>(info->si_addr)))
    return;
  KernelAction byDefault = {};
  rawSyscall(SYS_rt_sigaction, signal, culprit::address(&byDefault), 0, kMaskSize);
}

extern "C" void __culprit_early_return();
asm(R"(
  .text
  .hidden __culprit_early_return
  .globl __culprit_early_return
__culprit_early_return:
  movq $15, %rax
  syscall
)");

} // namespace

void startShadows() {
  constexpr uint64_t kRestorer = 0x0400'0000;
  KernelAction action = {reinterpret_cast<uint64_t>(&onEarlyFault), SA_SIGINFO | kRestorer,
                         reinterpret_cast<uint64_t>(&__culprit_early_return), 0};
  constexpr int kSignals[] = {SIGSEGV, SIGTRAP};
  for (int signal : kSignals)
    rawSyscall(SYS_rt_sigaction, signal, culprit::address(&action), 0, kMaskSize);
}

bool makeShadow(uint64_t address) {
  uint64_t memory = ((address - abi::kShadowBase) & abi::kShadowMask) / 2;
  if (!isReadable(memory & ~uint64_t{7}) && !isReadable((memory + kHalf) & ~uint64_t{7}))
    return false;
  uint64_t begin = address & ~(kStretch - 1);
  for (uint64_t size = kStretch; size >= kPage; size /= 16) {
    begin = address & ~(size - 1);
    long made = rawSyscall(
        SYS_mmap, static_cast<long>(begin), static_cast<long>(size), PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (made == static_cast<long>(begin))
      return true;
  }
  return false;
}

uint64_t originOfByte(uint64_t address) {
  uint64_t word = wordFor(address);
  if ((word & abi::kOriginMixed) == 0)
    return word;
  uint64_t granule = address & ~(abi::kGranule - 1);
  return mixedOrigins(granule)[address - granule];
}

void setOrigin(uint64_t address, uint64_t size, uint64_t origin) {
  origin &= ~abi::kOriginMixed;
  while (size > 0) {
    uint64_t room = abi::kGranule - address % abi::kGranule;
    if (room == abi::kGranule && size >= abi::kGranule) {
      wordFor(address) = origin;
      room = abi::kGranule;
    } else {
      room = room < size ? room : size;
      setPart(address, room, origin);
    }
    address += room;
    size -= room;
  }
}

void copyOrigins(uint64_t to, uint64_t from, uint64_t size) {
  bool isUpward = to <= from;
  bool areAligned = (to - from) % abi::kGranule == 0;
  for (uint64_t done = 0; done < size;) {
    uint64_t left = size - done;
    uint64_t at = isUpward ? done : left - 1;
    bool isWhole = areAligned && left >= abi::kGranule &&
                   (isUpward ? (to + at) % abi::kGranule == 0 : (to + left) % abi::kGranule == 0);
    if (isWhole) {
      at = isUpward ? done : left - abi::kGranule;
      if (uint64_t word = wordFor(from + at); (word & abi::kOriginMixed) == 0) {
        wordFor(to + at) = word;
        done += abi::kGranule;
        continue;
      }
      at = isUpward ? done : left - 1;
    }
    setPart(to + at, 1, originOfByte(from + at));
    done += 1;
  }
}

uint64_t originOfBytes(uint64_t address, uint64_t size) {
  uint64_t origin = originOfByte(address);
  for (uint64_t i = 1; i < size; ++i)
    origin = younger(origin, originOfByte(address + i));
  return origin;
}

bool hasCorruptByte(uint64_t address, uint64_t size) {
  for (uint64_t i = 0; i < size;) {
    if ((i == 0 || (address + i) % kPage == 0) && !isReadable((address + i) & ~uint64_t{7}))
      return false;
    uint64_t word = wordFor(address + i);
    if ((word & abi::kOriginMixed) != 0)
      word = originOfByte(address + i);
    if ((word & abi::kOriginCorrupt) != 0)
      return true;
    i += (wordFor(address + i) & abi::kOriginMixed) != 0
             ? 1
             : abi::kGranule - (address + i) % abi::kGranule;
  }
  return false;
}

I64 __culprit_load_origin(Ptr pointer, I64 size) {
  return originOfBytes(reinterpret_cast<uint64_t>(pointer), size);
}

void __culprit_store_origin(Ptr pointer, I64 size, I64 origin) {
  setOrigin(reinterpret_cast<uint64_t>(pointer), size, origin);
}

void __culprit_copy_origins(Ptr to, Ptr from, I64 size) {
  auto target = reinterpret_cast<uint64_t>(to);
  copyOrigins(target, reinterpret_cast<uint64_t>(from), size);
  if (!tracesCopies())
    return;
  for (uint64_t place = (target + 7) & ~uint64_t{7}; place + 8 <= target + size; place += 8)
    traceCopy(place, originOfByte(place), __builtin_frame_address(0));
}

} // namespace culprit

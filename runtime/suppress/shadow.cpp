// See shadow.h.
#include "runtime/suppress/shadow.h"

#include "abi/origins.h"
#include "runtime/heap_memory.h"
#include "runtime/hooks.h"
#include "runtime/kernel_signals.h"
#include "runtime/safe_read.h"
#include "runtime/suppress/granules.h"
#include "runtime/suppress/marks.h"
#include "runtime/suppress/stretches.h"
#include "runtime/system.h"

#include <signal.h>
#include <sys/mman.h>

namespace culprit {
namespace {

constexpr uint64_t kStretch = 1 << 20;
constexpr int64_t kShadowPerByte = 8 / abi::kGranule;
constexpr uint64_t kFarthestMember = 1 << 12; ///< in the shadow, from the pointer to a structure
constexpr uint64_t kHalf = (abi::kShadowMask + 8) / 2; ///< of the addresses: two have one shadow

uint64_t younger(uint64_t a, uint64_t b) {
  uint64_t flags = (a | b) & (abi::kOriginCorrupt | abi::kOriginStale);
  bool isFirst = abi::timeOfOrigin(a) >= abi::timeOfOrigin(b);
  return (isFirst ? a : b) | flags;
}

/// Frames and buffers of some hundred bytes are cleared whenever their function is entered: there
/// the processor's own loop is faster than one of stores.
void fill(uint64_t *words, uint64_t count, uint64_t origin) {
  constexpr uint64_t kMany = 64;
  if (count < kMany) {
    for (uint64_t i = 0; i < count; ++i)
      words[i] = origin;
    return;
  }
  asm volatile("rep stosq" : "+D"(words), "+c"(count) : "a"(origin) : "memory");
}

/// Packs a granule's origins, if it has a word for each byte.
void close(uint64_t &word) {
  if (!isMixed(word) || !isOpen(word) || !hasBytes(word))
    return;
  const uint64_t *bytes = wordsIn(word);
  if (areOne(bytes))
    setWord(word, bytes[0]);
  else if (uint64_t packed = packOrigins(bytes))
    setWord(word, packed);
}

/// What is written byte by byte is mostly written upward: when a granule is begun right behind the
/// one that was begun last, that one is finished, and its cell serves again while it is in the
/// processor's cache. What is written here and there, such as a table of small numbers, stays open.
void closeBefore(uint64_t &word) {
  static uint64_t *begun = nullptr;
  if (begun + 1 == &word)
    close(*begun);
  begun = &word;
}

/// Of the bytes of one granule.
void setPart(uint64_t address, uint64_t size, uint64_t origin) {
  uint64_t &word = wordFor(address);
  uint64_t index = address % abi::kGranule;
  bool isHalf = size == 2 && index % 2 == 0;
  if (word == origin || (isHalf && setHalf(word, index / 2, origin)))
    return;
  if (!isMixed(word) || !isOpen(word) || !hasBytes(word))
    closeBefore(word);
  uint64_t *bytes = openGranule(word);
  for (uint64_t i = 0; i < size; ++i)
    bytes[index + i] = origin;
  if (areOne(bytes)) // what is written byte by byte is not mixed for good
    setWord(word, origin);
}

/// Of an open one.
bool isMixedNoMore(uint64_t word) {
  const uint64_t *words = wordsIn(word);
  return hasBytes(word) ? areOne(words) : words[0] == words[1];
}

/// Of `size` bytes of one granule. One whose bytes have come to agree is mixed no more.
uint64_t originOfPart(uint64_t address, uint64_t size) {
  uint64_t &word = wordFor(address);
  if (!isMixed(word))
    return word;
  if (isOpen(word) && isMixedNoMore(word))
    return word = wordsIn(word)[0];
  uint64_t index = address % abi::kGranule;
  uint64_t origin = originInWord(word, index);
  for (uint64_t i = 1; i < size; ++i)
    origin = younger(origin, originInWord(word, index + i));
  return origin;
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
    if (made == static_cast<long>(begin)) {
      noteStretch(begin, size);
      return true;
    }
  }
  return false;
}

uint64_t accessedBehind(uint64_t fault, const Registers &registers) {
  uint64_t found = fault;
  uint64_t nearest = kFarthestMember;
  for (uint64_t pointer : registers.value) {
    uint64_t shadow = hasMarks() ? abi::markOf(pointer) : abi::shadowOf(pointer);
    auto distance = static_cast<int64_t>(fault - shadow);
    uint64_t size = distance < 0 ? -static_cast<uint64_t>(distance) : distance;
    if (size >= nearest)
      continue;
    nearest = size;
    found = pointer + distance / kShadowPerByte;
  }
  return found;
}

uint64_t originOfByte(uint64_t address) {
  return originInWord(wordFor(address), address % abi::kGranule);
}

void setOrigin(uint64_t address, uint64_t size, uint64_t origin) {
  if (hasMarks())
    return setMarks(address, size, (origin & abi::kOriginCorrupt) != 0);
  origin &= ~abi::kOriginMixed;
  while (size > 0) {
    uint64_t done = abi::kGranule - address % abi::kGranule;
    if (done == abi::kGranule && size >= abi::kGranule) {
      uint64_t *words = &wordFor(address);
      uint64_t count = size / abi::kGranule;
      fill(words, count, origin);
      done = count * abi::kGranule;
    } else {
      done = done < size ? done : size;
      setPart(address, done, origin);
    }
    address += done;
    size -= done;
  }
}

void markStale(uint64_t address, uint64_t size) {
  if (hasMarks())
    return;
  uint64_t end = address + size;
  while (address < end) {
    uint64_t &word = wordFor(address);
    bool isWhole = address % abi::kGranule == 0 && end - address >= abi::kGranule;
    if (isWhole && !isMixed(word)) {
      word |= abi::kOriginStale;
      address += abi::kGranule;
    } else {
      setPart(address, 1, originOfByte(address) | abi::kOriginStale);
      address += 1;
    }
  }
}

uint64_t originOfBytes(uint64_t address, uint64_t size) {
  if (hasMarks())
    return hasMark(address, size) ? abi::kOriginCorrupt : 0;
  uint64_t origin = 0;
  for (uint64_t done = 0; done < size;) {
    uint64_t part = abi::kGranule - (address + done) % abi::kGranule;
    part = part < size - done ? part : size - done;
    uint64_t next = originOfPart(address + done, part);
    origin = done == 0 ? next : younger(origin, next);
    done += part;
  }
  return origin;
}

bool hasCorruptByte(uint64_t address, uint64_t size) {
  for (uint64_t i = 0; i < size;) {
    if ((i == 0 || (address + i) % kPage == 0) && !isReadable((address + i) & ~uint64_t{7}))
      return false;
    uint64_t part = kPage - (address + i) % kPage;
    part = part < size - i ? part : size - i;
    if ((originOfBytes(address + i, part) & abi::kOriginCorrupt) != 0)
      return true;
    i += part;
  }
  return false;
}

/// What calls other functions saves all registers.
__attribute__((preserve_most, noinline)) static I64 loadOrigin(Ptr pointer, I64 size) {
  return originOfBytes(reinterpret_cast<uint64_t>(pointer), size);
}

/// Most that is asked for is a byte that was packed with others of its granule. That calls nothing,
/// and saves next to no register.
I64 __culprit_load_origin(Ptr pointer, I64 size) {
  auto place = reinterpret_cast<uint64_t>(pointer);
  if (size == 1 && !hasMarks())
    return originInWord(wordFor(place), place % abi::kGranule);
  [[clang::musttail]] return loadOrigin(pointer, size);
}

void __culprit_store_origin(Ptr pointer, I64 size, I64 origin) {
  setOrigin(reinterpret_cast<uint64_t>(pointer), size, origin);
}

} // namespace culprit

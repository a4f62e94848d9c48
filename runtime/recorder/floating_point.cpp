// See floating_point.h. The layout is the processor's: 512 bytes of x87 and SSE registers, of which
// the kernel uses the last 48 for words of its own, a header that says which parts are saved, then
// the other parts where the processor (CPUID, leaf 13) says, and at the end a word of the kernel's.
// What lies between them nobody writes.
#include "runtime/recorder/floating_point.h"

#include "runtime/recorder/bytes.h"
#include "runtime/recording.h"

namespace culprit {
namespace {

constexpr uint64_t kLegacySize = 512;
constexpr uint64_t kRegistersEnd = 416; ///< of the first 512 bytes
constexpr uint64_t kMagicPlace = 464;
constexpr uint64_t kFeaturesPlace = kMagicPlace + 8; ///< what parts there are
constexpr uint64_t kHeaderSize = 64;
constexpr uint64_t kEndSize = 4;
constexpr uint32_t kMagic = 0x4650'5853; ///< FP_XSTATE_MAGIC1
constexpr uint64_t kControlPlace = 24;   ///< MXCSR
constexpr uint32_t kFirstControl = 0x1f80;
constexpr uint16_t kFirstWord = 0x37f; ///< of the x87 unit

struct Part {
  uint64_t place;
  uint64_t size;
};

Part partOf(uint32_t number) {
  if (number == 1)
    return {160, 256};
  uint32_t size = 0xd;
  uint32_t place = 0;
  uint32_t kind = number;
  uint32_t rest = 0;
  asm volatile("cpuid" : "+a"(size), "=b"(place), "+c"(kind), "=d"(rest));
  bool isOfKernel = (kind & 1) != 0; // never in a frame, and has no place
  return {place, isOfKernel ? 0 : size};
}

bool isZero(const char *bytes, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i)
    if (bytes[i] != 0)
      return false;
  return true;
}

/// x87: all zero, but for the control word.
void makeFirstCanonical(char *state, uint64_t &saved) {
  auto &word = *reinterpret_cast<uint16_t *>(state);
  bool isFirst =
      word == kFirstWord && isZero(state + 2, kControlPlace - 2) && isZero(state + 32, 128);
  if ((saved & 1) != 0 && !isFirst)
    return;
  saved &= ~uint64_t{1};
  clearBytes(state, kControlPlace);
  clearBytes(state + 32, 128);
}

bool isExtended(const void *state) {
  return *reinterpret_cast<const uint32_t *>(static_cast<const char *>(state) + kMagicPlace) ==
         kMagic;
}

} // namespace

/// By loading a state in which every part is as in the beginning.
extern "C" void __culprit_clear_registers() {
  constexpr uint32_t kEnabled = 1U << 27;        ///< the system lets programs save registers
  constexpr uint32_t kAll = ~(uint32_t{1} << 9); ///< but for the keys of memory protection
  alignas(64) static char state[16384];
  uint32_t a = 1;
  uint32_t b = 0;
  uint32_t c = 0;
  uint32_t d = 0;
  asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  if ((c & kEnabled) == 0)
    return;
  *reinterpret_cast<uint32_t *>(state + kControlPlace) = kFirstControl;
  asm volatile("xrstor64 %0" : : "m"(state), "a"(kAll), "d"(~0U) : "memory");
}

uint64_t sizeOfFloatingPoint(const void *state) {
  if (!state)
    return 0;
  const auto *bytes = static_cast<const char *>(state);
  return isExtended(state) ? *reinterpret_cast<const uint32_t *>(bytes + kMagicPlace + 4)
                           : kLegacySize;
}

void copyCanonical(char *copy, const void *state, uint64_t size) {
  const auto *bytes = static_cast<const char *>(state);
  clearBytes(copy, size);
  copyBytes(copy, bytes, kRegistersEnd);
  copyBytes(copy + kMagicPlace, bytes + kMagicPlace, kLegacySize - kMagicPlace);
  if (size <= kLegacySize)
    return;
  copyBytes(copy + kLegacySize, bytes + kLegacySize, kHeaderSize);
  copyBytes(copy + size - kEndSize, bytes + size - kEndSize, kEndSize);
  uint64_t features = *reinterpret_cast<const uint64_t *>(bytes + kFeaturesPlace);
  auto &saved = *reinterpret_cast<uint64_t *>(copy + kLegacySize);
  makeFirstCanonical(copy, saved);
  for (uint32_t number = 1; number < 63; ++number) {
    uint64_t bit = uint64_t{1} << number;
    Part part = (features & bit) != 0 ? partOf(number) : Part{0, 0};
    if (part.size == 0 || part.place + part.size > size)
      continue;
    if ((saved & bit) == 0)
      clearBytes(copy + part.place, part.size);
    else if (isZero(bytes + part.place, part.size))
      saved &= ~bit;
    else
      copyBytes(copy + part.place, bytes + part.place, part.size);
  }
}

void resetFloatingPoint(void *state) {
  if (!state || !isExtended(state))
    return;
  auto *bytes = static_cast<char *>(state);
  *reinterpret_cast<uint32_t *>(bytes + kControlPlace) = kFirstControl;
  *reinterpret_cast<uint64_t *>(bytes + kLegacySize) = 0;
}

} // namespace culprit

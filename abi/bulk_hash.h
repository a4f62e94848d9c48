// Eight lanes of rounds of AES over many bytes: the part of QuickHash for all but short pieces.
//
// A lane takes sixteen bytes by one round, which every x86-64 processor of the last ten years has
// as an instruction: it diffuses them, and 32 bytes a clock go through. Where the instruction is
// missing the same is worked out by tables, slowly. The recorder may not touch the program's vector
// registers (runtime/recorder/shortcut.h), so those that are used are put back; instructions of
// this form leave the upper parts of wider registers alone.
#ifndef CULPRIT_ABI_BULK_HASH_H
#define CULPRIT_ABI_BULK_HASH_H

#include <stdint.h>

namespace culprit::abi {

inline constexpr uint64_t kBulkLanes = 8;
inline constexpr uint64_t kBulkLane = 16;
inline constexpr uint64_t kBulkBlock = kBulkLanes * kBulkLane;

struct BulkLanes {
  uint8_t bytes[kBulkBlock];
};

namespace bulk {

/// x times two in the field of AES.
constexpr uint8_t twice(uint8_t x) {
  return static_cast<uint8_t>(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

struct Substitution {
  uint8_t of[256];
};

/// AES's: the inverse in the field, then an affine map. `p` goes through all powers of 3, `q`
/// through their inverses.
constexpr Substitution makeSubstitution() {
  Substitution box = {};
  uint8_t p = 1;
  uint8_t q = 1;
  do {
    p = static_cast<uint8_t>(p ^ twice(p));
    q = static_cast<uint8_t>(q ^ q << 1);
    q = static_cast<uint8_t>(q ^ q << 2);
    q = static_cast<uint8_t>(q ^ q << 4);
    if (q & 0x80)
      q ^= 0x09;
    uint8_t turned = q;
    uint8_t sum = q;
    for (int i = 0; i < 4; ++i) {
      turned = static_cast<uint8_t>(turned << 1 | turned >> 7);
      sum ^= turned;
    }
    box.of[p] = sum ^ 0x63;
  } while (p != 1);
  box.of[0] = 0x63;
  return box;
}

inline constexpr Substitution kSubstitution = makeSubstitution();

/// What the instruction aesenc does to `lane` with `block` as the round's key.
inline void roundByTable(uint8_t *lane, const uint8_t *block) {
  uint8_t rows[kBulkLane];
  for (uint64_t i = 0; i < kBulkLane; ++i)
    rows[i] = kSubstitution.of[lane[(i + 4 * (i % 4)) % kBulkLane]];
  for (uint64_t i = 0; i < kBulkLane; ++i) {
    const uint8_t *column = rows + i / 4 * 4;
    uint8_t a = column[i % 4];
    uint8_t b = column[(i + 1) % 4];
    uint8_t c = column[(i + 2) % 4];
    uint8_t d = column[(i + 3) % 4];
    lane[i] = static_cast<uint8_t>(twice(a) ^ twice(b) ^ b ^ c ^ d ^ block[i]);
  }
}

inline void addByTable(BulkLanes &lanes, const char *bytes, uint64_t blocks) {
  const auto *next = reinterpret_cast<const uint8_t *>(bytes);
  for (; blocks > 0; --blocks)
    for (uint64_t i = 0; i < kBulkLanes; ++i, next += kBulkLane)
      roundByTable(lanes.bytes + i * kBulkLane, next);
}

/// At least one block.
inline void addByInstruction(BulkLanes &lanes, const char *bytes, uint64_t blocks) {
  char saved[9 * kBulkLane];
  asm volatile("movups %%xmm0, (%[saved])\n\t"
               "movups %%xmm1, 16(%[saved])\n\t"
               "movups %%xmm2, 32(%[saved])\n\t"
               "movups %%xmm3, 48(%[saved])\n\t"
               "movups %%xmm4, 64(%[saved])\n\t"
               "movups %%xmm5, 80(%[saved])\n\t"
               "movups %%xmm6, 96(%[saved])\n\t"
               "movups %%xmm7, 112(%[saved])\n\t"
               "movups %%xmm8, 128(%[saved])\n\t"
               "movups (%[lanes]), %%xmm0\n\t"
               "movups 16(%[lanes]), %%xmm1\n\t"
               "movups 32(%[lanes]), %%xmm2\n\t"
               "movups 48(%[lanes]), %%xmm3\n\t"
               "movups 64(%[lanes]), %%xmm4\n\t"
               "movups 80(%[lanes]), %%xmm5\n\t"
               "movups 96(%[lanes]), %%xmm6\n\t"
               "movups 112(%[lanes]), %%xmm7\n\t"
               "1:\n\t"
               "movups (%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm0\n\t"
               "movups 16(%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm1\n\t"
               "movups 32(%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm2\n\t"
               "movups 48(%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm3\n\t"
               "movups 64(%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm4\n\t"
               "movups 80(%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm5\n\t"
               "movups 96(%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm6\n\t"
               "movups 112(%[next]), %%xmm8\n\t"
               "aesenc %%xmm8, %%xmm7\n\t"
               "addq $128, %[next]\n\t"
               "decq %[blocks]\n\t"
               "jnz 1b\n\t"
               "movups %%xmm0, (%[lanes])\n\t"
               "movups %%xmm1, 16(%[lanes])\n\t"
               "movups %%xmm2, 32(%[lanes])\n\t"
               "movups %%xmm3, 48(%[lanes])\n\t"
               "movups %%xmm4, 64(%[lanes])\n\t"
               "movups %%xmm5, 80(%[lanes])\n\t"
               "movups %%xmm6, 96(%[lanes])\n\t"
               "movups %%xmm7, 112(%[lanes])\n\t"
               "movups (%[saved]), %%xmm0\n\t"
               "movups 16(%[saved]), %%xmm1\n\t"
               "movups 32(%[saved]), %%xmm2\n\t"
               "movups 48(%[saved]), %%xmm3\n\t"
               "movups 64(%[saved]), %%xmm4\n\t"
               "movups 80(%[saved]), %%xmm5\n\t"
               "movups 96(%[saved]), %%xmm6\n\t"
               "movups 112(%[saved]), %%xmm7\n\t"
               "movups 128(%[saved]), %%xmm8"
               : [next] "+r"(bytes), [blocks] "+r"(blocks)
               : [lanes] "r"(lanes.bytes), [saved] "r"(saved)
               : "memory", "cc");
}

inline bool hasInstruction() {
  uint32_t a = 1;
  uint32_t b = 0;
  uint32_t c = 0;
  uint32_t d = 0;
  asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
  constexpr uint32_t kAes = 1U << 25;
  return (c & kAes) != 0;
}

} // namespace bulk

/// Takes so many blocks, at least one, into the lanes.
inline void addBulk(BulkLanes &lanes, const char *bytes, uint64_t blocks) {
  // In a virtual machine the processor takes long to answer. 0: not asked yet.
  static uint8_t answer = 0;
  uint8_t known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known == 0) {
    known = bulk::hasInstruction() ? 2 : 1;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  if (known == 2)
    bulk::addByInstruction(lanes, bytes, blocks);
  else
    bulk::addByTable(lanes, bytes, blocks);
}

} // namespace culprit::abi
#endif

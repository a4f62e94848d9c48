// How probable a value is, from what came before it: the model of packed bitcode (bitcode_pack.h).
//
// A number is first compared with a guess: what came last time after the same two numbers. If the
// guess is wrong, the number follows in groups of four bits, each coded by how often the 16 symbols
// came, on average over a broad context (the column) and a narrow one. Text is coded alike. Writer
// and reader run the same model, so all arithmetic is in integers.
//
// Time counts here as much as size: all of this runs in every compilation. Mixing more contexts
// with learned weights, as good text compressors do, saves another fifth and takes five times as
// long.
#ifndef CULPRIT_COMPILER_EMBED_PREDICTOR_H
#define CULPRIT_COMPILER_EMBED_PREDICTOR_H

#include "compiler/embed/range_coder.h"
#include "llvm/Support/ErrorHandling.h"
#include <cstdlib>
#include <cstring>
#include <memory>

namespace culprit {

/// Mixes what is known into 32 bits.
[[gnu::always_inline]] inline uint32_t mixHash(uint64_t a, uint64_t b) {
  return uint32_t(((a + b * 0x9e3779b97f4a7c15) * 0xd6e8feb86659fd93) >> 32);
}

/// How often each of 16 symbols came: where the part of each symbol begins in a range of 1 << 15.
/// The first would always be 0 and holds something else: how often this was asked, and a check.
struct alignas(32) Frequencies {
  uint16_t begin[16];

  unsigned asked() const { return begin[0] & 15; }

  /// Equal parts.
  void clear() {
    for (unsigned i = 0; i < 16; ++i)
      begin[i] = uint16_t(i << 11);
  }

  [[gnu::always_inline]] void learn(unsigned symbol);
};

/// Where learn() moves to: all of the range for a symbol, but for a little that the others keep.
/// Parts never vanish, since the targets are more than 1 apart.
struct Targets {
  alignas(32) uint16_t at[16][16];
  constexpr Targets() : at() {
    constexpr unsigned kLeast = 4, kWhole = 1 << 15;
    for (unsigned symbol = 0; symbol < 16; ++symbol)
      for (unsigned i = 1; i < 16; ++i)
        at[symbol][i] = uint16_t(i <= symbol ? i * kLeast : kWhole - (16 - i) * kLeast);
  }
};
inline constexpr Targets kTargets;

/// How much of the way it moves, as a shift, by how often it was asked.
inline constexpr uint8_t kShifts[16] = {1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5};

inline void Frequencies::learn(unsigned symbol) {
  typedef int16_t Vector __attribute__((vector_size(32)));
  Vector now, target;
  std::memcpy(&now, begin, sizeof now);
  std::memcpy(&target, kTargets.at[symbol], sizeof target);
  uint16_t first = begin[0];
  now += (target - now) >> kShifts[first & 15];
  std::memcpy(begin, &now, sizeof now);
  begin[0] = uint16_t(first + ((first & 15) < 15));
}

/// What is known before a number: its column, the two symbols before it, the last of its column.
struct Context {
  uint32_t column;
  uint64_t before, before2, last;
};

class Predictor {
public:
  Predictor(); ///< one that has seen other modules (prior.h)
  struct Empty {};
  explicit Predictor(Empty);

  template <typename Coder>
  [[gnu::always_inline]] uint64_t number(Coder &coder, const Context &context, uint64_t value) {
    uint32_t hash = mixHash(context.column, context.before * 0x2545f491 + context.before2);
    Guess &guess = guesses[hash >> (32 - kGuessBits)];
    uint32_t row = (context.column * 0x9e3779b1) >> (32 - kFlagBits);
    if (flag(coder, flags[row * kSures + guess.sure()], value == guess.value()))
      return guess.right();
    return guess.wrong(groups(coder, context, value));
  }

  /// A byte of text after those in `before`, the last one lowest.
  template <typename Coder> uint8_t byte(Coder &coder, uint64_t before, uint8_t value) {
    uint32_t hash = mixHash(0x7e870001, before & 0xffffffff);
    Guess &guess = guesses[hash >> (32 - kGuessBits)];
    if (flag(coder, flags[(kSures << kFlagBits) + guess.sure()], value == guess.value()))
      return uint8_t(guess.right());
    uint32_t one = mixHash(0x7e870002, before & 0xff), two = mixHash(0x7e870003, before & 0xffff);
    unsigned high = group(coder, one, two, value >> 4);
    uint32_t step = (high + 1) * 0x9e3779b1;
    return uint8_t(guess.wrong(high << 4 | group(coder, one + step, two + step, value & 15)));
  }

  /// What is worth to begin with of what this has learned.
  std::string prior() const;

private:
  static constexpr unsigned kSures = 8, kGuessBits = 16, kBucketBits = 16, kFlagBits = 12;
  static constexpr size_t kFlags = (size_t(1) << kFlagBits) * kSures + kSures;
  static constexpr unsigned kEven = 0x8000;

  /// The number, which must be small, or 0, and in the lowest three bits how often in a row it was
  /// right.
  struct Guess {
    uint32_t bits;

    uint64_t value() const { return bits >> 3; }
    unsigned sure() const { return bits & (kSures - 1); }
    uint64_t right() {
      uint64_t result = value();
      bits += sure() < kSures - 1;
      return result;
    }
    uint64_t wrong(uint64_t instead) {
      bits = instead >> 29 ? 0 : uint32_t(instead) << 3;
      return instead;
    }
  };

  /// `slot` is the probability of 1 in 1/65536, xor kEven.
  template <typename Coder>
  [[gnu::always_inline]] bool flag(Coder &coder, uint16_t &slot, bool bit) {
    uint32_t p = std::max<uint32_t>(slot ^ kEven, 32);
    if constexpr (Coder::kReads)
      bit = coder.at() < p;
    coder.code(bit ? 0 : p, bit ? p : 65536 - p);
    slot = uint16_t((bit ? p + ((65535 - p) >> 5) : p - (p >> 5)) ^ kEven);
    return bit;
  }

  Frequencies &find(uint32_t hash) { return buckets[(hash * 0x2c1b3c6d) >> (32 - kBucketBits)]; }

  template <typename Coder>
  [[gnu::always_inline]] unsigned group(Coder &coder, uint32_t broad, uint32_t narrow,
                                        unsigned symbol) {
    Frequencies &one = find(broad), &two = find(narrow);
    if (one.asked() == 0)
      one.clear();
    uint16_t check = uint16_t(narrow << 4);
    if ((two.begin[0] & 0xfff0) != check || two.asked() == 0) {
      two = one;
      two.begin[0] = check | 1;
    }
    auto begin = [&](unsigned i) {
      return i == 0 ? 0u : i == 16 ? 65536u : unsigned(one.begin[i]) + two.begin[i];
    };
    if constexpr (Coder::kReads)
      for (uint32_t at = (symbol = 0, coder.at()); symbol < 15 && begin(symbol + 1) <= at;)
        ++symbol;
    uint32_t first = begin(symbol);
    coder.code(first, begin(symbol + 1) - first);
    one.learn(symbol);
    two.learn(symbol);
    return symbol;
  }

  /// A number below 12 is one group; the group of others tells how many follow.
  template <typename Coder>
  [[gnu::noinline]] uint64_t groups(Coder &coder, const Context &context, uint64_t value) {
    constexpr uint64_t kBases[] = {12, 12 + 16, 12 + 16 + 256, 12 + 16 + 256 + 65536};
    unsigned token = 15;
    while (token > 12 && value < kBases[token - 12])
      --token;
    uint32_t broad = context.column * 0x9e3779b1 + 0x11;
    uint32_t narrow = mixHash(context.column, context.last + 0x100);
    token = group(coder, broad, narrow, value < kBases[0] ? unsigned(value) : token);
    if (token < kBases[0])
      return token;
    if (token == 15)
      return wide(coder, broad + 1, narrow + 1, value);
    uint64_t rest = value - kBases[token - 12], result = 0;
    for (unsigned i = 1 << (token - 12); i-- > 0;) {
      uint32_t position = (token << 4 | i) * 0x10001;
      uint32_t prefix = mixHash(context.column + position, result + 0x77);
      result = result << 4 | group(coder, broad + position, prefix, unsigned(rest >> (4 * i) & 15));
    }
    return kBases[token - 12] + result;
  }

  /// A large number: how many groups there are, how many of the last are zero (of numbers beyond 32
  /// bits), the others as they are. Tables of checksums and the like are no more regular than that.
  template <typename Coder>
  uint64_t wide(Coder &coder, uint32_t broad, uint32_t narrow, uint64_t value) {
    unsigned used = value ? (63 - __builtin_clzll(value)) / 4 : 0;
    unsigned zeros = value ? __builtin_ctzll(value) / 4 : 0;
    used = group(coder, broad, narrow, used);
    zeros = used < 8 ? 0 : group(coder, broad + 1 + used, narrow + 1 + used, zeros);
    uint64_t result = 0;
    for (unsigned i = used + 1; i-- > zeros;) {
      uint32_t nibble = uint32_t(value >> (4 * i) & 15);
      if constexpr (Coder::kReads)
        nibble = coder.at() >> 12;
      coder.code(nibble << 12, 1 << 12);
      result |= uint64_t(nibble) << (4 * i);
    }
    return result;
  }

  /// Zeros at first: of a large table only the pages in use cost anything.
  template <typename T> class Table {
  public:
    explicit Table(size_t count)
        : memory(std::calloc(count * sizeof(T) + kAlignment, 1), std::free) {
      if (!memory)
        llvm::report_bad_alloc_error("culprit: no memory to pack bitcode");
      auto address = reinterpret_cast<uintptr_t>(memory.get());
      first = reinterpret_cast<T *>((address + kAlignment - 1) / kAlignment * kAlignment);
    }
    T &operator[](size_t index) { return first[index]; }
    const T &operator[](size_t index) const { return first[index]; }

  private:
    static constexpr size_t kAlignment = 64;
    std::unique_ptr<void, void (*)(void *)> memory;
    T *first;
  };

  Table<Frequencies> buckets;
  Table<Guess> guesses;
  Table<uint16_t> flags;
};

} // namespace culprit
#endif

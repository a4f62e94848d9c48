// See shadow.h: copies of memory, of which most are small and go anywhere.
//
// Granule by granule of the target, each from the one or two granules of the source that its bytes
// lie in. Those are read before the target is written, so areas may overlap. Where origins have
// numbers (numbered.h), bytes are moved from word to word by shifting.
#include "runtime/hooks.h"
#include "runtime/suppress/granules.h"
#include "runtime/suppress/marks.h"
#include "runtime/suppress/reads.h"
#include "runtime/suppress/shadow.h"
#include "runtime/suppress/traces.h"

namespace culprit {
namespace {

constexpr uint64_t kOffset = abi::kGranule - 1; ///< in a granule, of an address

/// Whether granules can have the same word: nobody writes to what it leads to.
bool canShare(uint64_t word) {
  return !isMixed(word) || !isOpen(word);
}

constexpr uint64_t kNone = ~uint64_t{0};

/// What is so small is copied without a look whether it was defined as a whole.
constexpr uint64_t kSmall = 8;

/// Of a cell with two origins.
uint64_t findTwoNumbers(uint64_t word) {
  const PackedOrigins &packed = packedOrigins(word);
  uint64_t first = g_numbered.find(packed.words[0]);
  uint64_t second = first == kNoNumber ? kNoNumber : g_numbered.find(packed.words[1]);
  if (second == kNoNumber)
    return kNone;
  uint64_t numbers = 0;
  for (unsigned i = 0; i < abi::kGranule; ++i)
    numbers |= ((word >> (PackedOrigins::kChoice + i) & 1) != 0 ? second : first)
               << i * kNumberBits;
  return numbers;
}

/// The numbers of a mixed granule's origins that has others, or kNone. Bytes that were stored one
/// by one get none: numbers would soon be used up.
__attribute__((noinline)) uint64_t findNumbers(uint64_t word) {
  if (!isOpen(word))
    return (word & PackedOrigins::kHasSteps) != 0 ? kNone : findTwoNumbers(word);
  uint64_t numbers = 0;
  for (unsigned i = 0; i < abi::kGranule; ++i) {
    uint64_t number = g_numbered.find(originInWord(word, i));
    if (number == kNoNumber)
      return kNone;
    numbers |= number << i * kNumberBits;
  }
  return numbers;
}

/// Of an origin that was not asked for lately, or a granule that has no numbers.
__attribute__((noinline)) uint64_t giveNumbers(uint64_t word) {
  if (isMixed(word))
    return findNumbers(word);
  uint64_t number = g_numbered.numberOf(word);
  return number == kNoNumber ? kNone : number * kEach;
}

/// The numbers of a granule's origins, or kNone. Whether a granule has numbers or one origin is
/// anybody's guess, and the processor's: there is no branch for it.
__attribute__((always_inline)) inline uint64_t numbersIn(uint64_t word) {
  const NumberedOrigins::Recent &recent = g_numbered.recent(word);
  uint64_t has = hasNumbers(word) ? kAllNumbers : 0;
  uint64_t numbers = (word & has) | (recent.numbers & ~has);
  bool isKnown =
      (static_cast<unsigned>(has != 0) | static_cast<unsigned>(recent.origin == word)) != 0;
  return __builtin_expect(isKnown, 1) ? numbers : giveNumbers(word);
}

inline uint64_t wordOf(uint64_t numbers) {
  bool areOne = ((numbers ^ numbers >> kNumberBits) & kAllNumbers >> kNumberBits) == 0;
  uint64_t one = g_numbered.origin(numbers & kNumberMask);
  uint64_t several = abi::kOriginMixed | abi::kOriginPacked | kHasNumbers | numbers;
  return __builtin_unpredictable(areOne) ? one : several;
}

/// Which bytes of a granule are among those from `begin` up to `end`, as a mask for numbers.
uint64_t maskOf(uint64_t granule, uint64_t begin, uint64_t end) {
  uint64_t mask = kAllNumbers;
  if (granule < begin)
    mask &= kAllNumbers << (begin - granule) * kNumberBits;
  if (granule + abi::kGranule > end)
    mask &= kAllNumbers >> (granule + abi::kGranule - end) * kNumberBits;
  return mask;
}

/// Gives the bytes of a granule that the mask says this origin.
__attribute__((noinline)) void setMasked(uint64_t &target, uint64_t mask, uint64_t origin) {
  if (mask == kAllNumbers)
    return setWord(target, origin);
  uint64_t number = g_numbered.numberOf(origin);
  uint64_t before = number == kNoNumber ? kNone : numbersIn(target);
  if (before != kNone)
    return setWord(target, wordOf((number * kEach & mask) | (before & ~mask)));
  uint64_t bytes[abi::kGranule];
  readOrigins(target, bytes);
  for (uint64_t i = 0; i < abi::kGranule; ++i)
    if ((mask >> i * kNumberBits & kNumberMask) != 0)
      bytes[i] = origin;
  writeOrigins(target, bytes);
}

/// Most of what is copied was defined as a whole, such as by one read of a file, and often its
/// target has the same origin already. Returns whether it was so and all is done.
__attribute__((always_inline)) inline bool copyWhole(uint64_t to, uint64_t from, uint64_t size) {
  const uint64_t *source = &wordFor(from), *last = &wordFor(from + size - 1);
  uint64_t origin = *source;
  if (isMixed(origin))
    return false;
  while (source < last)
    if (*++source != origin)
      return false;
  uint64_t end = to + size;
  uint64_t *target = &wordFor(to), *lastTarget = &wordFor(end - 1);
  bool isPart = (to & kOffset) != 0 || target == lastTarget;
  if (isPart && *target != origin)
    setMasked(*target, maskOf(to & ~kOffset, to, end), origin);
  for (target += isPart ? 1 : 0; target < lastTarget; ++target)
    if (*target != origin)
      setWord(*target, origin);
  if (target == lastTarget && *target != origin)
    setMasked(*target, maskOf((end - 1) & ~kOffset, to, end), origin);
  return true;
}

/// Gives the bytes of a granule that the mask says the origins with these numbers. False if another
/// byte's origin has no number.
__attribute__((always_inline)) inline bool setNumbers(uint64_t &target, uint64_t mask,
                                                      uint64_t numbers) {
  uint64_t before = mask == kAllNumbers ? 0 : numbersIn(target);
  if (before == kNone)
    return false;
  setWord(target, wordOf((numbers & mask) | (before & ~mask)));
  return true;
}

/// Upward, by numbers. Each granule of the source is looked at once, although its bytes may go to
/// two of the target. Returns how much it has done: less than all if an origin has no number.
__attribute__((always_inline)) inline uint64_t copyNumbers(uint64_t to, uint64_t from,
                                                           uint64_t size) {
  uint64_t shift = ((from - to) & kOffset) * kNumberBits;
  uint64_t rest = abi::kGranule * kNumberBits - shift;
  const uint64_t *first = &wordFor(from), *last = &wordFor(from + size - 1);
  uint64_t begin = to & ~kOffset;
  const uint64_t *source = &wordFor(begin + from - to);
  uint64_t *target = &wordFor(to);
  uint64_t *lastTarget = &wordFor(to + size - 1);
  uint64_t numbers = source >= first ? numbersIn(*source) : 0;
  uint64_t mask = kAllNumbers << (to - begin) * kNumberBits & kAllNumbers;
  for (uint64_t granule = begin; target <= lastTarget; ++target, granule += abi::kGranule) {
    uint64_t next = ++source <= last ? numbersIn(*source) : 0;
    if (target == lastTarget)
      mask &= kAllNumbers >> (granule + abi::kGranule - to - size) * kNumberBits;
    bool areKnown = numbers != kNone && next != kNone;
    if (!areKnown || !setNumbers(*target, mask, (numbers >> shift | next << rest) & kAllNumbers))
      return granule < to ? 0 : granule - to;
    numbers = next;
    mask = kAllNumbers;
  }
  return size;
}

/// All of the granule at `to`. `from` is anywhere.
void copyGranule(uint64_t to, uint64_t from) {
  uint64_t first = wordFor(from), last = wordFor(from + kOffset);
  uint64_t offset = from & kOffset;
  uint64_t &target = wordFor(to);
  if (first == last && (offset == 0 ? canShare(first) : !isMixed(first))) {
    if (target != first)
      setWord(target, first);
    return;
  }
  uint64_t bytes[abi::kGranule];
  for (uint64_t i = 0; i < abi::kGranule; ++i)
    bytes[i] = originInWord(offset + i < abi::kGranule ? first : last, (offset + i) & kOffset);
  writeOrigins(target, bytes);
}

/// So many bytes, which are all in one granule of the target. Across granules numbers have been
/// tried, or it goes downward.
void copyPart(uint64_t to, uint64_t from, uint64_t size) {
  uint64_t &target = wordFor(to);
  uint64_t first = wordFor(from), last = wordFor(from + size - 1);
  bool isThere = first == target && last == first && !isMixed(first);
  bool isAcross = ((to - from) & kOffset) != 0;
  if (isThere || (!isAcross && copyNumbers(to, from, size) == size))
    return;
  uint64_t bytes[abi::kGranule];
  readOrigins(target, bytes);
  for (uint64_t i = 0; i < size; ++i)
    bytes[(to & kOffset) + i] = originInWord(wordFor(from + i), (from + i) & kOffset);
  writeOrigins(target, bytes);
}

void copyUpward(uint64_t to, uint64_t from, uint64_t size, uint64_t head, uint64_t end) {
  if (head > 0)
    copyPart(to, from, head);
  for (uint64_t at = head; at < end; at += abi::kGranule)
    copyGranule(to + at, from + at);
  if (end < size)
    copyPart(to + end, from + end, size - end);
}

void copyDownward(uint64_t to, uint64_t from, uint64_t size, uint64_t head, uint64_t end) {
  if (end < size)
    copyPart(to + end, from + end, size - end);
  for (uint64_t at = end; at > head; at -= abi::kGranule)
    copyGranule(to + at - abi::kGranule, from + at - abi::kGranule);
  if (head > 0)
    copyPart(to, from, head);
}

/// By granules, where numbers have been tried.
__attribute__((noinline)) void copyOthers(uint64_t to, uint64_t from, uint64_t size,
                                          bool isUpward) {
  uint64_t head = (abi::kGranule - to % abi::kGranule) % abi::kGranule;
  head = head < size ? head : size;
  uint64_t end = size - (size - head) % abi::kGranule;
  if (isUpward)
    copyUpward(to, from, size, head, end);
  else
    copyDownward(to, from, size, head, end);
}

} // namespace

void copyOrigins(uint64_t to, uint64_t from, uint64_t size) {
  if (hasMarks())
    return copyMarks(to, from, size);
  if (size == 0)
    return;
  bool isUpward = to - from >= size; // or they do not overlap
  bool isAcross = ((to - from) & kOffset) != 0;
  bool isSmall = size <= kSmall && isUpward && isAcross;
  if (!isSmall && copyWhole(to, from, size))
    return;
  uint64_t done = isUpward && isAcross ? copyNumbers(to, from, size) : 0;
  if (done < size)
    copyOthers(to + done, from + done, size - done, isUpward);
}

void __culprit_copy_origins(Ptr to, Ptr from, I64 size) {
  auto target = reinterpret_cast<uint64_t>(to);
  auto source = reinterpret_cast<uint64_t>(from);
  if (checksReads())
    checkCopied(source, size, __builtin_return_address(0));
  if (tracesCopies())
    traceCopies(target, source, size, __builtin_frame_address(0));
  copyOrigins(target, source, size);
}

} // namespace culprit

// See mixed.h.
#include "runtime/suppress/mixed.h"

#include "runtime/suppress/cells.h"
#include "runtime/suppress/stretches.h"

#include <string.h>

namespace culprit {
namespace {

struct OpenCell {
  uint64_t words[abi::kGranule];
};

Cells<OpenCell> g_open;
Cells<PackedOrigins> g_packed; ///< and those of halves

/// Looking for free cells costs time with the shadow's size; so does having few of them. Bytes of
/// shadow for which there must be a cell before any are looked for.
constexpr uint64_t kShadowPerCell = 512;

/// Cells that were given back since free ones were looked for: they are in the processor's caches.
class ReleasedCells {
public:
  void add(uint64_t *words) {
    if (count_ < kMost)
      cells_[count_++] = words;
  }
  /// Null if there is none.
  uint64_t *take() { return count_ > 0 ? cells_[--count_] : nullptr; }
  void forget() { count_ = 0; }

private:
  static constexpr unsigned kMost = 64;
  uint64_t *cells_[kMost];
  unsigned count_;
};
ReleasedCells g_released, g_releasedHalves;

/// Packed cells by a hash of what they hold: many granules have the same two origins.
constexpr uint64_t kKnownCells = 1 << 10;
PackedOrigins *g_known[kKnownCells];

/// The packed form of some origins, if they have one.
struct Packing {
  bool isPossible = false;
  uint64_t flags = 0; ///< of the granule's word
  PackedOrigins cell = {};
};

/// Few branches: nobody can tell what comes next.
Packing packingOf(const uint64_t *bytes) {
  uint64_t a = bytes[0], b = bytes[1], c = bytes[2], d = bytes[3];
  uint64_t second = b != a ? b : c != a ? c : d;
  uint64_t choice = (b != a ? 2 : 0) | (c != a ? 4 : 0) | (d != a ? 8 : 0);
  if ((c == a || c == second) && (d == a || d == second))
    return {true, choice << PackedOrigins::kChoice, {{a, second}}};
  uint64_t first = a < b ? a : b;
  first = c < first ? c : first;
  first = d < first ? d : first;
  uint64_t differing = (a ^ b) | (a ^ c) | (a ^ d);
  uint64_t last = (a - first) | (b - first) | (c - first) | (d - first);
  bool isPossible = (differing & ~abi::kClockMask) == 0 && last <= PackedOrigins::kLargestStep;
  constexpr unsigned kBits = PackedOrigins::kStepBits;
  uint64_t steps =
      (a - first) | (b - first) << kBits | (c - first) << 2 * kBits | (d - first) << 3 * kBits;
  return {isPossible, PackedOrigins::kHasSteps, {{first, steps}}};
}

/// A cell that holds the same, if it is known; else the place where it will be.
PackedOrigins *&knownCell(const PackedOrigins &cell) {
  uint64_t hash = (cell.words[0] * 3 + cell.words[1]) * 0x9e37'79b9'7f4a'7c15;
  return g_known[hash >> 54];
}

bool isSame(const PackedOrigins *a, const PackedOrigins &b) {
  return a && a->words[0] == b.words[0] && a->words[1] == b.words[1];
}

/// `take` hands out a packed cell, or null; then the answer is 0.
template <typename Take> uint64_t packedWord(const Packing &packing, Take take) {
  if (!packing.isPossible)
    return 0;
  PackedOrigins *cell = knownCell(packing.cell);
  if (!isSame(cell, packing.cell)) {
    cell = take();
    if (!cell)
      return 0;
    *cell = packing.cell;
    knownCell(packing.cell) = cell; // `take` may have forgotten them all
  }
  return abi::kOriginMixed | abi::kOriginPacked | packing.flags | reinterpret_cast<uint64_t>(cell);
}

/// While free ones are looked for: of those that were free before. More are made only if there were
/// few; else there will be enough.
PackedOrigins *cellForSettling() {
  PackedOrigins *cell = g_packed.next();
  if (cell || !g_packed.areScarce())
    return cell;
  g_packed.add();
  return g_packed.next();
}

/// Packs what an open granule's cell of bytes holds, or keeps the cell.
void settle(uint64_t &word) {
  const uint64_t *bytes = wordsIn(word);
  if (areOne(bytes))
    word = bytes[0];
  else if (uint64_t packed = packedWord(packingOf(bytes), cellForSettling))
    word = packed;
  else
    g_open.mark(reinterpret_cast<const OpenCell *>(bytes));
}

/// Open granules on their way to settle(). Their cells lie anywhere, mostly not in the processor's
/// caches: they are asked for when a granule is added, and looked at some granules later.
class OpenGranules {
public:
  void add(uint64_t &word) {
    __builtin_prefetch(wordsIn(word));
    uint64_t *&place = waiting_[next_++ % kMostWaiting];
    if (place)
      settle(*place);
    place = &word;
  }

  void settleAll() {
    for (uint64_t *word : waiting_)
      if (word)
        settle(*word);
  }

private:
  static constexpr unsigned kMostWaiting = 16;
  uint64_t *waiting_[kMostWaiting] = {};
  unsigned next_ = 0;
};

/// Packs what open cells hold, and finds out which cells are free. Nothing happens if not all of
/// the shadow is known.
void collect() {
  uint64_t count = 0;
  if (!madeStretches(count))
    return;
  g_open.startMarking();
  g_packed.startMarking();
  g_numbered.startMarking();
  memset(g_known, 0, sizeof g_known);
  OpenGranules open;
  visitShadow([&](uint64_t &word) {
    if (!isMixed(word))
      return;
    if (hasNumbers(word))
      return g_numbered.mark(word);
    if (!isOpen(word) || !hasBytes(word))
      return g_packed.mark(&packedOrigins(word));
    open.add(word);
  });
  open.settleAll();
  g_open.finishMarking();
  g_packed.finishMarking();
  g_numbered.finishMarking();
  g_released.forget(); // they are among the free ones
  g_releasedHalves.forget();
}

/// All have been handed out.
template <typename Cell> Cell *nextOf(Cells<Cell> &cells) {
  bool isWorthIt =
      cells.count() >= Cells<Cell>::kFirst && cells.count() >= sizeOfShadow() / kShadowPerCell;
  if (isWorthIt)
    collect();
  Cell *cell = isWorthIt && !cells.areScarce() ? cells.next() : nullptr;
  if (cell)
    return cell;
  cells.add();
  return cells.next();
}

template <typename Cell> Cell *freeCell(Cells<Cell> &cells) {
  Cell *cell = cells.next();
  return cell ? cell : nextOf(cells);
}

} // namespace

void releaseMixedOrigins(uint64_t word) {
  (hasBytes(word) ? g_released : g_releasedHalves).add(wordsIn(word));
}

uint64_t *newMixedOrigins() {
  if (uint64_t *words = g_released.take())
    return words;
  return freeCell(g_open)->words;
}

uint64_t *newHalfOrigins() {
  if (uint64_t *words = g_releasedHalves.take())
    return words;
  return freeCell(g_packed)->words;
}

uint64_t packOrigins(const uint64_t *bytes) {
  return packedWord(packingOf(bytes), [] { return freeCell(g_packed); });
}

} // namespace culprit

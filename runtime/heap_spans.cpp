// See heap_spans.h. The interior entries of a span, and of a ghost its link, are used as follows;
// all values are multiples of 8 and so have Tag::Interior.
#include "runtime/heap_spans.h"

#include "runtime/heap_memory.h"

namespace culprit {
namespace {

enum Place : unsigned {
  kEnd = 2,
  kNextInBin = 3,
  kPreviousInBin = 4,
  kNextGhost = 5, ///< of a span: its first
  kLastGhost = 6,
  kDirty = 7, ///< dirtyBytes, and kLittered
};
constexpr uint64_t kLittered = 8;
/// A span uses the entries of so many bytes at its beginning; no ghost of a chain may be there.
constexpr uint64_t kHeadRoom = 8 * kGranule;

/// Free memory that is kept for quick reuse: so much, or an eighth of all.
constexpr uint64_t kMostDirty = 4 << 20;

uint64_t &placeOf(uint64_t span, Place place) {
  return (&entryOf(span))[place];
}

uint64_t &footerBefore(uint64_t end) {
  return entryAt(granuleOf(end) - 1);
}

/// Eight bins for each power of two, from kSmallestRest on.
unsigned binFor(uint64_t length) {
  auto power = static_cast<unsigned>(63 - __builtin_clzll(length));
  return (power - 8) * 8 + static_cast<unsigned>(length >> (power - 3) & 7);
}

} // namespace

void Ghosts::forgetBelow(uint64_t limit) {
  while (first != 0 && first < limit) {
    uint64_t next = placeOf(first, kNextGhost);
    entryOf(first) = 0;
    first = next;
  }
  if (first == 0)
    last = 0;
}

void Ghosts::append(Ghosts other) {
  if (other.first == 0)
    return;
  if (first == 0)
    first = other.first;
  else
    placeOf(last, kNextGhost) = other.first;
  last = other.last;
}

void Ghosts::prependSpan(uint64_t span) {
  uint64_t &entry = entryOf(span);
  if (!hasHistory(entry)) {
    entry = 0;
    return;
  }
  entry = retagged(entry, Tag::Ghost, freeStackIn(entry));
  placeOf(span, kNextGhost) = first;
  first = span;
  if (last == 0)
    last = span;
}

void Span::forgetHistory(uint64_t from, uint64_t to) {
  ghosts.forgetBelow(to);
  if (!isLittered)
    return;
  for (uint64_t granule = granuleOf(from); granule < granuleOf(to); ++granule)
    if (tagOf(entryAt(granule)) == Tag::Ghost)
      entryAt(granule) = 0;
}

void Spans::link(const Span &span) {
  unsigned bin = binFor(span.length());
  uint64_t next = bins_[bin];
  placeOf(span.begin, kEnd) = span.end;
  placeOf(span.begin, kNextInBin) = next;
  placeOf(span.begin, kPreviousInBin) = 0;
  placeOf(span.begin, kNextGhost) = span.ghosts.first;
  placeOf(span.begin, kLastGhost) = span.ghosts.last;
  placeOf(span.begin, kDirty) = span.dirtyBytes & ~uint64_t{15};
  if (next != 0)
    placeOf(next, kPreviousInBin) = span.begin;
  bins_[bin] = span.begin;
  used_[bin / 64] |= uint64_t{1} << bin % 64;
  footerBefore(span.end) = span.begin | static_cast<uint64_t>(Tag::Footer);
  headerOf(span.begin) = headerFor(span.begin, span.length());
  freeBytes_ += span.length();
  dirtyBytes_ += placeOf(span.begin, kDirty);
  placeOf(span.begin, kDirty) |= span.isLittered ? kLittered : 0;
}

Span Spans::unlink(uint64_t begin) {
  Span span{begin,
            placeOf(begin, kEnd),
            {placeOf(begin, kNextGhost), placeOf(begin, kLastGhost)},
            placeOf(begin, kDirty) & ~kLittered,
            (placeOf(begin, kDirty) & kLittered) != 0};
  unsigned bin = binFor(span.length());
  uint64_t next = placeOf(begin, kNextInBin);
  uint64_t previous = placeOf(begin, kPreviousInBin);
  if (next != 0)
    placeOf(next, kPreviousInBin) = previous;
  if (previous != 0)
    placeOf(previous, kNextInBin) = next;
  else
    bins_[bin] = next;
  if (bins_[bin] == 0)
    used_[bin / 64] &= ~(uint64_t{1} << bin % 64);
  footerBefore(span.end) = 0;
  freeBytes_ -= span.length();
  dirtyBytes_ -= span.dirtyBytes;
  return span;
}

void Spans::giveBack(Span &span) const {
  if (keepsMemory_ || span.length() < kLargeSpan || span.dirtyBytes == 0)
    return;
  uint64_t most = freeBytes_ / 8 < kMostDirty ? kMostDirty : freeBytes_ / 8;
  if (dirtyBytes_ + span.dirtyBytes <= most)
    return;
  discardPages(span.begin, span.end - kHeaderSize);
  span.dirtyBytes = 0;
}

void Spans::add(Span span) {
  if (Span lower = takeEndingAt(span.begin); lower.begin != 0) {
    span.ghosts.prependSpan(span.begin);
    lower.ghosts.append(span.ghosts);
    span = {lower.begin, span.end, lower.ghosts, lower.dirtyBytes + span.dirtyBytes,
            lower.isLittered || span.isLittered};
  }
  if (Span upper = takeNeighbour(span.end); upper.begin != 0) {
    upper.ghosts.prependSpan(upper.begin);
    span.ghosts.append(upper.ghosts);
    span.end = upper.end;
    span.dirtyBytes += upper.dirtyBytes;
    span.isLittered |= upper.isLittered;
  }
  span.ghosts.forgetBelow(span.begin + kHeadRoom);
  giveBack(span);
  link(span);
}

void Spans::addOrphan(uint64_t begin, uint64_t end) {
  headerOf(begin) = headerFor(begin, end - begin);
  footerBefore(end) = begin | static_cast<uint64_t>(Tag::Footer);
  writeEntry(begin, Tag::Orphan, 0, 0); // may be the same entry
}

void Spans::clearFooter(uint64_t end) {
  if (tagOf(footerBefore(end)) == Tag::Footer)
    footerBefore(end) = 0;
}

/// The span or orphan that begins there, taken out; an empty one if there is none. An orphan
/// whose header is broken is left for a check to find.
Span Spans::takeNeighbour(uint64_t begin) {
  uint64_t entry = entryOf(begin);
  if (startsAs(begin, entry, Tag::Span))
    return unlink(begin);
  uint64_t header = headerOf(begin);
  if (!startsAs(begin, entry, Tag::Orphan) || !isHeader(begin, header))
    return {};
  uint64_t end = begin + strideIn(header);
  clearFooter(end);
  writeEntry(begin, Tag::Span, 0, 0);
  return {begin, end, {}, end - begin, false};
}

uint64_t Spans::bestIn(unsigned bin, uint64_t length) const {
  constexpr int kMostLooks = 16;
  uint64_t best = 0;
  uint64_t bestLength = UINT64_MAX;
  int looks = 0;
  for (uint64_t span = bins_[bin]; span != 0 && looks < kMostLooks; ++looks) {
    uint64_t found = placeOf(span, kEnd) - span;
    if (found >= length && found < bestLength) {
      best = span;
      bestLength = found;
    }
    span = placeOf(span, kNextInBin);
  }
  return best;
}

Span Spans::take(uint64_t length) {
  unsigned bin = binFor(length < kSmallestRest ? kSmallestRest : length);
  if (uint64_t best = bestIn(bin, length); best != 0)
    return unlink(best);
  // All spans of higher bins are long enough.
  for (unsigned word = ++bin / 64; word < kBins / 64; ++word) {
    uint64_t candidates = used_[word];
    if (word == bin / 64)
      candidates &= ~uint64_t{0} << bin % 64;
    if (candidates != 0)
      return unlink(bins_[word * 64 + static_cast<unsigned>(__builtin_ctzll(candidates))]);
  }
  return {};
}

Span Spans::takeAt(uint64_t begin) {
  return unlink(begin);
}

Span Spans::takeEndingAt(uint64_t end) {
  if (end == kFirstBlock)
    return {};
  uint64_t granule = granuleOf(end) - 1;
  uint64_t entry = entryAt(granule);
  uint64_t begin = 0;
  if (tagOf(entry) == Tag::Footer)
    begin = entry & ~uint64_t{7};
  else if (tagOf(entry) == Tag::Orphan)
    begin = blockIn(granule, entry);
  return begin == 0 ? Span{} : takeNeighbour(begin);
}

} // namespace culprit

// Free stretches of heap memory that are too long for a stack of equal blocks: *spans*.
//
// Neighbouring spans become one, as glibc's free chunks do. All of it is kept in the table of
// entries, out of the program's reach: a span has at least 32 of them. What a freed block's entry
// says stays readable while its memory is unused: when spans are joined, the upper one's entry
// becomes a *ghost*, and a chain of ghosts, in order of address, hangs on the span. Small blocks
// have no room for a link; when they become part of a span they merely litter it.
#ifndef CULPRIT_RUNTIME_HEAP_SPANS_H
#define CULPRIT_RUNTIME_HEAP_SPANS_H

#include "runtime/heap_block.h"

namespace culprit {

/// Blocks of this stride become spans when they are freed.
inline constexpr uint64_t kSmallestSpan = 1024;
/// What is left over of a span is one down to this length; then it is an orphan.
inline constexpr uint64_t kSmallestRest = 288;
inline constexpr uint64_t kLargeSpan = 128 << 10; ///< from here on memory is given back

/// Ghosts in order of address; both 0 when there are none.
struct Ghosts {
  uint64_t first = 0;
  uint64_t last = 0;

  /// Forgets those below `limit`, whose memory is about to be used.
  void forgetBelow(uint64_t limit);
  void append(Ghosts other);
  /// Puts the block of a span that loses its independence, if it was one, in front.
  void prependSpan(uint64_t span);
};

struct Span {
  uint64_t begin = 0; ///< payload
  uint64_t end = 0;   ///< payload of what follows
  Ghosts ghosts;
  uint64_t dirtyBytes = 0; ///< how much of it the system would get back
  bool isLittered = false; ///< there are ghosts of small blocks, which no chain holds

  /// To be called before [begin, end) of it is used: nothing there tells of old blocks any more.
  void forgetHistory(uint64_t begin, uint64_t end);
  uint64_t length() const { return end - begin; }
};

class Spans {
public:
  /// Adds [begin, end), joined with the spans on either side. The entry of `begin` is written
  /// already: Tag::Span, with or without history.
  void add(Span span);
  /// Adds memory that is too short for a span and next to none.
  static void addOrphan(uint64_t begin, uint64_t end);
  /// Of an orphan that ends there and is about to go.
  static void clearFooter(uint64_t end);
  /// Takes the best of the spans of at least `length` bytes out; its entry stays for the caller to
  /// overwrite. An empty one if there is none.
  Span take(uint64_t length);
  /// Takes the span that begins at `begin` out.
  Span takeAt(uint64_t begin);
  /// Takes the span that ends at `end` out, if there is one.
  Span takeEndingAt(uint64_t end);

  uint64_t freeBytes() const { return freeBytes_; }
  void setKeepsMemory() { keepsMemory_ = true; }

private:
  static constexpr unsigned kBins = 256;

  void link(const Span &span);
  Span unlink(uint64_t begin);
  uint64_t bestIn(unsigned bin, uint64_t length) const;
  void giveBack(Span &span) const;
  Span takeNeighbour(uint64_t begin);

  uint64_t bins_[kBins] = {};
  uint64_t used_[kBins / 64] = {}; ///< bins that are not empty
  uint64_t freeBytes_ = 0;
  uint64_t dirtyBytes_ = 0;
  bool keepsMemory_ = false; ///< freed memory holds a pattern and is not given back
};

} // namespace culprit
#endif
